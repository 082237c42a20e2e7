import type { ManifestFile, ManifestItem } from '@floorcast/contract/manifest.ts'
import { makeCodedVideo, nameColor, readFrame, type ShownFrame, type VideoColor } from './coded-video.ts'
import { type DeviceFixture, deviceTest } from './device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from './manifest-arbitrary.ts'
import { hasVirtualScreens, type Picture, VirtualScreen } from './virtual-screen.ts'

export const SCREEN = { width: 640, height: 360 }

/** A test with a `device` and its `screen`, for a device's `start` by the screen's `display`. It is skipped where no Xvfb is. */
export const videoTest = deviceTest.extend('screen', async ({ onTestFinished, skip }) => {
  if (!hasVirtualScreens()) skip('Xvfb is missing (Debian package xvfb)')
  const screen = await VirtualScreen.start(SCREEN)
  onTestFinished(() => screen.stop())
  return screen
})

const numbers = { yellow: 1, magenta: 2, cyan: 3 } as const satisfies Record<VideoColor, number>

/** A video whose name is its color. */
export function addVideo(
  device: DeviceFixture,
  video: Parameters<typeof makeCodedVideo>[0],
  part: Partial<ManifestFile> = {},
): ManifestFile {
  const { color, seconds } = video
  const bytes = makeCodedVideo(video)
  return device.addFile(numbers[color], bytes, {
    name: color,
    contentType: 'videos',
    durationSeconds: seconds,
    ...part,
  })
}

type Part = NonNullable<Parameters<DeviceFixture['publishAll']>[2]>

/** Publishes files to a video device, to be played in a loop from now on; no files: nothing is published. */
export function publishVideos(
  device: DeviceFixture,
  files: ManifestFile[],
  { crossfadeSeconds = 0, ...part }: Part & { crossfadeSeconds?: number } = {},
): void {
  const items: ManifestItem[] = files.map((_, index) => makeItem(index))
  const playlist = makePlaylist(items, { kind: 'video', crossfadeSeconds })
  const activatedAt = new Date().toISOString()
  const publications = files.length > 0 ? [makePublication(playlist, { uid: uidOf(600), activatedAt })] : []
  device.publishAll(files, publications, { device: { kind: 'video' }, ...part })
}

const isTeal = ([red, green, blue]: readonly [number, number, number]) =>
  red < 60 && Math.abs(green - 118) < 30 && Math.abs(blue - 146) < 30

/** Reads the screen: a frame of a video, `logo`, `black` or `other`. */
export function readScreen(picture: Picture): ShownFrame | 'logo' {
  const [x, y] = [picture.width / 2, picture.height / 2]
  const isLogo = isTeal(picture.at(x, y + 0.08 * picture.height)) && nameColor(picture.at(x, y)) === 'white'
  return isLogo && nameColor(picture.at(5, 5)) === 'black' ? 'logo' : readFrame(picture)
}
