import { join } from 'node:path'
import { endSession } from '@floorcast/contract/auth.ts'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { listDeviceLog, readDevice } from '@floorcast/contract/devices.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { replacePublicationPlaylist } from '@floorcast/contract/publications.ts'
import { editUser, listUsers } from '@floorcast/contract/users.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import {
  addPictures,
  inviteReader,
  publishToDevice,
  type PublishedDevice,
  uploadFile,
} from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { type Program, startAgent, waitUntil } from './processes.ts'
import { StreamingPage } from './streaming-page.ts'

const SONG_SECONDS = 10
const shop = testConsole()
let published: PublishedDevice
/** In no playlist yet. */
let otherSong: string
let agent: Program | undefined
/** The page's requests to the server. */
let requests: string[]

const readCard = () => shop.client.call(readDevice, { params: { id: published.deviceUid } })

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 4, seconds: SONG_SECONDS })
  published = await publishToDevice(shop.client, songs.slice(1))
  await addPictures(shop.client, imageFixtures[0].path)
  otherSong = songs[0]?.path ?? ''
  agent = startAgent(shop.url, published.licenseKey, join(shop.folder, 'agent'))
  await waitUntil('the agent plays', async () => (await readCard()).nowPlaying !== null)
})
afterAll(() => agent?.stop())

beforeEach(() => {
  requests = []
  shop.page.on('request', request => requests.push(new URL(request.url()).pathname))
  shop.page.on('websocket', socket => requests.push(new URL(socket.url()).pathname))
})

const listenTo = async (deviceUid: string, as = shop.client) => {
  await shop.visit(`/home/streaming/${deviceUid}`, as)
  return new StreamingPage(shop.page)
}

/** The page's track, and by how many seconds it is ahead of the device; null while they play different tracks. */
async function compareToDevice(page: StreamingPage) {
  const heard = await page.heard()
  const { nowPlaying } = await readCard()
  if (!heard || heard.name !== nowPlaying?.name) return null
  const place = (heard.at - Date.parse(nowPlaying.startedAt)) / 1000 + nowPlaying.offsetSeconds
  return { name: heard.name, startedAt: nowPlaying.startedAt, place, aheadSeconds: heard.elapsed - place }
}

it('plays what the device plays, at its place, from its card, and reports nothing', async () => {
  const complaints = collectComplaints(shop.page)
  await shop.visit(`/equipments/devicesOne/${published.deviceUid}`)
  await shop.page.getByRole('link', { name: 'Listen in' }).click()
  const page = new StreamingPage(shop.page)
  await page.waitForSound()
  // An agent that has just started is inside its first track, whose beginning its report does not tell.
  const first = (await readCard()).nowPlaying?.startedAt
  const seen = new Map<string, number>()
  await waitUntil('three tracks', async () => {
    const found = await compareToDevice(page)
    if (found && found.startedAt !== first && ((await page.elapsed()) ?? 0) > 2)
      seen.set(found.startedAt, found.aheadSeconds)
    return seen.size >= 3
  })
  for (const aheadSeconds of seen.values()) expect(Math.abs(aheadSeconds)).toBeLessThan(1)
  await shop.page.getByText(/^Device plays: song-/).waitFor()
  await page.waitForPicture()
  expect(await page.level()).toBeGreaterThan(0.01)
  const params = { id: published.deviceUid, kind: 'playtrack' } as const
  const { items } = await shop.client.call(listDeviceLog, { params, query: { size: 100 } })
  expect(new Set(items.map(({ plannedTime }) => plannedTime)).size).toBe(items.length)
  const card = await readCard()
  expect([card.connectivity, card.gaps, card.programVersion?.includes('browser')]).toEqual([
    'online',
    [],
    false,
  ])
  const ofDevices = requests.filter(path => /\/(iplay|heartbeat|streaming\/session)/.test(path))
  expect(ofDevices.filter(path => !path.startsWith('/home/'))).toEqual([])
  expect(await findAxeViolations(shop.page)).toEqual([])
  const shots = new ConsolePage(shop.page, 'listening')
  await shots.screenshot('playing')
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shots.screenshot('playing narrow')
  expect([await measureOverflow(shop.page), complaints]).toEqual([0, []])
})

