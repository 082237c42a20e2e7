import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { FormerPublication } from '@floorcast/contract/manifest.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect } from 'vitest'

const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

/** Publishes with songs of 120, 3 and 1 second. */
function publish(
  device: DeviceFixture,
  publications: FormerPublication[],
  part: Partial<Pick<DeviceManifest, 'alerts'>> = {},
) {
  const files = [120, 3, 1].map((seconds, number) => device.addSong(number, seconds))
  device.publishAll(files, publications, part)
}
const publicationOf = (uid: number, file: number, part: Partial<FormerPublication> = {}) =>
  makePublication(makePlaylist([makeItem(file)]), { uid: uidOf(uid), activatedAt: iso(Date.now()), ...part })
const playsOf = (device: DeviceFixture, uid: number): PlayEvent[] =>
  device.server.events
    .filter(event => event.kind === 'playtrack')
    .filter(play => play.publicationUid === uidOf(uid))

deviceTest.concurrent(
  'A scheduled publication starts at its time, not before, and cuts the current track',
  async ({ device }) => {
    device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    const former = publicationOf(600, 0)
    publish(device, [former])
    await device.untilPlaying()
    const startAt = Date.now() + 8000
    publish(device, [former, publicationOf(601, 1, { startsAt: { at: iso(startAt) } })])
    await device.until(() => expect(playsOf(device, 601).length).toBeGreaterThan(0))
    expect(playsOf(device, 600).at(-1)).toMatchObject({
      trackName: 'Song 0',
      result: 'cut',
      why: 'publication',
    })
    const [first] = playsOf(device, 601)
    expect(first?.scheduledAt).toBe(iso(startAt))
    expect(Date.parse(first?.startedAt ?? '')).toBeGreaterThanOrEqual(startAt)
  },
)

deviceTest.concurrent(
  'A publication that is turned off stops at once; turned on again, it continues its loop',
  async ({ device }) => {
    const publication = publicationOf(600, 0)
    device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    publish(device, [publication])
    await device.untilPlaying()
    publish(device, [])
    await device.until(() =>
      expect(playsOf(device, 600).at(-1)).toMatchObject({ result: 'cut', why: 'no-publication' }),
    )
    const silence = { kind: 'playlist', status: 'silent', why: 'no-publication' }
    await device.until(() => expect(device.server.events.at(-1)).toMatchObject(silence))
    publish(device, [publication])
    await device.untilPlaying()
  },
)

deviceTest.concurrent(
  'An alert interrupts the music; after its end, the loop is joined at its current position',
  async ({ device }) => {
    const publication = publicationOf(600, 0)
    device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    publish(device, [publication])
    await device.untilPlaying()
    const alert = { uid: uidOf(9), kind: 'air', beganAt: iso(Date.now()), isDrill: true, file: 2 } as const
    publish(device, [publication], { alerts: [alert] })
    const steps = () => device.server.events.filter(event => event.kind === 'alert').map(event => event.step)
    await device.until(() => expect(steps()).toEqual(['received', 'started']))
    // The music continues until the alert plays.
    await device.until(() =>
      expect(playsOf(device, 600).at(-1)).toMatchObject({ result: 'cut', why: 'alert' }),
    )
    publish(device, [publication])
    await device.until(() => expect(steps()).toEqual(['received', 'started', 'ended']))
    await device.until(() => expect(device.agent.playingSince()).toHaveLength(1))
  },
)

deviceTest.concurrent(
  "The agent follows the server's time: an hour off, it plays by the server's schedule",
  async ({ device }) => {
    device.server.clockShift = HOUR
    const shifted = Date.now() + HOUR
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(0))
    publish(device, [publicationOf(600, 2, { activatedAt: iso(shifted) })])
    await device.until(() => expect(playsOf(device, 600).length).toBeGreaterThan(2))
    for (const play of playsOf(device, 600))
      expect(Math.abs(Date.parse(play.startedAt) - HOUR - Date.now())).toBeLessThan(60_000)
    device.server.clockShift = -HOUR
    await run.kill('SIGTERM')
    device.agent.start(device.server.url)
    await device.until(() => {
      const plays = device.server.events.filter(
        event => event.kind === 'playtrack' || event.kind === 'playlist',
      )
      expect(plays.at(-1)).toMatchObject({ kind: 'playlist', status: 'silent', why: 'no-publication' })
    })
  },
)
