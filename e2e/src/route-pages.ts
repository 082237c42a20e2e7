import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { createdUid, publishToDevice, uploadFile } from './client-fixture.ts'
import type { ConsoleUnderTest } from './console-under-test.ts'

/** Addresses of people who are not signed in, redirects, the first step of the wizard, which asks for nothing; a streamer's page has its test. */
const excludedRoutes = new Set([
  // Shows every component, and asks for nothing.
  '/pages/rtl',
  '/login',
  '/lock',
  '/verify',
  '/operator',
  '/operator/login',
  '/terms',
  '/',
  '/home',
  '/pages',
  '/media',
  '/equipments',
  '/deployments',
  '/security',
  '/updates',
  '/trash',
  '/media/wizard',
  '/home/streaming/:uid',
])
export const askingRoutes = consoleRoutes.filter(route => !excludedRoutes.has(route))

/** The pages that ask the server, each with an item to show, and what they show. */
export class RoutePages {
  readonly #shop: ConsoleUnderTest
  /** The ids of what has a page, by the second segment of its address. */
  #uids: Record<string, string | undefined> = {}

  constructor(shop: ConsoleUnderTest) {
    this.#shop = shop
  }

  /** Adds an item of each kind. */
  async addItems(): Promise<void> {
    const { client } = this.#shop
    const { call } = client
    await asSuperuser(this.#shop.superuserUrl, superuser =>
      superuser.query("update clients set plan_key = 'professional'"),
    )
    const songs = await writeSongs(this.#shop.folder, { count: 2, seconds: 3 })
    const line = await publishToDevice(client, songs.slice(0, 1), songs.slice(1))
    const { group, playlist } = await call(readDevice, { params: { id: line.deviceUid } })
    const firstOf = async (contentType: 'melodies' | 'ads') =>
      (await call(listMedia, { params: { contentType } })).items[0]?.uid
    const device = line.deviceUid
    const alert = { uid: device, alerttype: 'air' } as const
    const { uid: alertUid } = await call(beginAlert, { params: alert, query: { drill: '1' } })
    await call(endAlert, { params: alert })
    const profile = {
      name: 'Night downloads',
      type: 'network',
      settings: { downloadFrom: '22:00', downloadTo: '06:00' },
    } as const
    const update = { name: 'Player', category: 'Program', version: '2.776.0' } as const
    this.#uids = {
      devicesOne: device,
      groupsOne: group?.uid,
      melodiesOne: await firstOf('melodies'),
      adsOne: await firstOf('ads'),
      videosOne: await uploadFile(client, 'videos', mp4Fixtures.faststart.path),
      videosAdsOne: await uploadFile(client, 'videosAds', mp4Fixtures.silent.path),
      playlistsOne: playlist?.uid,
      publicationsOne: line.publicationUid,
      ':uid': alertUid,
      profileOne: createdUid(await call(editProfile, { body: profile })),
      packageOne: createdUid(await call(addPackage, { body: update })),
      playTrack: device,
      heartBeat: device,
      debug: device,
      playList: device,
      updatesLog: device,
    }
  }

  /** The address of a route; with an item for one that has a page for each. */
  addressOf(route: string): string {
    return route.replace(':uid', this.#uids[route.split('/')[2] ?? ''] ?? 'unknown')
  }

  get main() {
    return this.#shop.page.getByRole('main')
  }
  /** The page shows what this browser has seen. */
  get asOf() {
    return this.#shop.page.getByText(/^As of .*, the server cannot be reached$/)
  }
  /** The placeholders of a part that has not come. */
  get skeletons() {
    return this.main.locator('.mantine-Skeleton-root').filter({ visible: true })
  }
  get retry() {
    return this.main.getByRole('button', { name: 'Try again' }).first()
  }

  /** The page's text; times, counts and sizes pass. */
  async readText(): Promise<string> {
    return (await this.main.innerText()).replaceAll(/\d+(\.\d+)?/g, '0')
  }

  /** The page's text once all of it has come. */
  async readWhole(): Promise<string> {
    await this.main.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
    let text = ''
    for (let tries = 0; tries < 60; tries += 1) {
      const now = await this.readText()
      if (now === text && (await this.skeletons.count()) === 0) return text
      text = now
      await this.#shop.page.waitForTimeout(500)
    }
    throw new Error(`The page has changed for 30 s: ${text}`)
  }
}
