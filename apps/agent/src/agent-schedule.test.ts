import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { Manifest, ManifestPublication } from '@floorcast/contract/manifest.ts'
import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()
const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

/** With songs of 120, 3 and 1 second. */
function publish(publications: ManifestPublication[], part: Partial<Pick<Manifest, 'alerts'>> = {}) {
  const files = [120, 3, 1].map((seconds, number) => stage.addSong(number, seconds))
  stage.publishAll(files, publications, part)
}
const publicationOf = (uid: number, file: number, part: Partial<ManifestPublication> = {}) =>
  makePublication(makePlaylist([makeItem(file)]), { uid: uidOf(uid), activatedAt: iso(Date.now()), ...part })
const playsOf = (uid: number): PlayEvent[] =>
  stage.server.events
    .filter(event => event.kind === 'playtrack')
    .filter(play => play.publicationUid === uidOf(uid))

test('A delayed start cuts in at its moment, and not before', async () => {
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  const former = publicationOf(600, 0)
  publish([former])
  await stage.heard()
  const moment = Date.now() + 8000
  publish([former, publicationOf(601, 1, { startsAt: { at: iso(moment) } })])
  await stage.until(() => expect(playsOf(601).length).toBeGreaterThan(0))
  expect(playsOf(600).at(-1)).toMatchObject({ trackName: 'Song 0', result: 'cut', why: 'publication' })
  const [first] = playsOf(601)
  expect(first?.scheduledAt).toBe(iso(moment))
  expect(Date.parse(first?.startedAt ?? '')).toBeGreaterThanOrEqual(moment)
})

test('A publication that is turned off ends at once; turned on again it goes on where the loop is', async () => {
  const publication = publicationOf(600, 0)
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  publish([publication])
  await stage.heard()
  publish([])
  await stage.until(() => expect(playsOf(600).at(-1)).toMatchObject({ result: 'cut', why: 'no-publication' }))
  const silence = { kind: 'playlist', status: 'silent', why: 'no-publication' }
  await stage.until(() => expect(stage.server.events.at(-1)).toMatchObject(silence))
  publish([publication])
  await stage.heard()
})

test('An alert sounds over everything, and when it ends the present of the loop is joined', async () => {
  const publication = publicationOf(600, 0)
  stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  publish([publication])
  await stage.heard()
  const alert = { uid: uidOf(9), kind: 'air', beganAt: iso(Date.now()), isDrill: true, file: 2 } as const
  publish([publication], { alerts: [alert] })
  const steps = () => stage.server.events.filter(event => event.kind === 'alert').map(event => event.step)
  await stage.until(() => expect(steps()).toEqual(['started']))
  expect(playsOf(600).at(-1)).toMatchObject({ result: 'cut', why: 'alert' })
  publish([publication])
  await stage.until(() => expect(steps()).toEqual(['started', 'ended']))
  await stage.until(() => expect(stage.agent.playingSince()).toHaveLength(1))
})

test("The server's time is the agent's: an hour off, the schedule is the server's, and the play that was on ends", async () => {
  stage.server.clockShift = HOUR
  const shifted = Date.now() + HOUR
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.heartbeats.length).toBeGreaterThan(0))
  publish([publicationOf(600, 2, { activatedAt: iso(shifted) })])
  await stage.until(() => expect(playsOf(600).length).toBeGreaterThan(2))
  for (const play of playsOf(600))
    expect(Math.abs(Date.parse(play.startedAt) - HOUR - Date.now())).toBeLessThan(60_000)
  stage.server.clockShift = -HOUR
  await run.kill('SIGTERM')
  stage.agent.start(stage.server.url)
  await stage.until(() => {
    const plays = stage.server.events.filter(event => event.kind === 'playtrack' || event.kind === 'playlist')
    expect(plays.at(-1)).toMatchObject({ kind: 'playlist', status: 'silent', why: 'no-publication' })
  })
})
