import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { Manifest, ManifestPublication } from '@floorcast/contract/manifest.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testkit/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testkit/media-song.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AgentFixture } from './agent-fixture.ts'
import { hashOf, ServerDouble } from './server-double.ts'

let server: ServerDouble
let agent: AgentFixture
beforeEach(async () => {
  server = new ServerDouble()
  agent = await AgentFixture.make()
  await server.start()
})
afterEach(async () => {
  await agent.clear()
  await server.stop()
})

const until = (claim: () => unknown) => vi.waitFor(claim, { timeout: 20_000, interval: 50 })
const HOUR = 3_600_000
const iso = (at: number) => new Date(at).toISOString()

/** Songs of 30, 3 and 1 second. */
function addFiles() {
  return [30, 3, 1].map((seconds, number) => {
    const bytes = Buffer.from(makeSong({ notes: [number, number + 4], seconds }))
    const sha256 = hashOf(bytes)
    const file = makeFile(number, {
      name: `Song ${number}`,
      durationSeconds: seconds,
      sizeBytes: bytes.length,
      sha256,
    })
    file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
    server.addFile(file, bytes)
    return file
  })
}
let generation = 0
function publish(publications: ManifestPublication[], part: Partial<Omit<Manifest, 'device'>> = {}) {
  generation += 1
  server.publish(makeManifest({ generation, files: addFiles(), publications, ...part }))
}
const publicationOf = (uid: number, file: number, part: Partial<ManifestPublication> = {}) =>
  makePublication(makePlaylist([makeItem(file)]), { uid: uidOf(uid), activatedAt: iso(Date.now()), ...part })
const playsOf = (uid: number): PlayEvent[] =>
  server.events.filter(event => event.kind === 'playtrack').filter(play => play.publicationUid === uidOf(uid))
const playing = () => server.heartbeats.at(-1)?.nowPlaying?.name

test('A delayed start cuts in at its moment, to the second and from its beginning', async () => {
  agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  const moment = Date.now() + 5000
  publish([publicationOf(600, 0), publicationOf(601, 2, { startsAt: { at: iso(moment) } })])
  await until(() => expect(playsOf(601).length).toBeGreaterThan(1))
  expect(playsOf(600)).toMatchObject([{ trackName: 'Song 0', result: 'cut', why: 'publication' }])
  const [first] = playsOf(601)
  expect(first).toMatchObject({ scheduledAt: iso(moment), result: 'complete' })
  expect(Date.parse(first?.startedAt ?? '')).toBeGreaterThanOrEqual(moment)
})

test('A publication that is turned off ends at once; turned on again it goes on where the loop is', async () => {
  const publication = publicationOf(600, 0)
  agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish([publication])
  await until(() => expect(playing()).toBe('Song 0'))
  publish([])
  await until(() => expect(playsOf(600)).toMatchObject([{ result: 'cut', why: 'no-publication' }]))
  expect(server.events.at(-1)).toMatchObject({ kind: 'playlist', status: 'silent', why: 'no-publication' })
  publish([publication])
  await until(() => expect(playing()).toBe('Song 0'))
})

test('An alert sounds over everything, and when it ends the present of the loop is joined', async () => {
  const publication = publicationOf(600, 0)
  agent.start(server.url)
  await until(() => expect(server.channels).toBe(1))
  publish([publication])
  await until(() => expect(playing()).toBe('Song 0'))
  const alert = { uid: uidOf(9), kind: 'air', beganAt: iso(Date.now()), isDrill: true, file: 2 } as const
  publish([publication], { alerts: [alert] })
  const steps = () => server.events.filter(event => event.kind === 'alert').map(event => event.step)
  await until(() => expect(steps()).toEqual(['started']))
  expect(playsOf(600)).toMatchObject([{ result: 'cut', why: 'alert' }])
  publish([publication])
  await until(() => expect(steps()).toEqual(['started', 'ended']))
  await until(() => expect(playing()).toBe('Song 0'))
})

test("The server's time is the agent's: an hour off, the schedule is the server's, and the play that was on ends", async () => {
  server.clockShift = HOUR
  const shifted = Date.now() + HOUR
  const run = agent.start(server.url)
  await until(() => expect(server.heartbeats.length).toBeGreaterThan(0))
  publish([publicationOf(600, 2, { activatedAt: iso(shifted) })])
  await until(() => expect(playsOf(600).length).toBeGreaterThan(2))
  for (const play of playsOf(600))
    expect(Math.abs(Date.parse(play.startedAt) - HOUR - Date.now())).toBeLessThan(60_000)
  server.clockShift = -HOUR
  await run.kill('SIGTERM')
  agent.start(server.url)
  await until(() => {
    const plays = server.events.filter(event => event.kind === 'playtrack' || event.kind === 'playlist')
    expect(plays.at(-1)).toMatchObject({ kind: 'playlist', status: 'silent', why: 'no-publication' })
  })
})
