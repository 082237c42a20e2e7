import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { makeRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { CountLimit } from '../../platform/lib/count-limit.ts'
import { isFault } from '../../platform/lib/errors.ts'

const MINUTE = 60
const LIMITS = {
  wrongPasswordsOfUser: { max: 10, windowSeconds: 10 * MINUTE },
  changesByUser: {
    max: 30,
    windowSeconds: 10 * MINUTE,
    keyOf: (request: FastifyRequest) => request.session?.userUid ?? '',
  },
}

const isWrongPassword = isFault('wrong-password')

type Call = RequestContext & { request: FastifyRequest }

const made = new WeakMap<Http, PasswordChange>()

/** The one bound of a server for all changes that ask for the caller's password. */
export function passwordChanges(http: Http, context: Context): PasswordChange {
  const change = made.get(http) ?? makePasswordChanges(http, context)
  made.set(http, change)
  return change
}

/** Few changes in a time, and few wrong passwords, from whatever network. */
function makePasswordChanges(http: Http, { now }: Context) {
  const changesByUser = makeRateLimit(http.app, LIMITS.changesByUser)
  const wrongPasswords = new CountLimit({ ...LIMITS.wrongPasswordsOfUser, now })
  return async <Result>(call: Call, change: () => Promise<Result>): Promise<Result> => {
    await changesByUser(call.request)
    return wrongPasswords.countFailures(call.session.userUid, isWrongPassword, change)
  }
}
export type PasswordChange = ReturnType<typeof makePasswordChanges>
