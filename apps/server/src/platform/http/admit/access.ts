import { BlockList, isIPv4, isIPv6 } from 'node:net'
import type { Access } from '@floorcast/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { Authenticator, OperatorAuthenticator } from '../../auth/authenticator.ts'
import type { Session } from '../../auth/session.ts'
import { OutcomeError, ProblemError } from '../../lib/errors.ts'

/* The caller: the address, and the user, device or operator of the token; and whether this caller may call. */

/** False, the number of proxies in a row, or their addresses and networks, separated by commas. */
export type TrustProxy = false | number | string

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
/** The first half of an IPv6 address is the network of one customer. */
const NETWORK_GROUPS = 4

const groupsOf = (part: string) => (part === '' ? [] : part.split(':'))

/**
 * The key by which limits count an address: an IPv4 address itself, the /64 network of an IPv6 address. A customer has at
 * least a /64, and could otherwise use 2^64 addresses.
 */
export function toAddressKey(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = MAPPED_IPV4.exec(plain)?.[1]
  if (mapped) return mapped
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const [first, last] = [groupsOf(head), groupsOf(tail ?? '')]
  // An IPv4 address at the end stands for two groups.
  const lastCount = last.length + (plain.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - first.length - lastCount
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last]
  const network = groups.slice(0, NETWORK_GROUPS).map(group => parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** The key by which limits count the caller of a request. */
export const callerAddress = (request: FastifyRequest) => toAddressKey(request.ip)

/** Makes a test of whether a connection's address is one of the installation's reverse proxies. */
export function makeProxyTest(trustProxy: TrustProxy): (address: string) => boolean {
  if (typeof trustProxy !== 'string') return () => trustProxy !== false
  const list = new BlockList()
  for (const part of trustProxy.split(',').map(text => text.trim())) {
    const [address = '', bits] = part.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return address => {
    const [plain = ''] = address.split('%')
    const mapped = MAPPED_IPV4.exec(plain)?.[1] ?? plain
    return list.check(mapped, isIPv4(mapped) ? 'ipv4' : 'ipv6')
  }
}

/** The setting as Fastify takes it, which trusts the first addresses of a number. */
export const toProxyTrust = (trustProxy: TrustProxy) =>
  typeof trustProxy === 'number' ? (_: string, hop: number) => hop < trustProxy : trustProxy

const SCHEME = /^Bearer +(\S+)$/i

/** The bearer token of the Authorization header, if it holds one. */
export const bearerToken = (header: string | undefined): string | null =>
  (header && SCHEME.exec(header)?.[1]) || null

/** The client of an authenticated caller; empty for others. */
export const clientOf = ({ session, device }: Pick<FastifyRequest, 'session' | 'device'>) =>
  session?.clientId ?? device?.clientId ?? ''

/** The caller's address. A socket of both families writes IPv4 addresses as IPv6. */
export const addressOf = (request: FastifyRequest) => request.ip.replace(/^::ffff:(?=\d+\.)/i, '')

export const pathOf = (url: string) => url.split('?', 1)[0] ?? url

function ticketOf(request: FastifyRequest): string | null {
  const { ticket } = request.query as { ticket?: unknown }
  return typeof ticket === 'string' && ticket !== '' ? ticket : null
}

/** A ticket only opens calls that read. */
async function sessionOf(
  request: FastifyRequest,
  authenticator: Authenticator,
  mayUseTicket: boolean,
): Promise<Session | null> {
  const token = bearerToken(request.headers.authorization)
  if (token) return authenticator.userByToken(token, addressOf(request))
  const ticket = ticketOf(request)
  return ticket && mayUseTicket ? authenticator.userByTicket(ticket, pathOf(request.url)) : null
}

/** @throws OutcomeError or ProblemError, as the endpoint declares, if this user may not call it */
function checkUser(access: Extract<Access, { by: 'user' }>, session: Session, now: Date): void {
  if (!access.roles.includes(session.role)) throw new ProblemError('role')
  if (!access.changes) return
  const isExpired = !access.evenExpired && Date.parse(session.subscriptionExpiresAt) <= now.getTime()
  if (session.rights === 'full' && !isExpired) return
  if (access.refusal === 'code')
    throw new OutcomeError('notAllowed', isExpired ? { reason: 'subscription-expired' } : {})
  throw new ProblemError(isExpired ? 'subscription-expired' : 'rights')
}

/** Checks the caller of a user's endpoint and puts its session on the request. */
export async function admitUser(
  request: FastifyRequest,
  access: Extract<Access, { by: 'user' }>,
  gate: { authenticator: Authenticator; now: Date },
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const session = await sessionOf(request, gate.authenticator, isRead && !access.changes)
  if (!session) throw new ProblemError('session-expired')
  request.note.userUid = session.userUid
  request.note.clientId = session.clientId
  checkUser(access, session, gate.now)
  request.session = session
}

/** Checks the token of a device, or of a streamer's page, and puts the device on the request. */
export async function admitDevice(request: FastifyRequest, authenticator: Authenticator): Promise<void> {
  const token = bearerToken(request.headers.authorization)
  const device = token ? await authenticator.deviceByToken(token, addressOf(request)) : null
  if (!device) throw new ProblemError('device-token')
  request.note.deviceUid = device.deviceUid
  request.note.clientId = device.clientId
  request.device = device
}

/** Checks the token of an operator and puts the operator on the request. */
export async function admitOperator(
  request: FastifyRequest,
  authenticator: OperatorAuthenticator | undefined,
): Promise<void> {
  const token = bearerToken(request.headers.authorization)
  const operator = token ? await authenticator?.byToken(token) : null
  if (!operator) throw new ProblemError('session-expired')
  request.note.operatorUid = operator.uid
  request.operator = operator
}
