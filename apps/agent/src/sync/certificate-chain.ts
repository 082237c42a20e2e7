import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'

const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const ANY_USAGE = '2.5.29.37.0'
/** The object identifier 2.5.29.30 as it stands in a certificate. */
const NAME_CONSTRAINTS = Buffer.from([0x06, 0x03, 0x55, 0x1d, 0x1e])
/** 2.5.29.19 in hexadecimal, whether it is critical, and its value: an authority, and how many others may stand between it and the server. */
const PATH_LENGTH = /0603551d13(?:0101ff)?04..30..0101ff0201([0-7].)/
const MAX_CHAIN = 10

export interface ChainQuestion {
  /** The server's certificate and those that it sent with it, in order. */
  chain: readonly X509Certificate[]
  authorities: readonly X509Certificate[]
  host: string
  /** No certificate may have expired before, in milliseconds since 1970. */
  notBefore: number
  /** No certificate may begin after it; Infinity if the time is not known. */
  notAfter: number
}

const isServerUsage = ({ keyUsage }: X509Certificate): boolean =>
  (keyUsage as string[] | undefined)?.some(usage => usage === SERVER_AUTH || usage === ANY_USAGE) ?? true

const hasIssued = (issuer: X509Certificate, certificate: X509Certificate): boolean =>
  issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)

function maxPathLength({ raw }: X509Certificate): number {
  const [, length] = PATH_LENGTH.exec(raw.toString('hex')) ?? []
  return length === undefined ? Infinity : Number.parseInt(length, 16)
}

/** The certificates from the server's to an authority; null if there is no path. */
function findPath({ chain, authorities }: ChainQuestion): X509Certificate[] | null {
  const path: X509Certificate[] = []
  let current = chain[0]
  while (current && path.length < MAX_CHAIN) {
    const certificate = current
    path.push(certificate)
    if (authorities.some(({ raw }) => raw.equals(certificate.raw))) return path
    const authority = authorities.find(each => hasIssued(each, certificate))
    if (authority) return [...path, authority]
    current = chain.find(each => !path.includes(each) && hasIssued(each, certificate))
  }
  return null
}

/**
 * Whether a chain is right but perhaps for its dates by the machine's clock, which OpenSSL asks and nothing else. It refuses what it does
 * not understand: authorities with name constraints. @returns why not, as a code of OpenSSL's; null: it is right
 */
export function findChainFault(question: ChainQuestion): string | null {
  const { chain, host, notBefore, notAfter } = question
  const [server] = chain
  if (!server || server.ca) return 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
  const path = findPath(question)
  if (!path) return 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
  if (!(isIP(host) ? server.checkIP(host) : server.checkHost(host))) return 'ERR_TLS_CERT_ALTNAME_INVALID'
  if (!path.every(isServerUsage)) return 'INVALID_PURPOSE'
  if (path.slice(1).some((authority, between) => between > maxPathLength(authority)))
    return 'PATH_LENGTH_EXCEEDED'
  if (path.slice(1).some(({ raw }) => raw.includes(NAME_CONSTRAINTS)))
    return 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'
  if (path.some(({ validTo }) => !(Date.parse(validTo) > notBefore))) return 'CERT_HAS_EXPIRED'
  if (path.some(({ validFrom }) => !(Date.parse(validFrom) <= notAfter))) return 'CERT_NOT_YET_VALID'
  return null
}
