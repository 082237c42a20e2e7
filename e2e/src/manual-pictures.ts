import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { readSession } from '@floorcast/contract/auth.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { addDevice, listDevices } from '@floorcast/contract/devices.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { deleteMedia, listMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { locales, type Locale } from '@floorcast/contract/locales.ts'
import { sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import type { Page } from 'playwright-core'
import { createdUid, signInUser, type SignedInClient, uploadFile } from './client-fixture.ts'
import { waitUntilStill } from './page-checks.ts'
import { type RunningServer, startDemonstration, waitUntil } from './processes.ts'

/*
 * Takes the pictures of the manual on a demonstration, into docs/manual/{lang}/pictures, and with English those of the README:
 * `npm run screenshots -- --lang de`.
 * The arguments are the codes of the languages; MANUAL_PICTURES names pictures of the manual that alone are taken.
 */
const named = process.env['MANUAL_PICTURES']?.split(',')
const isWanted = (name: string) => named?.includes(name) ?? true

interface Things {
  device: string
  newDevice: string
  group: string
  playlist: string
  ad: string
}

/** Adds what a demonstration lacks for the pages: a new device, a list that is edited, users, packages, tags, deleted media. */
async function prepare(
  client: SignedInClient,
  { folder, password }: { folder: string; password: string },
): Promise<Things> {
  const { call } = client
  const params = { contentType: 'audio' } as const
  const playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Spring mix' } }))
  const songs = (await call(listMedia, { params: { contentType: 'melodies' }, query: { sort: 'name' } }))
    .items
  const ads = (await call(listMedia, { params: { contentType: 'ads' }, query: { sort: 'name' } })).items
  for (const track of [songs[0], songs[1], ads[0], songs[2], songs[3]])
    if (track) await call(addTrack, { params: { track: track.uid, playlist } })
  const newDevice = createdUid(
    await call(addDevice, { params, body: { name: 'Nantes Crébillon', storeNumber: '118' } }),
  )
  const device = (await call(listDevices, { query: { search: 'Lyon' } })).items[0]?.uid ?? ''
  for (const [key, value] of [
    ['city', 'Lyon'],
    ['country', 'France'],
    ['timeZone', 'Europe/Paris'],
    ['audience', '120'],
    ['volume', '65'],
  ] as const)
    await call(addTag, { params: { contentType: 'device', uid: device }, body: { key, value } })
  const groups = (await call(listGroups, { params: { x: 'all' } })).items
  const group = groups.find(({ name }) => name === 'High street shops')?.uid ?? ''
  for (const body of [
    { email: 'marta.silva@example.com', role: 'manager', firstName: 'Marta', lastName: 'Silva' },
    {
      email: 'jonas.weber@example.com',
      role: 'admin',
      firstName: 'Jonas',
      lastName: 'Weber',
      password,
    },
    { email: 'window.lyon@example.com', role: 'streamer', linkedDeviceUid: device },
  ] as const)
    await call(inviteUser, { body })
  const old = join(folder, 'Winter sale.mp3')
  await writeFile(old, makeSong({ notes: [5, 1, 6], seconds: 4 }))
  const uid = await uploadFile(client, 'ads', old)
  await call(deleteMedia, { params: { contentType: 'ads' }, body: { uid } })
  return { device, newDevice, group, playlist, ad: ads[0]?.uid ?? '' }
}

/** The address of each picture, and its height. */
const picturesOf = ({ device, newDevice, group, playlist, ad }: Things) =>
  ({
    overview: ['/home/overview', 900],
    media: ['/media/melodies', 620],
    playlist: [`/media/playlistsOne/${playlist}`, 900],
    device: [`/equipments/devicesOne/${device}`, 900],
    'device-new': [`/equipments/devicesOne/${newDevice}`, 750],
    devices: ['/equipments/devices', 820],
    group: [`/equipments/groupsOne/${group}`, 820],
    publish: [`/media/playlistsOne/${playlist}?publish=playlist:${playlist}.device:${newDevice}`, 820],
    reports: ['/home/reports?report=r2', 820],
    proof: [`/media/adsOne/${ad}?tab=delivery`, 820],
    tags: [`/security/tags?device=${device}`, 900],
    packages: ['/updates/package', 560],
    users: ['/security/users', 560],
    'recycle-bin': ['/trash/mediaTrash', 560],
    listening: [`/home/streaming/${device}`, 620],
  }) as const

/** A picture of few colors: those of the console. */
async function takePicture(page: Page, path: string): Promise<void> {
  const full = `${path}.full.png`
  await page.screenshot({ path: full })
  const palette =
    '[0:v]split[a][b];[a]palettegen=max_colors=96:stats_mode=single[p];[b][p]paletteuse=dither=none'
  const { status, stderr } = spawnSync('ffmpeg', [
    '-y',
    '-v',
    'error',
    '-i',
    full,
    '-filter_complex',
    palette,
    path,
  ])
  await rm(full)
  if (status !== 0) throw new Error(`ffmpeg could not write ${path}: ${String(stderr)}`)
}

/** The wizard's first and last step. */
async function takeWizard(
  page: Page,
  { url, folder, locale }: { url: string; folder: string; locale: Locale },
) {
  const words = readCatalogue(`packages/locales/catalogues/${locale.code}`)
  const text = (key: string) => words.get(key) ?? key
  const button = (key: string) => page.getByRole('button', { name: text(key), exact: true })
  await page.setViewportSize({ width: 1200, height: 620 })
  await page.goto(`${url}/media/wizard`)
  await waitUntilStill(page)
  await page
    .getByRole('button', { name: new RegExp(`^${text('kinds.audio')}|^${text('common:kinds.audio')}`) })
    .first()
    .click()
  await page.getByText(text('wizard:hours.set'), { exact: true }).click()
  await page.getByRole('combobox').first().fill('09:00')
  await page.getByRole('combobox').nth(1).fill('20:00')
  await page.keyboard.press('Tab')
  await waitUntilStill(page)
  await takePicture(page, join(folder, 'wizard-hours.png'))
  const selectAll = new RegExp(
    text('wizard:selectAll')
      .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
      .replace(/\\\{\\\{size\\\}\\\}/, '.*'),
  )
  for (const list of ['wizard:chosen.ad', 'wizard:chosen.melody']) {
    await button('wizard:next').click()
    await page.getByRole('button', { name: selectAll }).click()
    await page.getByRole('list', { name: text(list) }).waitFor()
  }
  await button('wizard:next').click()
  await page.setViewportSize({ width: 1200, height: 1250 })
  await page.locator('canvas').first().waitFor()
  await waitUntilStill(page)
  await takePicture(page, join(folder, 'wizard-check.png'))
}

/** A drill that most devices sound. */
async function takeAlert(
  page: Page,
  { client, url, folder, group }: { client: SignedInClient; url: string; folder: string; group: string },
) {
  const params = { uid: group, alerttype: 'air' } as const
  const { uid } = await client.call(beginAlert, { params, query: { drill: '1' } })
  await page.setViewportSize({ width: 1200, height: 820 })
  const sounded = async () => (await client.call(listAlerts, {})).items[0]?.soundedCount ?? 0
  await waitUntil('most devices sound the drill', async () => (await sounded()) >= 12, 60)
  await page.goto(`${url}/alerts/${uid}`)
  await waitUntilStill(page)
  await takePicture(page, join(folder, 'alert.png'))
  await client.call(endAlert, { params })
}

interface Server {
  server: RunningServer
  client: SignedInClient
  things: Things
}

/** A signed-in page of the console. */
async function openPage(
  { server, client }: Server,
  { locale, width, mode = 'light' }: { locale: Locale; width: number; mode?: 'light' | 'dark' },
) {
  const browser = await sharedBrowser()
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    locale: locale.tag,
    timezoneId: 'Europe/Paris',
    reducedMotion: 'reduce',
  })
  await context.addInitScript(
    entries => {
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value)
    },
    {
      'floorcast.user': JSON.stringify(await client.call(readSession, {})),
      'floorcast.token': client.token,
      'floorcast.language': locale.code,
      'floorcast.personalization': JSON.stringify({ mode }),
    },
  )
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const open = async (address: string) => {
    await page.goto(server.url + address)
    await waitUntilStill(page)
    // Panels that load later than their page show skeletons first.
    await page.waitForFunction(() => document.querySelector('main .mantine-Skeleton-root') === null)
    await page.waitForTimeout(300)
  }
  return { page, open, close: () => context.close() }
}

