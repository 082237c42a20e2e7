import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { editProfile, listProfiles } from '@floorcast/contract/device-profiles.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { listMedia, type MediaType } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import type { Page } from 'playwright-core'
import { createdUid, type SignedInClient } from './client-fixture.ts'

/** Routes that only lead to another one, and those of people who are not signed in. */
const elsewhere = new Set([
  '/',
  '/home',
  '/pages',
  '/media',
  '/equipments',
  '/deployments',
  '/security',
  '/updates',
  '/trash',
  '/login',
  '/operator',
  '/operator/login',
  '/lock',
])

/** Finds an item for a route with `:uid`, by the beginning of the route. */
function itemFinders({ call }: SignedInClient): [string, () => Promise<string | undefined>][] {
  const query = { size: 1, sort: 'name' } as const
  const params = { x: 'all' } as const
  const device = async () =>
    (await call(listDevices, { query: { ...query, connectivity: 'online' } })).items[0]?.uid
  const media = (contentType: MediaType) => async () =>
    (await call(listMedia, { params: { contentType }, query })).items[0]?.uid
  return [
    ['/home/streaming/', device],
    ['/media/videosOne/', media('videos')],
    ['/media/videosAdsOne/', media('videosAds')],
    ['/media/adsOne/', media('ads')],
    ['/media/melodiesOne/', media('melodies')],
    ['/media/playlistsOne/', async () => (await call(listPlaylists, { params, query })).items[0]?.uid],
    ['/equipments/devicesOne/', device],
    ['/equipments/groupsOne/', async () => (await call(listGroups, { params, query })).items[0]?.uid],
    [
      '/deployments/publicationsOne/',
      async () => (await call(listPublications, { params, query })).items[0]?.uid,
    ],
    [
      '/security/profileOne/',
      async () => {
        const body = {
          name: 'Night downloads',
          type: 'network',
          settings: { downloadFrom: '22:00', downloadTo: '06:00' },
        } as const
        const { items } = await call(listProfiles, { query })
        return items[0]?.uid ?? createdUid(await call(editProfile, { body }))
      },
    ],
    ['/security/', device],
  ]
}

/** The address of every page of the console, with an item for those of one. A page whose kind of item is not there is left out. */
export async function findEveryPage(client: SignedInClient): Promise<string[]> {
  const finders = itemFinders(client)
  const addresses: string[] = []
  for (const route of consoleRoutes) {
    if (elsewhere.has(route)) continue
    const uid = route.includes(':uid') ? await finders.find(([start]) => route.startsWith(start))?.[1]() : ''
    if (uid !== undefined) addresses.push(route.replace(':uid', uid))
  }
  return addresses
}

/** A short name of a page's address, for a file. */
export const nameOfPage = (address: string) =>
  address
    .split('/')
    .filter(part => part !== '' && !/^[0-9a-f-]{36}$/.test(part))
    .join('-')

/** Texts on the page that are keys of a catalogue: what i18next shows for a text that is missing. */
export const findUntranslated = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: string[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const isShown = node.parentElement?.closest('script, style, code, bdi') === null
      if (isShown && /^(?:[a-z]\w*:)?[a-z]\w*(?:\.[a-z]\w*)+$/.test(text)) found.push(text)
    }
    return found
  })