it('follows the device to another playlist, when the device changes', async () => {
  const page = await listenTo(published.deviceUid)
  await page.waitForSound()
  const { call } = shop.client
  const body = { name: 'Evening mix' }
  const { uid: playlistUid = '' } = await call(addPlaylist, { params: { contentType: 'audio' }, body })
  const track = await uploadFile(shop.client, 'melodies', otherSong)
  await call(addTrack, { params: { track, playlist: playlistUid } })
  await call(changePlaylistState, { params: { id: playlistUid }, query: {} })
  const params = { uid: published.publicationUid }
  await call(replacePublicationPlaylist, { params, query: {}, body: { playlistUid } })
  await shop.page.getByText('Evening mix').waitFor()
  await waitUntil('the same track', async () => (await compareToDevice(page)) !== null)
  // The device joins the new playlist in its middle.
  const joined = (await compareToDevice(page))?.startedAt
  let aheadSeconds = Infinity
  await waitUntil('the next track', async () => {
    const found = await compareToDevice(page)
    // Both are past the beginning: the tracks before and after it have one name.
    if (found && found.startedAt !== joined && Math.min(found.place, found.place + found.aheadSeconds) > 2)
      ({ aheadSeconds } = found)
    return aheadSeconds < Infinity
  })
  expect(Math.abs(aheadSeconds)).toBeLessThan(1)
})

it('hears an alert of the device', async () => {
  const page = await listenTo(published.deviceUid)
  await page.waitForSound()
  const params = { uid: published.deviceUid, alerttype: 'air' } as const
  await shop.client.call(beginAlert, { params, query: {} })
  await shop.page.getByRole('heading', { name: 'Alert' }).waitFor()
  await shop.client.call(endAlert, { params })
  await page.waitForSound()
})

it('says why nothing is to be heard, and plays what a device should be playing that was never up', async () => {
  const page = await listenTo(shop.deviceUid)
  await shop.page.getByText(/there is no broadcast now: no publication/).waitFor()
  await shop.page.getByRole('heading', { name: 'Bakery Lane 4' }).waitFor()
  const shots = new ConsolePage(shop.page, 'listening-others')
  await shots.screenshot('silent')
  const { group } = await readCard()
  const params = { device: shop.deviceUid, group: group?.uid ?? '' }
  await shop.client.call(addToGroup, { params })
  await page.waitForSound()
  await shop.page.getByText('The device has never connected. You hear what it should be playing.').waitFor()
  await shots.screenshot('never connected')
})

/** The media elements of the page, which are not all in the document. */
const isSilent = () =>
  shop.page.evaluate(() =>
    (window as unknown as { played: HTMLMediaElement[] }).played.every(one => one.paused),
  )
const rememberElements = () =>
  shop.page.addInitScript(() => {
    const played: HTMLMediaElement[] = []
    Object.assign(window, { played })
    const play = Object.getOwnPropertyDescriptor(HTMLMediaElement.prototype, 'play')
      ?.value as () => Promise<void>
    HTMLMediaElement.prototype.play = function () {
      played.push(this)
      return play.call(this)
    }
  })

it('ends when the listener leaves the page, loses the right, or is signed out', async () => {
  await rememberElements()
  const listener = await inviteReader(shop.client)
  const page = await listenTo(published.deviceUid, listener)
  await page.waitForSound()
  await shop.page.getByRole('link', { name: 'Back to the device' }).click()
  await shop.heading('Till 1')
  await expect.poll(isSilent).toBe(true)
  await shop.page.getByRole('link', { name: 'Listen in' }).click()
  await page.waitForSound()
  const { items } = await shop.client.call(listUsers, { query: {} })
  const { uid = '' } = items.find(({ email }) => email === listener.email) ?? {}
  await shop.client.call(editUser, {
    body: { uid, role: 'streamer', linkedDeviceUid: published.deviceUid },
  })
  await shop.page.getByRole('heading', { name: 'You may no longer listen in' }).waitFor()
  await expect.poll(isSilent).toBe(true)
  await shop.client.call(editUser, { body: { uid, role: 'manager' } })
  await shop.page.reload()
  await page.waitForSound()
  await listener.call(endSession, {})
  await shop.page.waitForURL('**/login**')
  await expect.poll(isSilent).toBe(true)
})
