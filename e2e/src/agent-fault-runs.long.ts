import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { type Heard, listTones } from '@floorcast/testing/heard-tones.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { type SmallDisk, mountDisk } from '@floorcast/testing/small-disk.ts'
import { RECORDED_RATE, SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { FaultyLine } from '@floorcast/fleet/faults.ts'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Fault, FAULTS } from './agent-faults.ts'

/*
 * The agent under each fault, many times, with its sound recorded: what was heard beside what the server has. A song is one tone,
 * so that the recording tells which one sounds.
 */

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 20)
const MB = 1024 * 1024
/** Notes of media-song.ts that a short window tells apart, in Hz. */
const TONES = [
  { note: 0, hertz: 329.63 },
  { note: 2, hertz: 415.3 },
  { note: 4, hertz: 493.88 },
  { note: 6, hertz: 622.25 },
]
/** A play that was heard and the play that was stored may begin so far apart. */
const MAX_APART_MS = 800
const MIN_HEARD_SECONDS = 0.3
/** By so much the begin of a play and the end of that before it may be wrong. */
const MAX_OVERLAP_MS = 300
const CLOCK_PROGRAM = new URL('../../testing/src/shifted-clock.ts', import.meta.url).href

interface Row {
  fault: string
  times: number
  heard: number
  stored: number
  lost: number
  unheard: number
  doubled: number
  longestSilence: number
}
const rows: Row[] = []
afterAll(() => console.table(rows))

const toDetail = ({ trackName, startedAt, endedAt, result, why }: PlayEvent) => [
  trackName,
  startedAt,
  endedAt,
  result,
  why,
]

/** Compares what was heard with the plays that the server has of the time. Times of the recording are from `from`. */
function compare(heard: readonly Heard[], device: DeviceFixture, [from, to]: readonly [number, number]) {
  const isOfTheTime = ({ startedAt }: PlayEvent) => {
    const at = Date.parse(startedAt)
    return at > from - MAX_APART_MS && at < to
  }
  const plays = device.played().filter(isOfTheTime)
  const unmatched = new Set(plays)
  const sounds = heard.filter(
    ({ tone, from: begin, to: end }) => tone !== null && end - begin >= MIN_HEARD_SECONDS,
  )
  const lost = sounds.filter(({ tone, from: begin }) => {
    const at = from + begin * 1000
    const isOfTone = ({ trackName }: PlayEvent) => trackName === `Tone ${tone}`
    const apart = ({ startedAt }: PlayEvent) => Math.abs(Date.parse(startedAt) - at)
    const [match] = [...unmatched]
      .filter(play => isOfTone(play) && apart(play) < MAX_APART_MS)
      .toSorted((one, other) => apart(one) - apart(other))
    if (match) unmatched.delete(match)
    // A busy machine may leave a hole in a play.
    const isRest = (play: PlayEvent) =>
      isOfTone(play) && at > Date.parse(play.startedAt) && at < Date.parse(play.endedAt)
    return match === undefined && !plays.some(isRest)
  })
  const isLong = ({ result, secondsPlayed }: PlayEvent) =>
    result !== 'failed' && secondsPlayed > 2 * MIN_HEARD_SECONDS
  // Plays of one song in a row are one sound.
  const isWithin = (play: PlayEvent) => {
    const middle = ((Date.parse(play.startedAt) + Date.parse(play.endedAt)) / 2 - from) / 1000
    return sounds.some(
      ({ tone, from: begin, to: end }) => play.trackName === `Tone ${tone}` && begin < middle && middle < end,
    )
  }
  const unheard = [...unmatched].filter(play => isLong(play) && !isWithin(play))
  return {
    counts: { heard: sounds.length, stored: plays.length, lost: lost.length, unheard: unheard.length },
    details: {
      heard: sounds.map(({ tone, from: begin, to: end }) => [
        tone,
        new Date(from + begin * 1000),
        new Date(from + end * 1000),
      ]),
      plays: plays.map(toDetail),
      unmatched: [...unmatched].map(toDetail),
    },
  }
}

/** The longest silence between the first sound and the last one, in seconds. */
function longestSilence(heard: readonly Heard[]): number {
  const silences = heard.filter(({ tone }) => tone === null)
  return Math.max(0, ...silences.map(({ from, to }) => to - from))
}

/** Plays that begin before another one of the device ends: a shop plays one thing at a time. */
function listDoubled(plays: readonly PlayEvent[]): PlayEvent[] {
  let endedAt = -Infinity
  return plays
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))
    .filter(play => {
      const isDouble = Date.parse(play.startedAt) < endedAt - MAX_OVERLAP_MS
      endedAt = Math.max(endedAt, Date.parse(play.endedAt))
      return isDouble
    })
}

