import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { type SmallDisk, mountDisk, mountFailingDisk } from '@floorcast/testing/small-disk.ts'
import { SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { FaultyLine } from '@floorcast/fleet/faults.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Fault, FAULTS } from './agent-faults.ts'
import { type HeardPlays, compareRecording, nameOfTone, TONES } from './heard-plays.ts'

/*
 * The agent under each fault, many times, with its sound recorded: what was heard beside what the server has. A song is one tone,
 * so that the recording tells which one plays.
 */

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 20)
const DISK_BYTES = 100 * 1024 * 1024
const CLOCK_PROGRAM = new URL('../../testing/src/shifted-clock.ts', import.meta.url).href

type Row = { fault: string; times: number } & HeardPlays
const rows: Row[] = []
afterAll(() => console.table(rows))

/** A song of one tone, longer than that before it. */
function addTone(device: DeviceFixture, nr: number, note: number) {
  const durationSeconds = 1.5 + nr * 0.25
  const bytes = Buffer.from(makeSong({ notes: [note], seconds: durationSeconds }))
  return device.addFile(note, bytes, { name: nameOfTone(nr), durationSeconds })
}

/** Lets a next start of the agent send, on a good line, what a line with a fault has held back. */
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

interface FaultRun {
  disk: SmallDisk
  rounds: number
}

/** The agent on a disk under `rounds` faults of one kind, recorded. */
async function record({ line: lineFault, strike }: Fault, { disk, rounds }: FaultRun) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-faults-'))
  const dataDir = join(disk.folder, 'data')
  const device = await DeviceFixture.make(dataDir)
  const clock = makeClock(folder)
  try {
    await prepare(device)
    const recorder = await SoundRecorder.start(folder)
    const line = lineFault && new FaultyLine(new URL(device.server.url), lineFault)
    const url = line ? await line.open() : device.server.url
    for (const [key, value] of Object.entries({ ...recorder.environment, ...clock.environment }))
      vi.stubEnv(key, value)
    const before = device.agent.countPlays()
    const run = device.agent.start(url, { args: ['--supervise', '--audio', 'pulse', '--heartbeat', '1'] })
    await device.until(() => expect(device.agent.countPlays()).toBeGreaterThan(before + 1))
    for (let round = 0; round < rounds; round += 1) {
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
    return compareRecording({ samples, startedAt: recorder.startedAt, endedAt }, device.played())
  } finally {
    vi.unstubAllEnvs()
    await device.tearDown()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs of one kind of fault, as one row of the table: each play was heard and stored once. */
function checkRuns(
  { name, isOutside }: Pick<Fault, 'name' | 'isOutside'>,
  runs: readonly Awaited<ReturnType<typeof record>>[],
): void {
  const total = (of: (counts: HeardPlays) => number) => runs.reduce((sum, { counts }) => sum + of(counts), 0)
  const row: Row = {
    fault: name,
    times: ROUNDS,
    heard: total(({ heard }) => heard),
    stored: total(({ stored }) => stored),
    lost: total(({ lost }) => lost),
    unheard: total(({ unheard }) => unheard),
    doubled: total(({ doubled }) => doubled),
    longestSilence: Math.max(...runs.map(({ counts }) => counts.longestSilence)),
  }
  rows.push(row)
  const report = runs
    .filter(({ counts: { lost, unheard, doubled } }) => lost + unheard + doubled > 0)
    .map(run => run.report)
    .join('\n')
  if (report !== '') console.error(`${name}: ${report}`)
  expect(row, report).toMatchObject({ lost: 0, unheard: 0, doubled: 0 })
  expect(row.heard).toBeGreaterThan(ROUNDS)
  if (isOutside) expect(row.longestSilence).toBeLessThan(2)
}

let disk: SmallDisk | null = null
beforeAll(() => {
  disk = mountDisk(DISK_BYTES)
})
const canRecord = SoundRecorder.isPossible()

test.skipIf(!canRecord).for(FAULTS)('$name: no play is lost, doubled or unheard', async (fault, { skip }) => {
  checkRuns(fault, [await record(fault, { disk: disk ?? skip(), rounds: ROUNDS })])
})

test.skipIf(!canRecord)('disk read-only: no play is lost, doubled or unheard', async ({ skip }) => {
  const fault = { name: 'disk read-only', isOutside: true }
  const runs = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // It takes no writes for good once it has failed.
    const failing = mountFailingDisk(DISK_BYTES) ?? skip()
    runs.push(await record({ ...fault, strike: () => failing.fail() }, { disk: failing, rounds: 1 }))
  }
  checkRuns(fault, runs)
})
