import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert } from '@floorcast/contract/alerts.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { editProfile } from '@floorcast/contract/device-profiles.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { addGroup, deleteGroup, listGroups } from '@floorcast/contract/groups.ts'
import { listMedia } from '@floorcast/contract/media.ts'
import { addDeployPackage } from '@floorcast/contract/deploy-packages.ts'
import { addPlaylist } from '@floorcast/contract/playlists.ts'
import { addChannel } from '@floorcast/contract/update-channels.ts'
import { addPackage } from '@floorcast/contract/update-packages.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { cloneDatabase } from '@floorcast/testing/test-database.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import {
  createdUid,
  registerOwner,
  publishToDevice,
  uploadFile,
  type SignedInClient,
} from './client-fixture.ts'
import { startServer, type RunningServer } from './processes.ts'

let folder: string
let server: RunningServer
let browser: Browser
let client: SignedInClient
const paths: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-pages-'))
  const [port, songs] = await Promise.all([freePort(), writeSongs(folder, { count: 2, seconds: 3 })])
  const { url } = await cloneDatabase()
  server = await startServer(port, join(folder, 'data'), { DATABASE_URL: url })
  browser = await sharedBrowser()
  client = await registerOwner(server.url)
  const line = await publishToDevice(client, songs.slice(0, 1), songs.slice(1))
  // Names of the maximum length must not make a list wider than the window.
  const long = { name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützen1' }
  await client.call(addDevice, { params: { contentType: 'audio' }, body: long })
  await client.call(addGroup, { params: { contentType: 'audio' }, body: long })
  await client.call(addPlaylist, { params: { contentType: 'audio' }, body: long })
  const deleted = await client.call(addGroup, { params: { contentType: 'audio' }, body: long })
  await client.call(deleteGroup, { body: { uid: deleted.uid ?? '' } })
  const updatePackage = await publishPackage(client, long.name)
  const { items } = await client.call(listMedia, { params: { contentType: 'melodies' } })
  const video = await uploadFile(client, 'videos', mp4Fixtures.faststart.path)
  const air = { uid: line.deviceUid, alerttype: 'air' } as const
  const nuclear = { uid: 'all', alerttype: 'nuclear' } as const
  await client.call(beginAlert, { params: air, query: { drill: '1' } })
  const alert = await client.call(beginAlert, { params: nuclear })
  const { group, playlist } = await client.call(readDevice, { params: { id: line.deviceUid } })
  const profile = await client.call(editProfile, {
    body: { ...long, type: 'network', settings: { heartbeatSeconds: 30 }, groupUids: [group?.uid ?? ''] },
  })
  await client.call(addTag, {
    params: { contentType: 'device', uid: line.deviceUid },
    body: { key: 'city', value: 'Oslo' },
  })
  paths.push(
    '/home/overview',
    '/home/reports',
    '/alerts',
    `/alerts/${alert.uid}`,
    '/security/users',
    '/security/proofKeys',
    '/pages/profile',
    '/pages/pricing',
    '/pages/rtl',
    '/equipments/devices',
    `/equipments/devicesOne/${line.deviceUid}`,
    '/equipments/devicesImport',
    '/equipments/groups',
    `/equipments/groupsOne/${group?.uid}`,
    '/media/melodies',
    `/media/melodiesOne/${items[0]?.uid}`,
    `/media/videosOne/${video}`,
    '/media/videosAds',
    '/media/videos',
    '/media/playlists',
    '/media/wizard',
    `/media/playlistsOne/${playlist?.uid}`,
    '/deployments/publications',
    `/deployments/publicationsOne/${line.publicationUid}`,
    '/security/audit',
    '/security/logs',
    '/security/tags',
    '/security/profile',
    `/security/tags?device=${line.deviceUid}`,
    `/security/profileOne/${profile.uid}`,
    `/security/playTrack/${line.deviceUid}`,
    `/security/heartBeat/${line.deviceUid}`,
    '/trash/groupsTrash',
    '/updates/package',
    `/updates/packageOne/${updatePackage}`,
    '/updates/packagePub',
    '/updates/files',
    '/updates/channels',
    '/trash/mediaTrash',
  )
})

/** A package on a channel, both with a long name. @returns the package's uid */
async function publishPackage({ call }: SignedInClient, name: string): Promise<string> {
  const body = { name, category: 'Program', version: '2.776.0' }
  const packageUid = createdUid(await call(addPackage, { body }))
  const groups = await call(listGroups, { params: { x: 'all' } })
  const groupUids = groups.items.map(({ uid }) => uid)
  const channelUid = createdUid(await call(addChannel, { body: { name, groupUids } }))
  await call(addDeployPackage, { body: { packageUid, channelUid } })
  return packageUid
}

afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const themes = [
  { name: 'German, a tablet', mode: 'light', language: 'de', width: 1024 },
  { name: 'Russian, dark, narrow', mode: 'dark', language: 'ru', width: 400 },
  { name: 'Arabic', mode: 'light', language: 'ar', width: 1440 },
  { name: 'Arabic, dark, narrow', mode: 'dark', language: 'ar', width: 400 },
] as const

/** A browser context with a session and the theme's settings. */
async function openSignedIn(theme: (typeof themes)[number]): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: theme.width, height: 900 },
    reducedMotion: 'reduce',
  })
  const user = await client.call(readSession, {})
  const stored = {
    'floorcast.user': JSON.stringify(user),
    'floorcast.token': client.token,
    'floorcast.language': theme.language,
    'floorcast.personalization': JSON.stringify({ mode: theme.mode }),
  }
  await context.addInitScript(entries => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
  }, stored)
  return context
}

/**
 * Opens a page as a link does; the page before it must have another heading. Loading each page by its address again
 * would take most of this file's time; the first theme does it.
 */
async function navigate(page: Page, path: string): Promise<void> {
  const heading = await page.locator('h1').innerText()
  await page.evaluate(to => {
    history.pushState({ idx: history.length }, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state as unknown }))
  }, path)
  await page.waitForFunction(before => document.querySelector('h1')?.innerText !== before, heading)
}

describe.each(themes)('in $name', theme => {
  it('every page is whole: no barrier, no complaint, nothing beyond the edge', async () => {
    const context = await openSignedIn(theme)
    const page = await context.newPage()
    const complaints = collectComplaints(page)
    for (const path of paths) {
      const isLoaded = theme === themes[0] || path === paths[0]
      await (isLoaded ? page.goto(server.url + path) : navigate(page, path))
      await page.locator('main').waitFor()
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'hidden' })
      await page.waitForLoadState('load')
      expect.soft(await findAxeViolations(page), `${path} in ${theme.name}`).toEqual([])
      expect.soft(await measureOverflow(page), `${path} is wider than the window`).toBe(0)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
