import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { mpvsOf } from '@floorcast/testing/agent-process.ts'
import {
  codeArea,
  makeCodedImage,
  readCorners,
  readFrame,
  turnCorners,
  type VideoColor,
} from '@floorcast/testing/coded-video.ts'
import type { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { addVideo, publishVideos, readScreen, SCREEN, videoTest } from '@floorcast/testing/video-device.ts'
import { measureJoins } from '@floorcast/testing/video-joins.ts'
import { decodePicture, type VirtualScreen } from '@floorcast/testing/virtual-screen.ts'
import { expect } from 'vitest'

/* The agent and mpv as they are, on a screen without a monitor: these tests look at its pixels. */

const untilLogo = (device: DeviceFixture, screen: VirtualScreen) =>
  device.until(async () => expect(readScreen(await screen.takePicture())).toBe('logo'))
const untilVideo = (device: DeviceFixture, screen: VirtualScreen, color: VideoColor) =>
  device.until(async () => expect(readScreen(await screen.takePicture())).toMatchObject({ color }))

videoTest.concurrent(
  'Videos follow one another on the whole screen, with nothing between them',
  async ({ device, screen }) => {
    publishVideos(device, [])
    device.agent.start(device.server.url, { display: screen.display })
    await untilLogo(device, screen)
    const videos = (['yellow', 'magenta'] as const).map(color => addVideo(device, { color, seconds: 2 }))
    publishVideos(device, videos)
    await untilVideo(device, screen, 'yellow')
    const recording = await screen.record(codeArea(SCREEN), 7)
    const shown = recording.map(picture => readFrame(picture))
    expect(shown.filter(frame => typeof frame === 'string')).toEqual([])
    const joins = measureJoins(shown, { length: 50, rate: 25 })
    expect(joins.length).toBeGreaterThanOrEqual(3)
    for (const { from, to } of joins) expect(new Set([from, to])).toEqual(new Set(['yellow', 'magenta']))
    expect(readCorners(await screen.takePicture())).toEqual(turnCorners(0))
  },
)

videoTest.concurrent(
  'An alert, silence and the death of mpv leave the logo, and the video comes back; a screenshot shows what the screen shows',
  async ({ device, screen }) => {
    const film = addVideo(device, { color: 'cyan', seconds: 2 })
    publishVideos(device, [film])
    const run = device.agent.start(device.server.url, { display: screen.display })
    await untilVideo(device, screen, 'cyan')
    const [alert] = [
      { uid: uidOf(7), kind: 'air' as const, beganAt: new Date().toISOString(), isDrill: false, file: null },
    ]
    publishVideos(device, [film], { alerts: [alert] })
    await untilLogo(device, screen)
    publishVideos(device, [film])
    await untilVideo(device, screen, 'cyan')
    for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
    await untilVideo(device, screen, 'cyan')
    publishVideos(device, [])
    await untilLogo(device, screen)
    for (const pid of await mpvsOf(run.pid)) process.kill(pid, 'SIGKILL')
    await device.until(async () => expect(readScreen(await screen.takePicture())).toBe('black'))
    await untilLogo(device, screen)
    device.server.send({ type: 'command', id: uidOf(9), command: 'screenshot' })
    await device.until(() => expect(device.server.commandFiles.has(uidOf(9))).toBe(true))
    const content = device.server.commandFiles.get(uidOf(9))?.content ?? Buffer.alloc(0)
    expect(readScreen(await decodePicture(content, SCREEN))).toBe('logo')
  },
)

videoTest.concurrent(
  'The operator’s picture stands in silence; the screen is turned and sized as the profile says, at once',
  async ({ device, screen }) => {
    const film = addVideo(device, { color: 'yellow', seconds: 4 })
    const show = (settings: { rotation?: number; resolution?: string }) =>
      publishVideos(device, [film], { settings: { ...defaultSettings, ...settings } })
    const corners = async (rotation: number) => readCorners(await screen.takePicture(), { rotation })
    const picture = join(device.agent.dataDir, 'shop.png')
    writeFileSync(picture, makeCodedImage('magenta'))
    publishVideos(device, [])
    device.agent.start(device.server.url, { display: screen.display, args: ['--picture', picture] })
    await untilVideo(device, screen, 'magenta')
    for (const rotation of [90, 180, 270]) {
      show({ rotation })
      await device.until(async () => expect(await corners(rotation)).toEqual(turnCorners(rotation)))
    }
    show({ resolution: '320x180' })
    await device.until(async () => {
      const shown = await screen.takePicture()
      expect(readCorners(shown.crop({ x: 0, y: 0, width: 320, height: 180 }))).toEqual(turnCorners(0))
      expect(shown.at(480, 90)).toEqual([0, 0, 0])
    })
  },
)

videoTest.concurrent('A damaged video is skipped, and the others play on', async ({ device, screen }) => {
  const [good, bad] = (['yellow', 'magenta'] as const).map(color => addVideo(device, { color, seconds: 2 }))
  if (!good || !bad) throw new Error('no videos')
  publishVideos(device, [good, bad])
  const first = device.agent.start(device.server.url, { display: screen.display })
  await untilVideo(device, screen, 'magenta')
  await first.kill('SIGTERM')
  const path = join(device.agent.dataDir, 'media', bad.sha256)
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0x55, 1000))
  device.server.faults.set(
    bad.sha256,
    Array.from({ length: 20 }, () => 'refuse' as const),
  )
  device.agent.start(device.server.url, { display: screen.display })
  // mpv may find the fault only after it has begun.
  const isSkipped = () => device.played().some(play => play.result === 'failed' || play.why === 'short-file')
  await device.until(() => expect(isSkipped()).toBe(true))
  await untilVideo(device, screen, 'yellow')
  const shown = (await screen.record(codeArea(SCREEN), 4)).map(picture => readFrame(picture))
  expect(shown.filter(frame => typeof frame !== 'string').length).toBeGreaterThan(200)
})
