import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isTotpCode } from '../../platform/auth/totp.ts'
import { callerAddress } from '../../platform/http/admit/access.ts'
import { makeRateLimit, makeSharedRateLimit } from '../../platform/http/admit/rate-limits.ts'
import type { Http } from '../../platform/http/http.ts'
import { SharedCountLimit } from '../../platform/lib/count-limit.ts'
import { isFault, ProblemError } from '../../platform/lib/errors.ts'

/* The limits of sign-ins, of users and of operators, who are counted apart. What protects a secret counts in the database. */

type Callers = 'users' | 'operators'

const MINUTE = 60
const MAX_EMAIL = 254

/**
 * Wrong passwords count for an account and a network. Guesses from elsewhere do not keep the owner out, and a head office signs in
 * with one account as often as it likes. Limits by address allow few accounts.
 *
 * Three codes of a million are good at a time, so the 480 wrong ones that a user has in a day find one of them in two years, from
 * however many networks. A thief of the password could use them up. Recovery codes and passkeys still sign the owner in, and an
 * operator's code works from a network that is known of the operator: there the limit of networks alone holds.
 */
const LIMITS = {
  signInsByAddress: { max: 60, windowSeconds: MINUTE, keyOf: callerAddress },
  guessesOfAccount: { max: 10, windowSeconds: 5 * MINUTE },
  stepsByAddress: { max: 60, windowSeconds: MINUTE, keyOf: callerAddress },
  wrongCodesOfNetwork: { max: 10, windowSeconds: 30 * MINUTE },
  wrongCodesOfUser: { max: 20, windowSeconds: 60 * MINUTE },
}

const isWrongLogin = (error: unknown) => error instanceof ProblemError && error.code === 'wrong-login'
const isWrongCode = isFault('wrong-code')

type SignIn<Result> = () => Promise<Result>

/** The limit of first steps. @throws ProblemError 429 before the work */
export function limitPasswords(context: Context, callers: Callers) {
  const { database, now } = context
  const byAddress = makeSharedRateLimit(context, {
    ...LIMITS.signInsByAddress,
    name: `sign-ins of ${callers}`,
  })
  const name = `passwords of ${callers}`
  const guesses = new SharedCountLimit(database.counts, { ...LIMITS.guessesOfAccount, name, now })
  return async <Result>(request: FastifyRequest, email: string, signIn: SignIn<Result>): Promise<Result> => {
    await byAddress(request)
    const account = `${email.trim().toLowerCase().slice(0, MAX_EMAIL)} ${callerAddress(request)}`
    return guesses.countFailures(account, isWrongLogin, signIn)
  }
}

/** The limit of calls with a ticket of a first step, by address. */
export const limitSteps = (http: Http) => makeRateLimit(http.app, LIMITS.stepsByAddress)

interface GivenCode {
  account: string
  code: string
  /** Whether the account has signed in from this network before. */
  isKnownFrom?: (network: string) => Promise<boolean>
}

/** The limit of wrong codes. @throws ProblemError 429 before the work */
export function limitCodes({ database, now }: Context, callers: Callers) {
  const limit = (name: string, bounds: { max: number; windowSeconds: number }) =>
    new SharedCountLimit(database.counts, { ...bounds, name: `${name} of ${callers}`, now })
  const ofNetwork = limit('codes by network', LIMITS.wrongCodesOfNetwork)
  const ofUser = limit('codes', LIMITS.wrongCodesOfUser)
  return async <Result>(
    request: FastifyRequest,
    { account, code, isKnownFrom }: GivenCode,
    complete: SignIn<Result>,
  ): Promise<Result> => {
    const network = callerAddress(request)
    return ofNetwork.countFailures(`${account} ${network}`, isWrongCode, async () => {
      if (!isTotpCode(code)) return complete()
      if ((await ofUser.isReached(account)) && (await isKnownFrom?.(network)) === true) return complete()
      return ofUser.countFailures(account, isWrongCode, complete)
    })
  }
}
