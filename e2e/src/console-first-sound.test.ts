import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listDevices } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser, cloneDatabase } from '@floorcast/testing/test-database.ts'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countClicks, takeClicks } from './click-count.ts'
import { owner, signInOwner } from './client-fixture.ts'
import { type Program, type RunningServer, startAgent, startServer, waitUntil } from './processes.ts'

let folder: string
let server: RunningServer
let superuserUrl: string
let agent: Program | undefined
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-first-'))
  const database = await cloneDatabase()
  superuserUrl = database.superuserUrl
  server = await startServer(await freePort(), join(folder, 'server'), { DATABASE_URL: database.url })
  const browser = await sharedBrowser()
  page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  page.setDefaultTimeout(60_000)
  await countClicks(page)
})

afterAll(async () => {
  await agent?.stop()
  await page.context().close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

let typed = 0
async function type(label: string | RegExp, text: string): Promise<void> {
  typed += 1
  await page.getByLabel(label).fill(text)
}
const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
const sheet = () => page.getByRole('dialog', { name: 'Publish a playlist' })
const choose = async (field: string, option: RegExp) => {
  await sheet().getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option }).click()
}
const choosesFile = async (name: string | RegExp, files: Parameters<Page['setInputFiles']>[1]) => {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), button(name).click()])
  await chooser.setFiles(files)
}

it('from registration to the first sound takes at most 15 clicks and 5 typed fields', async () => {
  const [song] = await writeSongs(folder, { count: 1, seconds: 5 })
  await page.goto(server.url)
  await page.getByRole('tab', { name: 'Register' }).click()
  await type('Full name', owner.fullName)
  await type('Email', owner.email)
  await type(/^Password/, owner.password)
  await page.getByLabel(/terms/).check()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await menu('Melodies')
  await choosesFile('Upload melodies', song?.path ?? '')
  await page.getByRole('link', { name: 'song-1' }).waitFor()
  await menu('Playlists')
  await button('Add a playlist').click()
  await type('Name', 'Shop floor')
  await page.keyboard.press('Enter')
  await button('Add song-1 to the playlist').click()
  await page
    .getByRole('grid', { name: 'Tracks' })
    .getByRole('row', { name: /song-1/ })
    .waitFor()
  await menu('Devices')
  await button('Add a device').click()
  await type('Name', 'Till 1')
  await page.keyboard.press('Enter')
  const key = await page.locator('code', { hasText: /^[0-9A-Z]{5}(-[0-9A-Z]{5}){5}$/ }).innerText()
  agent = startAgent(server.url, key, join(folder, 'agent'))
  await page.getByRole('link', { name: 'Publish' }).click()
  await choose('Playlist', /Shop floor/)
  await sheet().getByRole('button', { name: 'Publish now' }).click()
  await page.getByText(/on the air .*in “Till 1”/i).waitFor()
  const log = new AgentFixture(join(folder, 'agent'))
  await waitUntil('the player has played a track', async () => log.countPlays() >= 1)
  expect(typed).toBe(5)
  expect(await takeClicks(page)).toBeLessThanOrEqual(15)
})

it('200 shops of a list are in their groups and on the air in under 20 clicks', async () => {
  await asSuperuser(superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  const shops = Array.from(
    { length: 200 },
    (_, n) => `Shop ${n + 1},${n + 1},${n % 2 ? 'North' : 'South'} shops`,
  )
  const csv = Buffer.from(['Name,Store number,Group', ...shops].join('\r\n'))
  await page.goto(`${server.url}/home/overview`)
  await takeClicks(page)
  await menu('Devices')
  await page.getByRole('link', { name: 'Add many' }).click()
  await choosesFile('Choose a file', { name: 'shops.csv', mimeType: 'text/csv', buffer: csv })
  await button('Create 2 groups').click()
  await button('Add 200 devices').click()
  await page.getByText('200 devices added').waitFor()
  for (const group of ['North shops', 'South shops']) {
    await menu('Groups')
    await page.getByRole('link', { name: group, exact: true }).click()
    await page.getByRole('link', { name: 'Publish' }).click()
    await choose('Playlist', /Shop floor/)
    await sheet().getByText('100 devices, none connected now.').waitFor()
    await sheet().getByRole('button', { name: 'Publish now' }).click()
    await page.getByText(new RegExp(`on the air .*in “${group}”`, 'i')).waitFor()
  }
  expect(await takeClicks(page)).toBeLessThan(20)
  const { call } = await signInOwner(server.url)
  expect((await call(listDevices, { query: { search: 'shops' } })).total).toBe(200)
  const groups = (await call(listGroups, { params: { x: 'all' } })).items
  expect(groups.filter(({ deviceCount }) => deviceCount === 100).map(({ state }) => state)).toEqual([
    'active',
    'active',
  ])
  const { items } = await call(listPublications, { params: { x: 'all' } })
  expect(items.filter(({ state }) => state === 'active')).toHaveLength(3)
})
