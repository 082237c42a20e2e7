import type { Access } from '@floorcast/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { OutcomeError, ProblemError } from '../../lib/errors.ts'
import type { Authenticator } from '../../auth/authenticator.ts'
import type { Session } from '../../auth/session.ts'

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
  if (!access.roles.includes(session.role)) throw new ProblemError(403, 'role')
  if (!access.changes) return
  const isExpired = !access.evenExpired && Date.parse(session.subscriptionExpiresAt) <= now.getTime()
  if (session.rights === 'full' && !isExpired) return
  if (access.refusal === 'code')
    throw new OutcomeError('notAllowed', isExpired ? { reason: 'subscription-expired' } : {})
  throw new ProblemError(403, isExpired ? 'subscription-expired' : 'rights')
}

/** Checks the caller of a user's endpoint and puts its session on the request. */
export async function admitUser(
  request: FastifyRequest,
  access: Extract<Access, { by: 'user' }>,
  gate: { authenticator: Authenticator; now: Date },
): Promise<void> {
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const session = await sessionOf(request, gate.authenticator, isRead && !access.changes)
  if (!session) throw new ProblemError(401, 'session-expired')
  request.note.userUid = session.userUid
  request.note.clientId = session.clientId
  checkUser(access, session, gate.now)
  request.session = session
}

/** Checks the token of a device, or of a streamer's page, and puts the device on the request. */
export async function admitDevice(request: FastifyRequest, authenticator: Authenticator): Promise<void> {
  const token = bearerToken(request.headers.authorization)
  const device = token ? await authenticator.deviceByToken(token, addressOf(request)) : null
  if (!device) throw new ProblemError(401, 'device-token')
  request.note.deviceUid = device.deviceUid
  request.note.clientId = device.clientId
  request.device = device
}
