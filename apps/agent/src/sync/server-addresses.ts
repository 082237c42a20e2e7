import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { CallError, makeClient } from '@floorcast/contract/client.ts'
import { proveServer, serverProofText } from '@floorcast/contract/device-protocol.ts'
import { boundAnswer, MAX_ANSWER_BYTES } from '@floorcast/device-client/bounded-answers.ts'
import type { ServerAddresses } from '@floorcast/device-client/session-opener.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { SessionStorage } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { z } from 'zod'

const STATE = 'server-addresses'
const Known = z.object({ installed: z.string(), current: z.string(), told: z.string().nullable() })
type Known = z.infer<typeof Known>

const PROBE_TIMEOUT_MS = 10_000
const MAX_ADDRESS_LENGTH = 300

/** The answer of an address: the device's server, some Floorcast server or an error of it, or neither. */
type Found = 'proven' | 'answers' | 'silent'

interface AddressParts {
  /** The address of the installation. */
  installed: string
  licenseKey: string
  state: StateStore
  storage: SessionStorage
  log: Pick<PlayLog, 'debug'>
}

/** Why an address that the server tells is not taken; null if it may be tried. */
function whyNot(address: string, current: string): string | null {
  const url = URL.parse(address)
  if (address.length > MAX_ADDRESS_LENGTH || !url || !/^https?:$/.test(url.protocol))
    return 'it is no address'
  if (url.username || url.password || url.search || url.hash) return 'it has more than a host and a path'
  // The session's token would travel in clear.
  return current.startsWith('https:') && url.protocol === 'http:' ? 'it has no TLS' : null
}

/** Asks an address whether it is the device's server. */
async function probe({ storage, licenseKey }: AddressParts, address: string): Promise<Found> {
  const session = storage.read()
  const playpointid = session?.licenseKey === licenseKey ? session.playPointUid : null
  // Before its first session a device has told nobody its key, and no server has told it an address.
  if (playpointid === null) return 'silent'
  const call = makeClient({
    base: address,
    token: () => null,
    fetch: async (input, init) =>
      boundAnswer(await fetch(input, { ...init, redirect: 'manual' }), MAX_ANSWER_BYTES),
  })
  const body = { playpointid, nonce: randomBytes(32).toString('hex'), address }
  try {
    const { proof } = await call(proveServer, { body, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    const key = createHash('sha256').update(licenseKey.toUpperCase()).digest()
    const expected = createHmac('sha256', key).update(serverProofText(body)).digest()
    return timingSafeEqual(Buffer.from(proof, 'hex'), expected) ? 'proven' : 'silent'
  } catch (error) {
    return error instanceof CallError && error.problem !== null ? 'answers' : 'silent'
  }
}

/**
 * The addresses at which the agent's server may answer: the one of its last session, the one that this server has told, and the
 * one of its installation. docs/decisions/0286.
 *
 * A told address gets the license key only after its server has proven that it has it too. The address of the installation is
 * always tried: neither a typo nor a stranger can take the device away from it.
 */
export function openServerAddresses(parts: AddressParts): ServerAddresses & { first: string } {
  const { state, log } = parts
  const installed = parts.installed.replace(/\/+$/, '')
  const saved = Known.safeParse(state.read(STATE)).data
  // Another address on the command line is what a technician wants now.
  let known: Known = saved?.installed === installed ? saved : { installed, current: installed, told: null }
  const reported = new Set<string>()

  const save = (changed: Partial<Known>) => {
    const next = { ...known, ...changed }
    if (next.current === known.current && next.told === known.told) return
    known = next
    state.write(STATE, known)
  }
  const reportOnce = (address: string, why: string) => {
    if (reported.has(address) || reported.size > 100) return
    reported.add(address)
    log.debug('warning', 'server-not-taken', `${address.slice(0, MAX_ADDRESS_LENGTH)}: ${why}`)
  }

  return {
    first: known.current,
    isInstalled: origin => origin === installed,
    noteOther(address) {
      const other = address?.replace(/\/+$/, '') ?? null
      const why = other === null ? null : whyNot(other, known.current)
      if (why !== null) reportOnce(other ?? '', why)
      save({ told: why === null ? other : null })
    },
    noteOpened(origin) {
      if (origin !== known.current)
        log.debug('warning', 'server-changed', `Reports to ${origin}; ${known.current} does not answer`)
      save({ current: origin })
    },
    async find(current, isRefused) {
      if (!isRefused && (await probe(parts, current)) !== 'silent') return null
      const others = [known.current, known.told].filter(each => each !== null && each !== current)
      for (const other of new Set(others)) {
        if (other === null || other === installed) continue
        const found = await probe(parts, other)
        if (found === 'proven') return other
        if (found === 'answers') reportOnce(other, 'it does not prove that it is the server of this device')
      }
      return current === installed ? null : installed
    },
  }
}
