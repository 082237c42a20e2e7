import { collectComplaints } from '@floorcast/testing/browser.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { beforeAll, expect, it } from 'vitest'
import { inviteStreamer, publishFiles, type PublishedDevice, type SignedInClient } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'
import { waitUntil } from './processes.ts'
import { StreamingPage } from './streaming-page.ts'

const shop = testConsole({ hasServiceWorker: true })
let published: PublishedDevice
let streamer: SignedInClient

beforeAll(async () => {
  const { faststart, fragmented } = mp4Fixtures
  published = await publishFiles(
    shop.client,
    'video',
    [faststart, fragmented].map(({ path }) => ({ type: 'videos', path }) as const),
  )
  streamer = await inviteStreamer(shop.client, published.deviceUid)
})

/** Reads the visible video: its width, how bright its brightest point is, and how much of its sound is decoded. */
const seePicture = () =>
  shop.page.evaluate(() => {
    const seen = [...document.querySelectorAll('video')].find(
      video => getComputedStyle(video).visibility === 'visible' && !video.paused,
    )
    if (!seen) return null
    const canvas = new OffscreenCanvas(32, 18)
    const context = canvas.getContext('2d')
    context?.drawImage(seen, 0, 0, 32, 18)
    const { data } = context?.getImageData(0, 0, 32, 18) ?? { data: new Uint8ClampedArray() }
    const points = [...data].filter((_, index) => index % 4 !== 3)
    const { width } = seen.getBoundingClientRect()
    const { webkitAudioDecodedByteCount: soundBytes } = seen as unknown as Record<string, number>
    return { source: seen.src, width, soundBytes, brightest: Math.max(...points) }
  })

async function expectPictures(): Promise<void> {
  const page = new StreamingPage(shop.page)
  await waitUntil('the media clock', async () => ((await page.elapsed()) ?? 0) > 0)
  const sources = new Set<string>()
  await waitUntil('two videos', async () => {
    const picture = await seePicture()
    if (picture && picture.brightest > 50 && picture.width > 200 && (picture.soundBytes ?? 0) > 0)
      sources.add(picture.source)
    return sources.size >= 2
  })
}

it('a streamer’s page shows the videos of its device, one after the other, with their sound', async () => {
  const complaints = collectComplaints(shop.page)
  await shop.visit(`/home/streaming/${published.deviceUid}`, streamer)
  await expectPictures()
  await shop.page.getByText('All files stored in this browser').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await new ConsolePage(shop.page, 'streaming-video').screenshot('playing')
  expect(complaints).toEqual([])
})

it('a listener sees what a video device plays', async () => {
  await shop.visit(`/home/streaming/${published.deviceUid}`)
  await expectPictures()
  await new ConsolePage(shop.page, 'streaming-video').screenshot('listening')
})
