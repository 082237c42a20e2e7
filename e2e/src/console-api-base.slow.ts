import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editDevice } from '@floorcast/contract/devices.ts'
import { listMedia, readMedia } from '@floorcast/contract/media.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong, writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { inviteStreamer, publishToDevice, uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { startPathProxy } from './path-proxy.ts'
import { startServer } from './processes.ts'
import { StreamingPage } from './streaming-page.ts'

const PATH = '/floor'
const [apiPort, serverPort] = [await freePort(), await freePort()]
const api = `http://127.0.0.1:${apiPort}`
/** The console's own files and its settings. */
const ofConsole =
  /^\/(?:$|login$|home\/|media\/|equipments\/|security\/|assets\/|icons\/|(?:boot|sw)\.js$|(?:config|build)\.json$|favicon|manifest)/

const shop = testConsole({ settings: () => ({ API_URL: `${api}${PATH}` }) })

let complaints: string[] = []
let calls = 0
let elsewhere: string[] = []

beforeAll(async () => {
  const server = await startServer(serverPort, shop.dataFolder, {
    DATABASE_URL: shop.databaseUrl,
    CONSOLE_ORIGINS: shop.url,
  })
  atTheEnd(() => server.stop())
  await startPathProxy(apiPort, PATH, serverPort)
})

beforeEach(() => {
  complaints = collectComplaints(shop.page)
  calls = 0
  elsewhere = []
  const note = (address: string, isPage: boolean) => {
    const { protocol, origin, host, pathname } = new URL(address)
    if (protocol === 'blob:' || protocol === 'data:') return
    const isOfApi = (origin === api || `http://${host}` === api) && pathname.startsWith(`${PATH}/`)
    if (isOfApi) calls += 1
    else if (origin !== shop.url || !(isPage || ofConsole.test(pathname))) elsewhere.push(address)
    else if (!isPage && /^\/(?:media|home|equipments|security)\//.test(pathname)) elsewhere.push(address)
  }
  shop.page.on('request', request => note(request.url(), request.isNavigationRequest()))
  shop.page.on('websocket', socket => note(socket.url(), false))
})

/** Every call went to the API's address, and the browser forbade none. */
function expectOnlyThere(): void {
  expect(elsewhere).toEqual([])
  expect(calls).toBeGreaterThan(0)
  expect(complaints).toEqual([])
}

async function choose(button: string, path: string): Promise<void> {
  const dialog = shop.page.waitForEvent('filechooser')
  await shop.page.getByRole('button', { name: button, exact: true }).click()
  await (await dialog).setFiles(path)
}

it('signs in, uploads, and follows what others change', async () => {
  const song = join(shop.folder, 'Evening.mp3')
  await writeFile(song, makeSong({ notes: [0, 4, 7], seconds: 3 }))
  await shop.signIn('/media/melodies')
  await choose('Upload melodies', song)
  await shop.page.getByRole('link', { name: 'Evening' }).click()
  await shop.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1)
  const { items } = await shop.client.call(listMedia, { params: { contentType: 'melodies' }, query: {} })
  expect(items).toMatchObject([{ name: 'Evening' }])

  // A change by another server reaches the open page; its first answer comes from where the last page called.
  await shop.page.goto(`${shop.url}/equipments/devices`)
  await shop.page.getByRole('link', { name: 'Bakery Lane 4' }).waitFor()
  await shop.client.call(editDevice, { body: { uid: shop.deviceUid, name: 'Bakery Lane 5' } })
  await shop.page.getByRole('link', { name: 'Bakery Lane 5' }).waitFor()
  expectOnlyThere()
})

it('downloads a report', async () => {
  await shop.visit('/home/reports?report=tags&format=csv')
  const [download] = await Promise.all([
    shop.page.waitForEvent('download'),
    shop.page.getByRole('button', { name: 'Download', exact: true }).click(),
  ])
  expect(await readFile(await download.path(), 'utf8')).toContain('Bakery Lane 5')
  expect(download.suggestedFilename()).toMatch(/\.csv$/)
  expectOnlyThere()
})

it('shows logs, and takes a frame of a video', async () => {
  await shop.visit(`/security/heartBeat/${shop.deviceUid}`)
  await shop.page.getByText('No heartbeats yet').waitFor()
  const uid = await uploadFile(shop.client, 'videos', mp4Fixtures.faststart.path)
  await shop.visit(`/media/videosOne/${uid}`)
  await shop.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await shop.page.getByRole('button', { name: 'Use this frame as the poster' }).click()
  await shop.page.waitForFunction(() => document.querySelector('video')?.poster)
  const params = { contentType: 'videos', uid } as const
  expect(await shop.client.call(readMedia, { params })).toMatchObject({ hasPreview: true })
  expectOnlyThere()
})

it('plays on the page of a streamer, over its channel', async () => {
  const songs = await writeSongs(shop.folder, { count: 2, seconds: 4 })
  const { deviceUid } = await publishToDevice(shop.client, songs)
  await shop.visit(`/home/streaming/${deviceUid}`, await inviteStreamer(shop.client, deviceUid))
  await new StreamingPage(shop.page).waitForSound()
  await shop.page.getByText('Online', { exact: true }).waitFor()
  expectOnlyThere()
})
