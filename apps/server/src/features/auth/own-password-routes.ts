import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Http } from '../../platform/http/http.ts'
import { makeRateLimit } from '../../platform/http/rate-limits.ts'
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

/** Changes that ask for the caller's password: few in a time, and few wrong passwords, from whatever network. */
export function makePasswordChanges(http: Http, { now }: Context) {
  const changesByUser = makeRateLimit(http.app, LIMITS.changesByUser)
  const wrongPasswords = new CountLimit({ ...LIMITS.wrongPasswordsOfUser, now })
  return async <Result>(call: Call, change: () => Promise<Result>): Promise<Result> => {
    await changesByUser(call.request)
    return wrongPasswords.countFailures(call.session.userUid, isWrongPassword, change)
  }
}
export type PasswordChange = ReturnType<typeof makePasswordChanges>
