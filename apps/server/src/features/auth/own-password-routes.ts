import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { makeSharedRateLimit } from '../../platform/http/admit/rate-limits.ts'
import { SharedCountLimit } from '../../platform/lib/count-limit.ts'
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

/**
 * The bound of all changes that ask for the caller's password: few in a time, and few wrong passwords, from whatever network. All callers
 * of this function share it.
 */
export function passwordChanges(context: Context) {
  const { database, now } = context
  const changesByUser = makeSharedRateLimit(context, { ...LIMITS.changesByUser, name: 'changes by password' })
  const name = 'own passwords'
  const wrongPasswords = new SharedCountLimit(database.counts, { ...LIMITS.wrongPasswordsOfUser, name, now })
  return async <Result>(call: Call, change: () => Promise<Result>): Promise<Result> => {
    await changesByUser(call.request)
    return wrongPasswords.countFailures(call.session.userUid, isWrongPassword, change)
  }
}
export type PasswordChange = ReturnType<typeof passwordChanges>
