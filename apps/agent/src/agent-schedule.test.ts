import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { Manifest, ManifestPublication } from '@floorcast/contract/manifest.ts'
import { useDeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

const device = useDeviceFixture()
const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

/** With songs of 120, 3 and 1 second. */
function publish(publications: ManifestPublication[], part: Partial<Pick<Manifest, 'alerts'>> = {}) {
  const files = [120, 3, 1].map((seconds, number) => device.addSong(number, seconds))
  device.publishAll(files, publications, part)
}
const publicationOf = (uid: number, file: number, part: Partial<ManifestPublication> = {}) =>
  makePublication(makePlaylist([makeItem(file)]), { uid: uidOf(uid), activatedAt: iso(Date.now()), ...part })
const playsOf = (uid: number): PlayEvent[] =>
  device.server.events
    .filter(event => event.kind === 'playtrack')
    .filter(play => play.publicationUid === uidOf(uid))

test('A delayed start cuts in at its moment, and not before', async () => {
  device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  const former = publicationOf(600, 0)
  publish([former])
  await device.untilPlaying()
  const moment = Date.now() + 8000
  publish([former, publicationOf(601, 1, { startsAt: { at: iso(moment) } })])
  await device.until(() => expect(playsOf(601).length).toBeGreaterThan(0))
  expect(playsOf(600).at(-1)).toMatchObject({ trackName: 'Song 0', result: 'cut', why: 'publication' })
  const [first] = playsOf(601)
  expect(first?.scheduledAt).toBe(iso(moment))
  expect(Date.parse(first?.startedAt ?? '')).toBeGreaterThanOrEqual(moment)
})

test('A publication that is turned off ends at once; turned on again it goes on where the loop is', async () => {
  const publication = publicationOf(600, 0)
  device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  publish([publication])
  await device.untilPlaying()
  publish([])
  await device.until(() =>
    expect(playsOf(600).at(-1)).toMatchObject({ result: 'cut', why: 'no-publication' }),
  )
  const silence = { kind: 'playlist', status: 'silent', why: 'no-publication' }
  await device.until(() => expect(device.server.events.at(-1)).toMatchObject(silence))
  publish([publication])
  await device.untilPlaying()
})

test('An alert sounds over everything, and when it ends the present of the loop is joined', async () => {
  const publication = publicationOf(600, 0)
  device.agent.start(device.server.url)
  await device.until(() => expect(device.server.channels).toBe(1))
  publish([publication])
  await device.untilPlaying()
  const alert = { uid: uidOf(9), kind: 'air', beganAt: iso(Date.now()), isDrill: true, file: 2 } as const
  publish([publication], { alerts: [alert] })
  const steps = () => device.server.events.filter(event => event.kind === 'alert').map(event => event.step)
  await device.until(() => expect(steps()).toEqual(['started']))
  expect(playsOf(600).at(-1)).toMatchObject({ result: 'cut', why: 'alert' })
  publish([publication])
  await device.until(() => expect(steps()).toEqual(['started', 'ended']))
  await device.until(() => expect(device.agent.playingSince()).toHaveLength(1))
})

test("The server's time is the agent's: an hour off, the schedule is the server's, and the play that was on ends", async () => {
  device.server.clockShift = HOUR
  const shifted = Date.now() + HOUR
  const run = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(0))
  publish([publicationOf(600, 2, { activatedAt: iso(shifted) })])
  await device.until(() => expect(playsOf(600).length).toBeGreaterThan(2))
  for (const play of playsOf(600))
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
})
