import { CallError, type ClientOptions, makeClient } from '@floorcast/contract/client.ts'
import { proveServer } from '@floorcast/contract/device-protocol.ts'
import { serverProofText, type SignedAddress } from '@floorcast/contract/server-address.ts'
import { boundAnswer, MAX_ANSWER_BYTES } from './bounded-answers.ts'
import { retryAfterOf } from './retry-timer.ts'
import type { SessionStorage } from './session.ts'

const PROBE_TIMEOUT_MS = 10_000

/**
 * The answer of an address: a proof, the wrong one, an error of some Floorcast server, one that is too busy, or nothing of that kind.
 */
export type Found = 'proven' | 'wrong' | 'answers' | 'busy' | 'silent'

export interface ProbeParts {
  licenseKey: string
  storage: Pick<SessionStorage, 'read'>
  fetch: NonNullable<ClientOptions['fetch']>
}

const toBytes = (base64: string) => Uint8Array.from(atob(base64), each => each.codePointAt(0) ?? 0)
const toHex = (bytes: ArrayBuffer) =>
  [...new Uint8Array(bytes)].map(byte => byte.toString(16).padStart(2, '0')).join('')

/** Whether it is the signature of this key: both are base64, of 64 and 32 bytes. */
export async function isSignedBy(publicKey: string, { text, signature }: SignedAddress): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', toBytes(publicKey), 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, toBytes(signature), new TextEncoder().encode(text))
  } catch {
    return false
  }
}

/** Whether it is the proof of a server that has this license key. */
async function isProof(proof: string, text: string, licenseKey: string): Promise<boolean> {
  const encoder = new TextEncoder()
  const secret = await crypto.subtle.digest('SHA-256', encoder.encode(licenseKey.toUpperCase()))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign'])
  return toHex(await crypto.subtle.sign('HMAC', key, encoder.encode(text))) === proof
}

/** The device's uid; null before the first session with this license key, when nobody can prove to have it. */
export function findUid({ storage, licenseKey }: ProbeParts): string | null {
  const session = storage.read()
  return session?.licenseKey === licenseKey ? session.playPointUid : null
}

/** At the present address any answer of a Floorcast server keeps the device there. */
export const ANSWERS: ReadonlySet<Found> = new Set(['proven', 'answers', 'busy'])

/** Asks an address whether it is the device's server. */
export async function probe(parts: ProbeParts, address: string): Promise<Found> {
  const { licenseKey, fetch } = parts
  const playpointid = findUid(parts)
  if (playpointid === null) return 'silent'
  const call = makeClient({
    base: address,
    token: () => null,
    fetch: async (input, init) =>
      boundAnswer(await fetch(input, { ...init, redirect: 'manual' }), MAX_ANSWER_BYTES),
  })
  const nonce = toHex(crypto.getRandomValues(new Uint8Array(32)).buffer)
  const body = { playpointid, nonce, address }
  try {
    const { proof } = await call(proveServer, { body, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return (await isProof(proof, serverProofText(body), licenseKey)) ? 'proven' : 'wrong'
  } catch (error) {
    if (!(error instanceof CallError) || error.problem === null) return 'silent'
    return retryAfterOf(error) === null ? 'answers' : 'busy'
  }
}
