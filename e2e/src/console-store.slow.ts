import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { imageFixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong, writeSongs } from '@floorcast/testing/media-song.ts'
import { makeBucket, settingsOf, startS3rver, startStoreFront } from '@floorcast/testing/s3-stores.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import {
  addPictures,
  inviteStreamer,
  publishToDevice,
  type PublishedDevice,
  type SignedInClient,
  uploadFile,
} from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { StreamingPage } from './streaming-page.ts'

const s3 = await startS3rver()
const bucket = await makeBucket(s3, 'floor-files')
const front = await startStoreFront(s3)

const shop = testConsole({
  settings: () => ({
    ...settingsOf(s3, bucket),
    S3_REDIRECT: 'yes',
    S3_PUBLIC_ENDPOINT: front.endpoint,
  }),
})

let streamer: SignedInClient
let published: PublishedDevice

beforeAll(async () => {
  published = await publishToDevice(shop.client, await writeSongs(shop.folder, { count: 2, seconds: 4 }))
  streamer = await inviteStreamer(shop.client, published.deviceUid)
})

beforeEach(() => {
  front.origins.clear()
  front.sent.length = 0
})

it('shows pictures and plays sounds from the store, also where pages may not read there, and draws waves and frames', async () => {
  const song = join(shop.folder, 'Evening.mp3')
  await writeFile(song, makeSong({ notes: [0, 4, 7], seconds: 3 }))
  const uid = await uploadFile(shop.client, 'melodies', song)
  await addPictures(shop.client, imageFixtures[1].path)
  const complaints = collectComplaints(shop.page)
  await shop.signIn(`/media/melodiesOne/${uid}`)
  await shop.page.waitForFunction(() => (document.querySelector('audio')?.readyState ?? 0) >= 1)
  await shop.page.waitForFunction(() =>
    [...document.images].some(({ src, naturalWidth }) => src.includes('ticket=') && naturalWidth > 0),
  )
  // The waveform is drawn of bytes that the page reads.
  await shop.page.locator('[data-drawn]').waitFor()
  expect(front.sent.length).toBeGreaterThanOrEqual(2)
  const video = await uploadFile(shop.client, 'videos', mp4Fixtures.faststart.path)
  await shop.visit(`/media/videosOne/${video}`)
  await shop.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await shop.page.getByRole('button', { name: 'Use this frame as the poster' }).click()
  await shop.page.waitForFunction(() => document.querySelector('video')?.poster)
  expect(complaints).toEqual([])
})

/** A streamer's page that has stored nothing plays, and has all files. */
async function playEverything(): Promise<void> {
  await shop.visit(`/home/streaming/${published.deviceUid}`, streamer)
  await new StreamingPage(shop.page).waitForSound()
  await shop.page.getByText('All files stored in this browser').waitFor()
}
const readFaults = async () => {
  const params = { id: published.deviceUid, kind: 'debug' } as const
  const { items } = await shop.client.call(listDeviceLog, { params, query: {} })
  return items.filter(item => JSON.stringify(item).includes('store-not-reached'))
}

it('plays on the page of a streamer from the store, without its token, where pages may read there', async () => {
  front.origins.add(shop.url)
  const complaints = collectComplaints(shop.page)
  await playEverything()
  expect(front.sent.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  expect([await readFaults(), complaints]).toEqual([[], []])
})

it('plays on the page of a streamer from the server where pages may not read from the store, and says so in its log', async () => {
  await playEverything()
  await expect.poll(readFaults, { timeout: 60_000 }).not.toEqual([])
  expect(JSON.stringify(await readFaults())).toContain(`does its CORS let ${shop.url} read?`)
})
