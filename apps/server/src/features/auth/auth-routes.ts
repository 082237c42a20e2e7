import * as contract from '@floorcast/contract/auth.ts'
import * as sessions from '@floorcast/contract/sessions.ts'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { callerAddress } from '../../platform/http/admit/access.ts'
import { makeRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { saveProfile, endSession, makeTicket, readProfile, registerClient, signIn, userOf } from './auth.ts'
import { FailedSignIns } from './failed-sign-ins.ts'
import { type PasswordChange, passwordChanges } from './own-password-routes.ts'
import {
  endOwnSession,
  endSessionsByPassword,
  endSessionsOf,
  listOwnSessions,
  listUserSessions,
} from './user-sessions.ts'
import { registerSecondFactor } from './second-factor-routes.ts'
import { limitPasswords } from './sign-in-limits-routes.ts'

const MINUTE = 60

const LIMITS = {
  ticketsBySession: {
    max: 600,
    windowSeconds: 10 * MINUTE,
    keyOf: (request: FastifyRequest) => request.session?.sessionUid ?? '',
  },
  registerByAddress: { max: 30, windowSeconds: 10 * MINUTE, keyOf: callerAddress },
}

/** The sessions of the caller, and for admins those of the client's users. */
function registerSessions(http: Http, byPassword: PasswordChange): void {
  http.forUsers(sessions.listOwnSessions, call => listOwnSessions(call))
  http.done(sessions.endOwnSession, call => endOwnSession(call, call.params.uid))
  http.done(sessions.endOtherSessions, call => endSessionsOf(call, call.session.userUid))
  http.forUsers(sessions.listUserSessions, call => listUserSessions(call, call.params.uid))
  http.done(sessions.endUserSessions, async call => {
    const { password } = call.body
    await byPassword(call, () => endSessionsByPassword(call, { userUid: call.params.uid, password }))
  })
}

export function registerAuth(http: Http, context: Context): void {
  const byPassword = passwordChanges(context)
  registerSessions(http, byPassword)
  const failures = new FailedSignIns(context.database, context.log)
  http.app.addHook('onClose', () => failures.drain())
  const limited = limitPasswords(context, 'users')
  const ticketsBySession = makeRateLimit(http.app, LIMITS.ticketsBySession)
  const registerByAddress = makeRateLimit(http.app, LIMITS.registerByAddress)

  http.forAll(contract.authenticate, call =>
    limited(call.request, call.body.email, () => signIn({ ...context, failures }, call.body, call)),
  )
  http.forAll(contract.register, async call => {
    await registerByAddress(call.request)
    return registerClient(context, call.body, call)
  })
  http.done(contract.endSession, call => endSession(call))
  http.forUsers(contract.readSession, async call => userOf(call.session))
  http.forUsers(contract.readProfile, call => readProfile(call, call.params.id))
  http.done(contract.saveProfile, call => saveProfile(call, call.body))
  http.forUsers(contract.makeTicket, async call => {
    await ticketsBySession(call.request)
    return makeTicket(call, call.body.path)
  })
  registerSecondFactor(http, context, byPassword)
}
