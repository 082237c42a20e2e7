import { addGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist } from '@floorcast/contract/playlists.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, it, onTestFinished } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

/** The limit of a page beyond /login over the network, in bytes (docs/decisions/0237-cut-the-console-by-first-view.md). */
const maxScriptBytes = 120_000
const maxLoginBytes = 150_000
/** Each file costs a request and about 1.1 kB of headers. */
const maxScriptFiles = 50
/** Loaded when a chart or the map is shown. */
const charts = /\/(?:chart-canvas|installCanvasRenderer|world-map)[^/]*\.js$/
const quietMs = 600

const shop = testConsole({ hasServiceWorker: true })

/** The bytes of all scripts that a page fetches before anyone touches it. */
async function weigh(open: () => Promise<unknown>, page = shop.page): Promise<Map<string, number>> {
  const scripts = new Map<string, number>()
  let fetchedAt = Date.now()
  page.on('response', response => {
    if (response.request().resourceType() !== 'script') return
    fetchedAt = Date.now()
    scripts.set(new URL(response.url()).pathname, Number(response.headers()['content-length']))
  })
  await open()
  while (Date.now() - fetchedAt < quietMs) await page.waitForTimeout(100)
  page.removeAllListeners('response')
  return scripts
}

const weighLogin = () =>
  weigh(async () => {
    await shop.page.goto(`${shop.url}/login`)
    await shop.heading('Sign in to Floorcast')
  })

/** The scripts of /login are the same for each page. */
let ofLogin: Promise<Map<string, number>> | undefined

/** The scripts of a page that /login does not have. */
async function weighBeyondLogin(path: string) {
  const login = await (ofLogin ??= weighLogin())
  const page = await weigh(() => shop.visit(path))
  const added = [...page].filter(([file]) => !login.has(file) && !charts.test(file))
  return { bytes: added.reduce((sum, [, bytes]) => sum + bytes, 0), files: added.length }
}

const itemPaths = {
  melody: async () => {
    const [song] = await writeSongs(shop.folder, { count: 1, seconds: 3 })
    return `/media/melodiesOne/${await uploadFile(shop.client, 'melodies', song?.path ?? '')}`
  },
  device: () => Promise.resolve(`/equipments/devicesOne/${shop.deviceUid}`),
  log: () => Promise.resolve(`/security/playTrack/${shop.deviceUid}`),
  group: async () => {
    const { uid } = await shop.client.call(addGroup, {
      params: { contentType: 'audio' },
      body: { name: 'Garden shops' },
    })
    return `/equipments/groupsOne/${uid}`
  },
  playlist: async () => {
    const { uid } = await shop.client.call(addPlaylist, {
      params: { contentType: 'audio' },
      body: { name: 'Quiet morning' },
    })
    return `/media/playlistsOne/${uid}`
  },
}

it('/login weighs at most 150 kB of script', async () => {
  const login = await (ofLogin ??= weighLogin())
  const bytes = [...login.values()].reduce((sum, each) => sum + each, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(maxLoginBytes)
})

it.each([
  '/home/overview',
  '/equipments/devices',
  '/equipments/devicesImport',
  '/equipments/groups',
  '/media/melodies',
  '/media/playlists',
  '/media/wizard',
  '/deployments/publications',
  '/home/reports',
  '/alerts',
  '/security/users',
  '/security/proofKeys',
  '/pages/profile',
  '/updates/package',
  '/updates/packagePub',
  '/updates/files',
  '/updates/channels',
  '/trash/mediaTrash',
])('%s weighs at most 120 kB of script beyond /login', async path => {
  const { bytes, files } = await weighBeyondLogin(path)
  expect(bytes).toBeGreaterThan(40_000)
  expect(bytes).toBeLessThan(maxScriptBytes)
  expect(files).toBeLessThan(maxScriptFiles)
})

it.each(Object.entries(itemPaths))(
  'the page of a %s weighs at most 120 kB of script beyond /login',
  async (_, add) => {
    const { bytes, files } = await weighBeyondLogin(await add())
    expect(bytes).toBeGreaterThan(40_000)
    expect(bytes).toBeLessThan(maxScriptBytes)
    expect(files).toBeLessThan(maxScriptFiles)
  },
)

it('a page that comes below a pointer that lies still fetches no more than what it shows', async () => {
  const bare = await weigh(() => shop.visit('/home/overview'))
  const context = await shop.page
    .context()
    .browser()
    ?.newContext({
      storageState: await shop.context.storageState(),
      viewport: { width: 1440, height: 900 },
    })
  if (!context) throw new Error('There is no browser')
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const pointed = await weigh(async () => {
    await page.goto(`${shop.url}/home/overview`)
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.dispatchEvent('main', 'pointerover', { bubbles: true })
    await page.dispatchEvent('main', 'pointermove', { bubbles: true, movementX: 0, movementY: 0 })
  }, page)
  const added = [...pointed.keys()].filter(file => !bare.has(file) && !charts.test(file))
  expect(added).toEqual([])
  await page.mouse.move(700, 400)
  await page.mouse.move(720, 420)
  await page.waitForResponse(response => response.url().includes('/command-palette'))
})
