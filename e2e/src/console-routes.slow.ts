import { endSession, readSession } from '@floorcast/contract/auth.ts'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  inviteManager,
  inviteReader,
  inviteStreamer,
  type SignedInClient,
  signInUser,
} from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()

/** `npm run test:long` opens every route as everybody, `npm test` every sixth. */
const isWhole = process.env['MANY_RUNS'] === 'yes'
const routes = consoleRoutes.filter((_, place) => isWhole || place % 6 === 0)

const people = ['nobody', 'locked', 'expired', 'admin', 'manager', 'reader', 'streamer'] as const
type Person = (typeof people)[number]

/** The stored data of a person's browser; nothing for a person who is not signed in. */
const browsers = new Map<Person, { user: string; token: string | null }>()

const storedOf = async ({ call, token }: SignedInClient) => ({
  user: JSON.stringify(await call(readSession, {})),
  token,
})

beforeAll(async () => {
  const { client, deviceUid, url } = shop
  const admin = await storedOf(client)
  browsers.set('admin', admin)
  browsers.set('locked', { ...admin, token: null })
  browsers.set('manager', await storedOf(await inviteManager(client)))
  browsers.set('reader', await storedOf(await inviteReader(client)))
  browsers.set('streamer', await storedOf(await inviteStreamer(client, deviceUid)))
  const other = await signInUser(url, shop.owner)
  browsers.set('expired', await storedOf(other))
  await other.call(endSession, {})
})

/** Routes that lead to another one (docs/specification.md#2-screens-and-routes). */
const redirects: Record<string, string> = {
  '/': '/login',
  '/home': '/home/overview',
  '/pages': '/pages/profile',
  '/media': '/media/ads',
  '/equipments': '/equipments/devices',
  '/deployments': '/deployments/publications',
  '/security': '/security/audit',
  '/updates': '/updates/package',
  '/trash': '/trash/mediaTrash',
  // Of whoever is no operator.
  '/operator': '/operator/login',
}
const forEverybody = ['/verify', '/terms', '/operator/login']
const forAdmins = /^\/(?:security|updates|trash)\//
const forSignedIn = /^\/(?:home\/streaming\/|pages\/(?:profile|rtl)$)/

/** The goal of a route for a person: the path, with the required parts of its query. */
function goalOf(person: Person, route: string): string {
  const path = redirects[route] ?? route
  const home = person === 'streamer' ? `/home/streaming/${shop.deviceUid}` : '/home/overview'
  if (forEverybody.includes(path)) return path
  const isOut = person === 'nobody' || person === 'locked'
  if (path === '/login') return person === 'nobody' || person === 'locked' ? '/login' : home
  if (path === '/lock') return person === 'locked' ? '/lock' : person === 'nobody' ? '/login' : home
  if (isOut) return `${person === 'locked' ? '/lock' : '/login'}?from=`
  if (person === 'streamer' && !forSignedIn.test(path)) return '/login?needs='
  if (person !== 'admin' && person !== 'expired' && forAdmins.test(path)) return '/login?needs=admin'
  return path
}

async function openAs(person: Person): Promise<void> {
  const stored = browsers.get(person)
  await shop.page.evaluate(
    ([user, token]) => {
      localStorage.clear()
      if (user) localStorage.setItem('floorcast.user', user)
      if (token) localStorage.setItem('floorcast.token', token)
    },
    [stored?.user ?? null, stored?.token ?? null] as const,
  )
}

/** Opens a route, and waits until the address is the expected one. @returns the address that it came to */
async function follow(route: string, goal: string): Promise<string> {
  const { page } = shop
  const [path = '', query = ''] = goal.split('?')
  await page.goto(shop.url + route)
  const isThere = (at: URL) => at.pathname === path && at.search.startsWith(query === '' ? '' : `?${query}`)
  await page.waitForURL(isThere, { timeout: 10_000 }).catch(() => undefined)
  const at = new URL(page.url())
  return isThere(at) ? goal : `${at.pathname}${at.search}`
}

describe.each(people.filter(person => person !== 'expired'))('%s', person => {
  it('gets by each route where the specification says', async () => {
    await openAs(person)
    for (const route of routes) {
      const address = route.replace(':uid', shop.deviceUid)
      const goal = goalOf(person, route).replace(':uid', shop.deviceUid)
      expect.soft(await follow(address, goal), `${route} as ${person}`).toBe(goal)
    }
  })
})

it('a user whose session has ended is told so at /login, and comes back to the same page', async () => {
  await openAs('expired')
  await shop.page.goto(`${shop.url}/equipments/groups`)
  await shop.page.waitForURL(/\/login\?from=%2Fequipments%2Fgroups/)
  await shop.page.getByText('Session expired. Please sign in again.').waitFor()
})
