import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@floorcast/testing/free-port.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { hostileFixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { owner, signInOwner } from './client-fixture.ts'
import { type Program, type RunningServer, startAgent, startServer, waitUntil } from './processes.ts'
import { comparePlays, waitForPlays } from './play-comparison.ts'
import { ConsolePage } from './console-page.ts'

let folder: string
let port: number
let server: RunningServer
let agent: Program | undefined
let consolePage: ConsolePage
let complaints: string[]
let songs: Awaited<ReturnType<typeof writeSongs>>
let deviceUid: string
let licenseKey: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-line-'))
  port = await freePort()
  server = await startServer(port, join(folder, 'server'))
  songs = await writeSongs(folder, { count: 4, seconds: 5 })
  const browser = await sharedBrowser()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' })
  page.setDefaultTimeout(60_000)
  complaints = collectComplaints(page)
  consolePage = new ConsolePage(page, 'main-line')
})

afterAll(async () => {
  await agent?.stop()
  await consolePage.page.context().close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const uidInAddress = () => consolePage.page.url().split('/').at(-1)?.split('?')[0] ?? ''
const playsOnCard = () =>
  consolePage.page.getByRole('region', { name: 'Last plays' }).getByRole('listitem').count()

it('a new client registers', async () => {
  const { page } = consolePage
  await page.goto(server.url)
  await page.getByRole('tab', { name: 'Register' }).click()
  await page.getByLabel('Full name').fill(owner.fullName)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel(/^Password/).fill(owner.password)
  await consolePage.screenshot('register')
  await page.getByLabel(/terms/).check()
  await consolePage.clickButton('Create account')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await consolePage.screenshot('overview empty')
})

it('a new client uploads melodies, an ad and a video, and refuses what is neither', async () => {
  const { page } = consolePage
  const wave = hostileFixtures.find(file => file.name === 'hostile-wav.mp3')
  await consolePage.upload('Melodies', 'Upload melodies', [
    ...songs.slice(0, 3).map(song => song.path),
    wave?.path ?? '',
  ])
  await page.getByRole('link', { name: 'song-3' }).waitFor()
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await uploads
    .getByRole('listitem')
    .filter({ hasText: 'hostile-wav.mp3' })
    .getByText(/^Wrong file type/)
    .waitFor()
  await consolePage.screenshot('melodies')
  await consolePage.upload('Ads', 'Upload ads', [songs[3]?.path ?? ''])
  await page.getByRole('link', { name: 'song-4' }).waitFor()
  await consolePage.upload('Videos', 'Upload videos', [mp4Fixtures.faststart.path])
  await page.getByRole('link', { name: 'video-faststart' }).waitFor()
  await consolePage.screenshot('videos')
})

it('a new client makes a playlist: adds, moves and removes tracks, sets it active', async () => {
  const { page } = consolePage
  await consolePage.add('Playlists', 'Add a playlist', { Name: 'Shop floor' })
  for (const name of ['song-1', 'song-2', 'song-3'])
    await consolePage.clickButton(`Add ${name} to the playlist`)
  await page.getByRole('radiogroup', { name: 'What the library shows' }).getByText('Ads').click()
  await consolePage.clickButton('Add song-4 to the playlist')
  const tracks = page.getByRole('grid', { name: 'Tracks' })
  await tracks.getByRole('row', { name: /song-4/ }).click()
  await consolePage.clickButton('To the start (Alt+Home)')
  const rows = tracks.getByRole('row').filter({ hasNot: page.getByRole('columnheader') })
  await rows.first().filter({ hasText: 'song-4' }).waitFor()
  await consolePage.clickButton('Remove song-3')
  await expect.poll(() => rows.count()).toBe(3)
  await consolePage.screenshot('editor')
  await page.reload()
  await expect
    .poll(() =>
      tracks
        .getByRole('row')
        .allInnerTexts()
        .then(rows => rows.join(' ')),
    )
    .toMatch(/song-4[\s\S]*song-1[\s\S]*song-2/)
  await consolePage.clickButton('Activate')
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor({ state: 'hidden' })
  await consolePage.screenshot('playlist active')
})

it('a new client adds a device and shows its license key', async () => {
  const { page } = consolePage
  await consolePage.add('Devices', 'Add a device', { Name: 'Till 1', 'Store number': '0415' })
  licenseKey = await page.locator('code', { hasText: /^[0-9A-Z]{5}(-[0-9A-Z]{5}){5}$/ }).innerText()
  deviceUid = uidInAddress()
  expect(await page.locator('code', { hasText: 'install.sh' }).innerText()).toContain(`--key ${licenseKey}`)
  await consolePage.screenshot('device')
})

it('a new client makes a group of it, and a publication that is activated', async () => {
  const { page } = consolePage
  await consolePage.add('Groups', 'Add a group', { Name: 'City shops' })
  await consolePage.clickButton('Add to the group')
  await page.getByRole('option', { name: 'Till 1' }).click()
  await page.getByRole('table', { name: '1 device' }).waitFor()
  await page.keyboard.press('Escape')
  await consolePage.clickButton('Activate')
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor({ state: 'hidden' })
  await consolePage.screenshot('group active')
  await consolePage.open('Publications')
  await page.getByRole('button', { name: 'Add a publication' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('On air')
  await consolePage.chooseOption('Device group', 'City shops')
  await consolePage.chooseOption('Playlist', 'Shop floor')
  await consolePage.saveSideForm()
  await consolePage.clickButton('Activate')
  await page.getByRole('button', { name: 'Deactivate' }).waitFor()
  await consolePage.screenshot('publication on')
})

it('a new client sees the device go online and its plays arrive', async () => {
  const { page } = consolePage
  await consolePage.open('Devices')
  await page.getByRole('link', { name: 'Till 1' }).click()
  agent = startAgent(server.url, licenseKey, join(folder, 'agent'))
  await page.getByRole('region', { name: 'Now playing' }).getByText(/song-/).waitFor()
  await page
    .getByText(/^Playing · song-/)
    .first()
    .waitFor()
  await consolePage.screenshot('device online')
  const first = await page.getByRole('region', { name: 'Now playing' }).getByText(/song-/).first().innerText()
  await expect
    .poll(() => page.getByRole('region', { name: 'Now playing' }).getByText(/song-/).first().innerText(), {
      timeout: 60_000,
    })
    .not.toBe(first)
  await expect.poll(playsOnCard, { timeout: 60_000 }).toBeGreaterThan(1)
  await consolePage.screenshot('device plays')
  await page.goto(`${server.url}/security/playTrack/${deviceUid}`)
  await page.getByRole('cell', { name: /song-/ }).first().waitFor()
  await consolePage.screenshot('play-track log')
  await consolePage.open('Overview')
  await page.getByRole('region', { name: 'Latest plays' }).getByText('Till 1').first().waitFor()
  await consolePage.screenshot('overview')
  await consolePage.open('Publications')
  await page.getByRole('link', { name: 'On air' }).click()
  await page.getByText('Ready on 1 of 1 device').waitFor()
  await consolePage.screenshot('publication held')
})

it('the browser complains of nothing on the way to the first play', () => {
  expect(complaints).toEqual([])
})

it('a new client loses no play, and has none twice, when the server is killed while the agent plays', async () => {
  await server.kill()
  const log = new AgentFixture(join(folder, 'agent'))
  const played = log.countPlays()
  await waitUntil('it plays on without the server', async () => log.countPlays() >= played + 2, 120)
  server = await startServer(port, join(folder, 'server'))
  const client = await signInOwner(server.url)
  const before = await comparePlays(client, deviceUid, join(folder, 'agent'))
  expect(before.logged).toBeGreaterThan(3)
  await waitUntil('what was played without the server has arrived', async () => {
    const seen = await comparePlays(client, deviceUid, join(folder, 'agent'))
    return seen.lost.length === 0 && seen.stored > before.logged
  })
  await consolePage.page.goto(`${server.url}/deployments/publications`)
  await consolePage.page.getByRole('link', { name: 'On air' }).click()
  await consolePage.clickButton('Deactivate')
  await consolePage.page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await consolePage.page.getByRole('button', { name: 'Activate', exact: true }).waitFor()
  await consolePage.screenshot('publication off')
  const seen = await waitForPlays(client, { uid: deviceUid, agentData: join(folder, 'agent') }, 8)
  expect(seen).toEqual({
    logged: seen.stored,
    stored: seen.logged,
    lost: [],
    duplicated: [],
    unknown: [],
    gaps: [],
  })
})