/** A song of one tone, longer than that before it. */
function addTone(device: DeviceFixture, nr: number, note: number) {
  const durationSeconds = 1.5 + nr * 0.25
  const bytes = Buffer.from(makeSong({ notes: [note], seconds: durationSeconds }))
  return device.addFile(note, bytes, { name: `Tone ${nr}`, durationSeconds })
}

/** What a line with a fault has held back is sent by a next start of the agent, on a good line. */
async function sendRest(device: DeviceFixture): Promise<void> {
  const logged = (await device.agent.readEvents()).map(({ id }) => id)
  const run = device.agent.start(device.server.url)
  await device.until(() => {
    const stored = new Set(device.server.events.map(({ id }) => id))
    expect(logged.filter(id => !stored.has(id))).toEqual([])
  })
  await run.kill('SIGTERM')
}

/** An agent that has its files and has played, and has ended. */
async function prepare(device: DeviceFixture): Promise<void> {
  device.publish(TONES.map(({ note }, nr) => addTone(device, nr, note)))
  const run = device.agent.start(device.server.url)
  await device.until(() => expect(device.played().length).toBeGreaterThan(TONES.length))
  await run.kill('SIGTERM')
}

/** A clock of the agent's machine that the test sets. */
function makeClock(folder: string) {
  const path = join(folder, 'clock-shift')
  const shiftClock = (milliseconds: number) => {
    // At once, so that nothing reads an empty file.
    writeFileSync(`${path}.new`, String(milliseconds))
    renameSync(`${path}.new`, path)
  }
  shiftClock(0)
  return { shiftClock, environment: { CLOCK_SHIFT_FILE: path, NODE_OPTIONS: `--import ${CLOCK_PROGRAM}` } }
}

async function runFault({ name, line: lineFault, strike }: Fault, disk: SmallDisk) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-faults-'))
  const dataDir = join(disk.folder, 'data')
  const device = await DeviceFixture.make(dataDir)
  const clock = makeClock(folder)
  onTestFinished(async () => {
    await device.tearDown()
    rmSync(folder, { recursive: true, force: true })
  })
  await prepare(device)
  const recorder = await SoundRecorder.start(folder)
  const line = lineFault && new FaultyLine(new URL(device.server.url), lineFault)
  const url = line ? await line.open() : device.server.url
  for (const [key, value] of Object.entries({ ...recorder.environment, ...clock.environment }))
    vi.stubEnv(key, value)
  const before = device.agent.countPlays()
  const run = device.agent.start(url, { args: ['--supervise', '--audio', 'pulse', '--heartbeat', '1'] })
  await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 1))
  for (let round = 0; round < ROUNDS; round += 1) {
    await strike({ device, run, disk, dataDir, url, shiftClock: clock.shiftClock }, round)
    await pause(3000 + Math.random() * 3000)
  }
  await pause(3000)
  await run.kill('SIGTERM')
  line?.close()
  const endedAt = Date.now()
  const samples = await recorder.stop()
  clock.shiftClock(0)
  await sendRest(device)
  const hertz = TONES.map(tone => tone.hertz)
  const all = listTones(samples, hertz, RECORDED_RATE)
  const sounds = all.slice(
    all.findIndex(({ tone }) => tone !== null),
    all.findLastIndex(({ tone }) => tone !== null) + 1,
  )
  const { counts, details } = compare(sounds, device, [recorder.startedAt, endedAt])
  const doubled = listDoubled(device.played())
  const row = {
    fault: name,
    times: ROUNDS,
    ...counts,
    doubled: doubled.length,
    longestSilence: Math.round(longestSilence(sounds) * 100) / 100,
  }
  rows.push(row)
  const report = JSON.stringify({ ...details, doubled: doubled.map(toDetail) })
  if (counts.lost + counts.unheard + doubled.length > 0) console.error(`${name}: ${report}`)
  return { row, report }
}

const disk = mountDisk(100 * MB)
const isPossible = disk !== null && SoundRecorder.isPossible()

test.skipIf(!isPossible).each(FAULTS)('$name: no play is lost or doubled', async fault => {
  if (!disk) return
  const { row, report } = await runFault(fault, disk)
  expect(row, report).toMatchObject({ lost: 0, doubled: 0 })
  expect(row.heard).toBeGreaterThan(ROUNDS)
  if (fault.isOutside) expect(row.longestSilence).toBeLessThan(2)
})
