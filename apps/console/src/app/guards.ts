import { redirect, type LoaderFunctionArgs } from 'react-router'
import { homeOf, paths, readInvite, readReturnPath } from '../platform/paths.ts'
import { sessionStore } from '../platform/session.ts'
import type { Role } from './pages.ts'

/**
 * Guards a page: redirects to /login without a user, to /lock without a token, and to /login, which names the role,
 * without the role.
 * @param roles the roles that may see the page; default: every signed-in user
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
 * Redirects a signed-in user from /login to the start page, unless the address names a missing role or a one-time
 * link.
 */
export function forwardSignedIn({ request }: LoaderFunctionArgs): null {
  const { user, token } = sessionStore.get()
  const address = new URL(request.url).searchParams
  if (user && token && !address.has('needs') && !readInvite(location))
    throw redirect(readReturnPath(address) ?? homeOf(user))
  return null
}

/** Redirects users that are not locked from /lock. */
export function guardLock({ request }: LoaderFunctionArgs): null {
  const { user, token } = sessionStore.get()
  if (!user) throw redirect(paths.login)
  if (token) throw redirect(readReturnPath(new URL(request.url).searchParams) ?? homeOf(user))
  return null
}