async function takeLanguage(locale: Locale, on: Server) {
  const { server, client, things } = on
  const folder = join('docs/manual', locale.code, 'pictures')
  await mkdir(folder, { recursive: true })
  const { page, open, close } = await openPage(on, { locale, width: 1200 })
  for (const [name, [address, height]] of Object.entries(picturesOf(things))) {
    if (!isWanted(name)) continue
    await page.setViewportSize({ width: 1200, height })
    await open(address)
    await takePicture(page, join(folder, `${name}.png`))
    if (locale.code === 'en') texts[name] = await readTexts(page)
  }
  if (isWanted('wizard')) await takeWizard(page, { url: server.url, folder, locale })
  if (isWanted('alert')) await takeAlert(page, { client, url: server.url, folder, group: things.group })
  await close()
}

/** The English texts of the catalogue that each picture shows. `tools/docs.test.ts` compares them with those of today. */
const texts: Record<string, string[]> = {}
const README_FOLDER = 'docs/manual/pictures'

async function readTexts(page: Page): Promise<string[]> {
  const words = new Set(readCatalogue('packages/locales/catalogues/en').values())
  const shown = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found = new Set<string>()
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      const box = parentElement?.getBoundingClientRect()
      if (parentElement?.checkVisibility() && box && box.height > 1 && box.top < innerHeight)
        found.add((textContent ?? '').trim())
    }
    return [...found]
  })
  return shown.filter(text => words.has(text)).toSorted((one, other) => (one < other ? -1 : 1))
}

