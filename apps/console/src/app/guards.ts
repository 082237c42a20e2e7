import type { SessionUser } from '@floorcast/contract/auth.ts'
import { redirect, type LoaderFunctionArgs } from 'react-router'
import { homeOf, paths, readInvite, readReturnPath } from '../platform/paths.ts'
import { sessionStore } from '../platform/session.ts'

export type Role = SessionUser['role']

/**
 * A page's guard: without a user to /login, without a token to /lock, without the role to /login, which says so.
 * @param roles who may see the page; everyone signed in unless told
 */
export function guard(roles?: readonly [Role, ...Role[]]) {
  return ({ request }: LoaderFunctionArgs): null => {
    const { user, token } = sessionStore.get()
    const { pathname, search } = new URL(request.url)
    const from = encodeURIComponent(pathname + search)
    if (!user) throw redirect(`${paths.login}?from=${from}`)
    if (!token) throw redirect(`${paths.lock}?from=${from}`)
    if (roles && !roles.includes(user.role)) throw redirect(`${paths.login}?needs=${roles[0]}`)
    return null
  }
}

/**
 * /login leads a signed-in user home, unless a guard sent them there to say which role is needed, or a one-time link did.
 */
export function forwardSignedIn({ request }: LoaderFunctionArgs): null {
  const { user, token } = sessionStore.get()
  const address = new URL(request.url).searchParams
  if (user && token && !address.has('needs') && !readInvite())
    throw redirect(readReturnPath(address) ?? homeOf(user))
  return null
}

/** /lock is for a locked user: others go to where they belong. */
export function guardLock({ request }: LoaderFunctionArgs): null {
  const { user, token } = sessionStore.get()
  if (!user) throw redirect(paths.login)
  if (token) throw redirect(readReturnPath(new URL(request.url).searchParams) ?? homeOf(user))
  return null
}
