import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import tls, { type ConnectionOptions, type DetailedPeerCertificate, type TLSSocket } from 'node:tls'
import { findChainFault } from './certificate-chain.ts'

/** The part of the agent's clock by which certificates are checked. */
export interface TlsClock {
  now: () => number
  isTrusted: boolean
  hasServerTime: boolean
  /** The time is no earlier. */
  earliest: () => number
}

const DATE_CODES = ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']
const isDateError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && DATE_CODES.includes(String(error.code))

/** The authorities that Node itself trusts, as certificates. */
function readAuthorities(): X509Certificate[] {
  const { getCACertificates } = tls as Partial<typeof tls>
  const extra = process.env['NODE_EXTRA_CA_CERTS']
  const former = () => [...tls.rootCertificates, ...(extra ? [readFileSync(extra, 'utf8')] : [])]
  return (getCACertificates?.('default') ?? former()).flatMap(pem => {
    try {
      return new X509Certificate(pem)
    } catch {
      return []
    }
  })
}

function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = []
  let current: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
  while (current?.raw && chain.length < 10) {
    chain.push(new X509Certificate(current.raw))
    current = current.issuerCertificate === current ? undefined : current.issuerCertificate
  }
  return chain
}

/**
 * Lets a machine with a wrong clock reach its server: OpenSSL checks the dates of certificates by the machine's clock alone.
 *
 * Each connection is checked by OpenSSL first. Only after one that fails for its dates, and only while the agent does not believe
 * the machine's clock or the server has told the time, further ones are checked here: the whole chain, the name, and the dates by
 * the agent's time. Without the server's time that is a bound: no certificate may have expired before the last time that the server
 * confirmed, or the release. docs/decisions/0258 has the attack.
 */
export function checkDatesByAgentTime(clock: TlsClock): () => void {
  const connect = tls.connect
  let isSuspect = false
  let authorities: X509Certificate[] | null = null

  const faultOf = (socket: TLSSocket, host: string) => {
    // A code of OpenSSL's, unlike what the types say. What it refuses for its dates may have other faults.
    const verdict = String(socket.authorizationError)
    if (!DATE_CODES.includes(verdict)) return verdict
    authorities ??= readAuthorities()
    const [notBefore, notAfter] = clock.hasServerTime
      ? [clock.now(), clock.now()]
      : [clock.earliest(), Infinity]
    return findChainFault({ chain: chainOf(socket), authorities, host, notBefore, notAfter })
  }

  const connectStrictly = (options: ConnectionOptions, onConnect?: () => void) => {
    const socket = connect(options, onConnect)
    socket.prependOnceListener('error', error => {
      if (isDateError(error)) isSuspect = true
    })
    return socket
  }

  const connectByAgentTime = (options: ConnectionOptions, onConnect?: () => void) => {
    // A resumed session shows no chain.
    const { session: _, ...rest } = options
    const socket = connect({ ...rest, rejectUnauthorized: false }, onConnect)
    const emit = socket.emit.bind(socket)
    // Before anybody else learns of the connection, and so before a byte is sent.
    socket.emit = ((event: string, ...values: unknown[]) => {
      if (event !== 'secureConnect') return emit(event, ...values)
      const code = socket.authorized ? null : faultOf(socket, options.servername || options.host || '')
      if (socket.authorized) isSuspect = false
      if (code === null) return emit(event, ...values)
      const error = Object.assign(new Error(`The certificate is refused: ${code}`), { code })
      socket.destroy(error)
      return false
    }) as typeof socket.emit
    return socket
  }

  const isOurs = (options: unknown): options is ConnectionOptions =>
    typeof options === 'object' &&
    options !== null &&
    !('rejectUnauthorized' in options && options.rejectUnauthorized === false) &&
    !('ca' in options && options.ca !== undefined)

  tls.connect = ((...args: Parameters<typeof connect>) => {
    const [options, onConnect] = args as [unknown, (() => void) | undefined]
    if (!isOurs(options)) return connect(...args)
    const isByAgent = clock.hasServerTime || !clock.isTrusted
    return isSuspect && isByAgent
      ? connectByAgentTime(options, onConnect)
      : connectStrictly(options, onConnect)
  }) as typeof connect
  return () => void (tls.connect = connect)
}