/** The pictures of the README. */
async function takeReadme(on: Server) {
  const { playlist, device } = on.things
  const pictures = {
    dashboard: ['/home/overview', 'en', 'light'],
    playlist: [`/media/playlistsOne/${playlist}`, 'en', 'light'],
    device: [`/equipments/devicesOne/${device}`, 'en', 'light'],
    'devices-arabic-dark': ['/equipments/devices', 'ar', 'dark'],
  } as const
  for (const [name, [address, code, mode]] of Object.entries(pictures)) {
    const locale = locales.find(one => one.code === code)
    if (!locale) continue
    const { page, open, close } = await openPage(on, { locale, width: 1440, mode })
    await open(address)
    await takePicture(page, join(README_FOLDER, `${name}.png`))
    if (code === 'en') texts[`README ${name}`] = await readTexts(page)
    await close()
  }
  await writeFile(join(README_FOLDER, 'texts.json'), `${JSON.stringify(texts, null, 2)}\n`)
}

const folder = await mkdtemp(join(tmpdir(), 'floorcast-pictures-'))
const server = await startDemonstration(await freePort(), join(folder, 'server'), { LOG_LEVEL: 'warn' })
try {
  const readAccount = () => /Sign in as (\S+) with the password (\S+)/.exec(server.output.join(''))
  await waitUntil('the demonstration is filled', async () => readAccount() !== null, 240)
  const [, email = '', password = ''] = readAccount() ?? []
  const client = await signInUser(server.url, { email, password })
  const isPlaying = async () => (await client.call(readQuickMetrics, {})).devices.playing >= 15
  await waitUntil('the shops play', isPlaying, 240)
  const things = await prepare(client, { folder, password })
  for (const locale of locales.filter(({ code }) => process.argv.slice(2).includes(code))) {
    console.log(`Pictures of the manual in ${locale.name} …`)
    await takeLanguage(locale, { server, client, things })
    if (locale.code === 'en' && !named) await takeReadme({ server, client, things })
  }
} finally {
  await (await sharedBrowser()).close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
}
