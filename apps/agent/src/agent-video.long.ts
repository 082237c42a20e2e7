import { defaultSettings } from '@floorcast/contract/manifest.ts'
import {
  codeArea,
  readCorners,
  readFrame,
  turnCorners,
  type VideoColor,
} from '@floorcast/testing/coded-video.ts'
import type { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { addVideo, publishVideos, readScreen, SCREEN, videoTest } from '@floorcast/testing/video-device.ts'
import { describeJoins, measureJoins, medianOf } from '@floorcast/testing/video-joins.ts'
import type { VirtualScreen } from '@floorcast/testing/virtual-screen.ts'
import { expect } from 'vitest'

/* The forms of videos and screens, and their joins frame by frame. They need a machine without other load. */

const untilScreen = (screen: VirtualScreen, device: DeviceFixture, claim: object | string) =>
  device.until(async () => {
    const shown = readScreen(await screen.takePicture())
    if (typeof claim === 'string') expect(shown).toBe(claim)
    else expect(shown).toMatchObject(claim)
  })

for (const form of ['landscape', 'portrait'] as const)
  for (const rotation of [0, 90, 180, 270])
    videoTest(
      `A ${form} video turned by ${rotation} degrees fills the screen as far as it can`,
      async ({ device, screen }) => {
        const film = addVideo(device, { color: 'cyan', seconds: 4, form })
        publishVideos(device, [film], { settings: { ...defaultSettings, rotation } })
        device.agent.start(device.server.url, { display: screen.display })
        await device.until(async () =>
          expect(readCorners(await screen.takePicture(), { form, rotation })).toEqual(turnCorners(rotation)),
        )
      },
    )

const JOINS = 24

for (const rate of [25, 30])
  for (const [name, soundSeconds] of [
    ['with sound', 2],
    ['without sound', 0],
    ['with less sound', 1.9],
    ['with more sound', 2.1],
  ] as const)
    videoTest(
      `${JOINS} joins of videos ${name} at ${rate} frames a second last at most two frames, by their median`,
      async ({ device, screen }) => {
        const seconds = Math.max(2, soundSeconds)
        const videos = (['yellow', 'magenta'] as const).map(color =>
          addVideo(device, { color, seconds: 2, rate, soundSeconds }, { durationSeconds: seconds }),
        )
        publishVideos(device, videos)
        device.agent.start(device.server.url, { display: screen.display })
        await untilScreen(screen, device, { color: 'yellow' })
        const shown = (await screen.record(codeArea(SCREEN), seconds * (JOINS + 1.5))).map(readFrame)
        const joins = measureJoins(shown, { length: 2 * rate, rate })
        console.log(`${rate} frames a second, ${name}: ${describeJoins(joins)}`)
        expect(joins.length).toBeGreaterThanOrEqual(JOINS)
        expect(joins.filter(({ others }) => others > 0)).toEqual([])
        // The last picture stands while the rest of the sound plays.
        const rest = (seconds - 2) * rate
        expect(medianOf(joins.map(({ held }) => held))).toBeLessThanOrEqual(2 + rest)
        expect(medianOf(joins.map(({ late }) => late))).toBeLessThanOrEqual(2 + rest)
      },
    )

videoTest(
  'Videos that cross fade change at once, and none covers another early',
  async ({ device, screen }) => {
    const videos = (['yellow', 'magenta'] as const).map(color => addVideo(device, { color, seconds: 4 }))
    publishVideos(device, videos, { crossfadeSeconds: 1 })
    device.agent.start(device.server.url, { display: screen.display })
    await untilScreen(screen, device, { color: 'magenta' })
    const shown = (await screen.record(codeArea(SCREEN), 20)).map(readFrame)
    expect(shown.filter(frame => typeof frame === 'string')).toEqual([])
    const joins = measureJoins(shown, { length: 100, rate: 25 })
    expect(joins.length).toBeGreaterThanOrEqual(5)
    for (const { late } of joins) expect(Math.abs(late + 25)).toBeLessThan(8)
  },
)

videoTest('With music the screen shows the logo, without a gap in the sound', async ({ device, screen }) => {
  const film = addVideo(device, { color: 'yellow', seconds: 3 })
  const song = device.addFile(8, Buffer.from(makeSong({ notes: [1, 4], seconds: 3 })), {
    name: 'Song 8',
    durationSeconds: 3,
  })
  publishVideos(device, [film, song])
  device.agent.start(device.server.url, { display: screen.display })
  await untilScreen(screen, device, { color: 'yellow' as VideoColor })
  await untilScreen(screen, device, 'logo')
  await untilScreen(screen, device, { color: 'yellow' as VideoColor })
  await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(3))
})
