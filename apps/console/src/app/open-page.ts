import type { PageName } from '@floorcast/contract/console-routes.ts'
import { redirect, type LoaderFunctionArgs } from 'react-router'
import { loadWords } from '../platform/i18n.ts'
import { loadPart } from '../platform/load-part.ts'
import type { PageComponent } from '../platform/page-address.ts'
import { homeOf, paths, readInvite, readReturnPath } from '../platform/paths.ts'
import { sessionStore } from '../platform/session.ts'
import type { Page } from './pages.ts'

/** The table of the pages comes with the frame of the signed-in pages: /login needs none of their files and icons. */
let table: typeof import('./pages.ts') | null = null
const loadTable = async () => (table ??= await import('./pages.ts'))

const fromHere = ({ request }: LoaderFunctionArgs) => {
  const { pathname, search } = new URL(request.url)
  return encodeURIComponent(pathname + search)
}

/** Redirects to /login without a user, and to /lock without a token. */
export function guardSession(args: LoaderFunctionArgs): null {
  const { user, token } = sessionStore.get()
  if (!user) throw redirect(`${paths.login}?from=${fromHere(args)}`)
  if (!token) throw redirect(`${paths.lock}?from=${fromHere(args)}`)
  return null
}

/** Redirects a user without the role of a page to /login, which names the role. */
export function guardRole({ roles }: Pick<Page, 'roles'>): null {
  const { user } = sessionStore.get()
  if (roles && user && !roles.includes(user.role)) throw redirect(`${paths.login}?needs=${roles[0]}`)
  return null
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

/** Guards a page, and asks for what it shows first; at once when the table is there, so that a change of the address is. */
export function openPage(name: PageName, args: LoaderFunctionArgs): null | Promise<null> {
  guardSession(args)
  const open = ({ pageOf }: NonNullable<typeof table>) => {
    const page = pageOf(name)
    guardRole(page)
    void prefetch(page, args)
    return null
  }
  return table ? open(table) : loadPart(loadTable).then(open)
}

/** The page itself repeats a failed call and shows the failure. */
async function prefetch(page: Page, { request, params }: LoaderFunctionArgs): Promise<void> {
  try {
    const component = await page.load()
    await component.prefetch?.({ uid: params['uid'] ?? '', search: new URL(request.url).searchParams })
  } catch {
    // The page has not come.
  }
}

/** Loads a page, and its texts. */
export async function loadPage(name: PageName): Promise<PageComponent> {
  const { load, section, words } = (await loadTable()).pageOf(name)
  const [Component] = await Promise.all([load(), loadWords(section, ...(words ? [words] : []))])
  return Component
}
