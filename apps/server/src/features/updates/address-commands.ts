import { createPublicKey, verify } from 'node:crypto'
import {
  parseAddressStatement,
  type SignedAddress,
  splitSignedAddress,
} from '@floorcast/contract/server-address.ts'
import type { Database } from '../../platform/database/database.ts'
import { addressOf } from '../../platform/settings/address-settings.ts'
import { recordOwnChanges } from '../audit/audit.ts'
import { lockClient, saveAddress } from './update-key-queries.ts'

/* `npm run admin -- publish-address`: only who reaches the server's machine tells devices another address. docs/decisions/0353. */

export type AddressCommand = { name: 'addresses' } | { name: 'publish-address'; word: string }

/** Parses the command line. @returns null for another command @throws Error that says what is wrong */
export function readAddressCommand(args: readonly string[]): AddressCommand | null {
  const [name, word, ...more] = args
  if (name === 'addresses') {
    if (word !== undefined) throw new Error('There is nothing after addresses.')
    return { name }
  }
  if (name !== 'publish-address') return null
  if (word === undefined || more.length > 0)
    throw new Error('publish-address takes the line of sign-update --address, and nothing else.')
  return { name, word }
}

interface CommandContext {
  database: Pick<Database, 'jobs'>
  streamUrl: string
  now: Date
}

const HEADINGS = ['client', 'uid', 'devices connect to', 'signed address', 'counter']
const COUNTS = ['devices', 'keep it', 'are there', 'refuse']

async function listAddresses({ database, streamUrl }: CommandContext): Promise<string> {
  const clients = await database.jobs.serverAddresses()
  const lines = clients.map(client => {
    const { clientUid, clientName, hasUpdateKey, addressStatement, devices, keeping, there, refusing } =
      client
    const signed = parseAddressStatement(addressStatement ?? '')
    return [
      clientName,
      clientUid,
      addressOf(streamUrl, clientUid),
      signed?.address ?? (hasUpdateKey ? '-' : 'no update key'),
      signed?.counter ?? '-',
      devices,
      keeping,
      there,
      refusing,
    ].join('\t')
  })
  return [[...HEADINGS, ...COUNTS].join('\t'), ...lines].join('\n')
}

function isSignedBy(publicKey: string, { text, signature }: SignedAddress): boolean {
  const x = Buffer.from(publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'))
}

/** Refuses what the client's devices would refuse. */
async function publish({ database, now }: CommandContext, word: string): Promise<string> {
  const signed = splitSignedAddress(word)
  if (!signed) throw new Error('This is not the whole line of sign-update --address.')
  const { client: clientId, address, counter } = signed
  if (!(await database.jobs.clientIds()).includes(clientId))
    throw new Error(`There is no client ${clientId}.`)
  return database.jobs.forClient(clientId).write(async writes => {
    const { name, updatePublicKey, addressStatement } = await lockClient(writes)
    if (updatePublicKey === null)
      throw new Error(`${name} has no update key: its devices take OTHER_STREAM_URL, and no signed address.`)
    if (!isSignedBy(updatePublicKey, signed))
      throw new Error(`This is not signed by the update key of ${name}, ${updatePublicKey}.`)
    const former = parseAddressStatement(addressStatement ?? '')
    if (former && counter <= former.counter)
      throw new Error(
        `${name} has ${former.address} with the counter ${former.counter}: devices take only a higher one.`,
      )
    await saveAddress(writes, clientId, signed)
    await recordOwnChanges(writes, { clientId, at: now, userName: 'operator' }, [
      {
        action: 'publish-address',
        entity: 'client',
        uid: clientId,
        name,
        changes: { address: [former?.address ?? null, address] },
      },
    ])
    return `Devices of ${name} learn ${address} with their next heartbeat, and try it when their server does not answer.`
  })
}

/** Runs the command. @returns the message for the operator @throws Error for what devices would refuse */
export const runAddressCommand = (context: CommandContext, command: AddressCommand): Promise<string> =>
  command.name === 'addresses' ? listAddresses(context) : publish(context, command.word)
