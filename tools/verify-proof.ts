import { createHash, createPublicKey, verify } from 'node:crypto'
import { type FileHandle, open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findKeyState } from '../packages/contract/src/proof-key-state.ts'
import { ProofKeys } from '../packages/contract/src/proof.ts'
import { PROOF_ENTRIES, ProofKey, type ProofManifest } from '../packages/contract/src/proof-file.ts'
import {
  type ProofCrypto,
  type ProofFault,
  type ProofSource,
  type ProofVerdict,
  verifyProof,
} from '../packages/contract/src/proof-verification.ts'

const HELP = `npm run verify-proof -- FILE [--key KEY | --keys ANSWER]

  FILE     a signed proof of play: the zip as it was downloaded
  --key    the public key of who must have signed it: its 44 characters, or a file that holds them. Without it the key
           in the file itself is used, and you compare it with GET /api/v2/proof/key/{client}
  --keys   the keys of the client: the answer of that call, as a file or by its address. They say which key was retired when,
           and since when one is compromised

Needs no network, except for an address of --keys. Exits with 0 if each byte is as it was signed, else with 1.
`

const FAULTS: Record<ProofFault, string> = {
  'no-proof': 'This is no proof of play, or its first bytes were changed.',
  container: 'The zip was changed: a byte between its files differs, or a file is missing, added or longer.',
  manifest: `${PROOF_ENTRIES.manifest} cannot be read: it was changed.`,
  signature: `${PROOF_ENTRIES.manifest} or its signature was changed: the key did not sign it so.`,
  csv: `${PROOF_ENTRIES.csv} was changed: it is not the file that was signed.`,
  'other-key': 'Another key than the one you gave signed this file.',
}

/** Paths are of where the command was typed; npm itself runs in the project's folder. */
const pathOf = (name: string) => resolve(process.env['INIT_CWD'] ?? process.cwd(), name)

const crypto: ProofCrypto = {
  sha256: async bytes => createHash('sha256').update(bytes).digest('hex'),
  verify: async ({ publicKey, signature, message }) => {
    const x = Buffer.from(publicKey, 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, message, key, Buffer.from(signature, 'base64'))
  },
}

function sourceOf(handle: FileHandle, bytes: number): ProofSource {
  return {
    bytes,
    read: async (start, end) => {
      const buffer = new Uint8Array(end - start)
      for (let from = 0; from < buffer.length;) {
        const { bytesRead } = await handle.read(buffer, from, buffer.length - from, start + from)
        if (bytesRead === 0) throw new Error('The file became shorter while it was read.')
        from += bytesRead
      }
      return buffer
    },
  }
}

async function readKey(text: string): Promise<string> {
  if (ProofKey.safeParse(text).success) return text.trim()
  const key = ProofKey.safeParse(await readFile(pathOf(text), 'utf8').catch(() => ''))
  if (!key.success) throw new Error(`--key ${text} is no public key, and no file that holds one.`)
  return key.data
}

/** Describes the plays that count nowhere, by reason. */
const describeLeftOut = ({ leftOut }: ProofManifest['counts']): string =>
  Object.entries(leftOut ?? {})
    .map(([reason, plays]) => `${plays} ${reason}`)
    .join(', ') || 'none'

/** Says which days were not whole since a restore; nothing if all were. */
function describeRestored({ awaited, lost }: NonNullable<ProofManifest['restored']>): string[] {
  const line = (text: string) => [`After a restore:    ${text}`]
  return [
    ...(awaited
      ? line(
          `plays from ${awaited.from} to ${awaited.to} may follow, ${awaited.devices} devices have not delivered again`,
        )
      : []),
    ...(lost
      ? line(`plays from ${lost.from} to ${lost.to} may be lost, ${lost.devices} devices no longer have them`)
      : []),
  ]
}

function describe({
  client,
  keyId,
  publicKey,
  madeAt,
  filters,
  period,
  counts,
  restored,
  file,
}: ProofManifest): string {
  const { adPlays, completePlays, devices, grossImpressions } = counts
  return [
    `Client:             ${client.name} (${client.uid})`,
    `Ad:                 ${filters.media.name} (${filters.media.uid})`,
    `Period:             ${period.from} to ${period.to}, ${period.zone === 'device' ? "each device's own zone" : period.zone}`,
    `Ad plays:           ${adPlays}, ${completePlays} of them complete, on ${devices} devices`,
    `Left out:           ${describeLeftOut(counts)}`,
    ...describeRestored(restored ?? {}),
    `Gross impressions:  ${grossImpressions ?? 'not known: no audience is stated'}`,
    `Made at:            ${madeAt}`,
    `SHA-256 of csv:     ${file.sha256}`,
    `Public key:         ${publicKey} (${keyId})`,
  ].join('\n')
}

/** The client's keys, from a file or an address. */
async function readKeys(source: string): Promise<ProofKeys> {
  const isAddress = /^https?:\/\//.test(source)
  const text = await (
    isAddress ? fetch(source).then(answer => answer.text()) : readFile(pathOf(source), 'utf8')
  ).catch(() => '')
  try {
    return ProofKeys.parse((JSON.parse(text) as { data?: unknown }).data)
  } catch {
    throw new Error(`--keys ${source} is not the answer of GET /api/v2/proof/key/{client}.`)
  }
}

/** Describes the signer by the client's keys. @throws Error if the signer is not the client, or may be another one */
function describeSigner(manifest: ProofManifest, { client, keys }: ProofKeys): string {
  const found = findKeyState(manifest, { keys })
  const isOwn = client.uid === manifest.client.uid
  if (!isOwn || found.state === 'foreign') throw new Error(`NOT VALID\n- ${FAULTS['other-key']}`)
  if (found.state !== 'compromised') return `It was signed with a key of ${client.name}.`
  const when = found.isSaidEarlier
    ? 'The file says that it was made before, which whoever has the key can write.'
    : ''
  throw new Error(
    `NOT PROVEN\n- The key of ${client.name} is compromised since ${found.since}: others may have signed with it. ${when}`,
  )
}

function conclude({ faults, manifest }: ProofVerdict, isKeyGiven: boolean, keys: ProofKeys | null): string {
  if (!manifest || faults.length > 0) {
    const told = faults.map(fault => `- ${FAULTS[fault]}`).join('\n')
    throw new Error(`NOT VALID\n${told}`)
  }
  const whose = keys
    ? describeSigner(manifest, keys)
    : isKeyGiven
      ? 'It was signed with the key that you gave.'
      : `It was signed with the key that the file names. Compare it with ${manifest.server.url}/api/v2/proof/key/${manifest.client.uid}, or give it with --key.`
  return `VALID: not one byte was changed. ${whose}\n\n${describe(manifest)}`
}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, keys: { type: 'string' } },
  })
  const [file, ...others] = positionals
  if (file === undefined) throw new Error(`FILE is missing.\n\n${HELP}`)
  if (others.length > 0) throw new Error(`One file at a time.\n\n${HELP}`)
  const expectedKey = values.key === undefined ? undefined : await readKey(values.key)
  const keys = values.keys === undefined ? null : await readKeys(values.keys)
  const handle = await open(pathOf(file), 'r').catch(() => {
    throw new Error(`There is no file ${file}.`)
  })
  try {
    const source = sourceOf(handle, (await handle.stat()).size)
    return conclude(await verifyProof(source, crypto, { expectedKey }), expectedKey !== undefined, keys)
  } finally {
    await handle.close()
  }
}

try {
  process.stdout.write(`${await run()}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
