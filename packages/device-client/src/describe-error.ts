import { CallError } from '@floorcast/contract/client.ts'
import type { DeviceClock } from './heartbeats.ts'

/** The causes that a technician can act on, by the codes of Node's errors. */
const CAUSES: Record<string, string | ((clock: string) => string)> = {
  CERT_HAS_EXPIRED: clock => `the certificate has expired (this machine's clock says ${clock})`,
  CERT_NOT_YET_VALID: clock => `the certificate is not valid yet (this machine's clock says ${clock})`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is of an authority that this machine does not know, or the server does not send the whole chain',
  UNABLE_TO_GET_ISSUER_CERT: 'the certificate is of an authority that this machine does not know',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate is of an authority that this machine does not know',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is of an authority that this machine does not know',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is signed by itself',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is of another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is the address right, http:// perhaps?',
  ENOTFOUND: 'the name is not known: check the address and the DNS',
  EAI_AGAIN: 'no DNS server answers: check the network',
  ECONNREFUSED: 'nothing listens there: the server is down, or a firewall refuses',
  ENETUNREACH: 'there is no way there: check the network',
  EHOSTUNREACH: 'there is no way there: check the network',
  UND_ERR_CONNECT_TIMEOUT: 'no answer in time: check the network and the firewall',
  ECONNRESET: 'the connection was broken off',
}

/** The code of an error, or of what caused it. */
function codeOf(error: unknown): string | null {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    // A name with several addresses.
    const [first] = each instanceof AggregateError ? (each.errors as unknown[]) : []
    for (const candidate of [first, each])
      if (candidate instanceof Error && 'code' in candidate && String(candidate.code) in CAUSES)
        return String(candidate.code)
  }
  return null
}

/** Why a call has failed, in words for a technician. */
export function describeError(error: unknown, clock: Pick<DeviceClock, 'now' | 'machineNow'>): string {
  const code = codeOf(error)
  const cause = code === null ? undefined : CAUSES[code]
  if (typeof cause === 'string') return cause
  if (cause)
    return cause(new Date(clock.machineNow?.() ?? clock.now()).toISOString().slice(0, 16).replace('T', ' '))
  if (error instanceof CallError && error.status === 0) return 'no answer'
  return error instanceof Error ? error.message : String(error)
}
