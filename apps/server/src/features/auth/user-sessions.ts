import type { UserSession } from '@floorcast/contract/sessions.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { notFound, orNotFound } from '../../platform/lib/errors.ts'
import { recordChange } from '../audit/audit.ts'
import { findEmail, listSessions, revokeSession, revokeSessions } from './auth-queries.ts'
import { checkPassword } from './own-password.ts'

/** The valid sessions of a user, the last used first. */
async function readSessions(ctx: RequestContext, userUid: string): Promise<UserSession[]> {
  const sessions = await listSessions(ctx.scope.reads, userUid, ctx.now)
  return sessions.map(session => ({ ...session, isCurrent: session.uid === ctx.session.sessionUid }))
}

export const listOwnSessions = (ctx: RequestContext) => readSessions(ctx, ctx.session.userUid)

/** @throws ProblemError 404 if the client has no such user */
export async function listUserSessions(ctx: RequestContext, userUid: string): Promise<UserSession[]> {
  orNotFound(await findEmail(ctx.scope.reads, userUid))
  return readSessions(ctx, userUid)
}

/** Ends one of the caller's sessions. @throws ProblemError 404 if the caller has no such session */
export async function endOwnSession(ctx: RequestContext, uid: string): Promise<void> {
  const { userUid, email } = ctx.session
  await ctx.scope.write(async writes => {
    if (!(await revokeSession(writes, { uid, userUid, at: ctx.now }))) throw notFound()
    await recordChange(writes, ctx, { action: 'end-session', entity: 'session', uid, name: email })
  })
}

/** For an admin, by the admin's own password. @throws ProblemError 404; 422 at `password` */
export async function endSessionsByPassword(
  ctx: RequestContext,
  { userUid, password }: { userUid: string; password: string },
): Promise<void> {
  await checkPassword(ctx, password)
  await endSessionsOf(ctx, userUid)
}

/** Ends all sessions of a user of the client but the one of this call. @throws ProblemError 404 */
export async function endSessionsOf(ctx: RequestContext, userUid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const name = orNotFound(await findEmail(writes, userUid))
    const ended = await revokeSessions(writes, { userUid, exceptUid: ctx.session.sessionUid, at: ctx.now })
    const changes = { sessions: [ended, 0] as [number, number] }
    await recordChange(writes, ctx, { action: 'end-sessions', entity: 'user', uid: userUid, name, changes })
  })
}
