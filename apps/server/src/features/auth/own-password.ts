import { isPassword } from '../../platform/auth/password.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { wrongField } from '../../platform/lib/errors.ts'
import { findUserAccount } from './second-factor-queries.ts'

/** Checks the caller's own password. @throws ProblemError 422 at `password` */
export async function checkPassword(ctx: RequestContext, password: string): Promise<void> {
  const user = await findUserAccount(ctx.scope.reads, ctx.session.userUid)
  if (!(await isPassword(password, user?.passwordHash ?? null)))
    throw wrongField('password', 'wrong-password')
}
