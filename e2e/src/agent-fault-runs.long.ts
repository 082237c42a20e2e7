import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AgentRun, mpvsOf } from '@floorcast/testing/agent-process.ts'
import { DeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { type Heard, listTones } from '@floorcast/testing/heard-tones.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { type SmallDisk, mountDisk } from '@floorcast/testing/small-disk.ts'
import { RECORDED_RATE, SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { FaultyLine, type LineFault } from '@floorcast/fleet/faults.ts'
import { afterAll, expect, onTestFinished, test } from 'vitest'

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

interface Struck {
  device: DeviceFixture
  run: AgentRun
  disk: SmallDisk
  dataDir: string
}

interface Fault {
  name: string
  /** Whether the music must go on: it is not the player itself that ends. */
  isOutside: boolean
  line?: LineFault
  strike: (struck: Struck) => Promise<void> | void
}

/** The agent, which its supervisor has started. */
async function agentOf(run: AgentRun): Promise<number> {
  const [pid = 0] = await mpvsOf(run.pid)
  return pid
}

function damageMedia({ dataDir }: Struck, damage: (path: string) => void): void {
  const folder = join(dataDir, 'media')
  const [name] = readdirSync(folder).filter(each => /^[0-9a-f]{64}$/.test(each))
  if (name) damage(join(folder, name))
}

const FAULTS: readonly Fault[] = [
  {
    name: 'agent killed',
    isOutside: false,
    strike: async ({ run }) => void process.kill(await agentOf(run), 'SIGKILL'),
  },
  {
    name: 'mpv killed',
    isOutside: false,
    strike: async ({ run }) => {
      for (const pid of await mpvsOf(await agentOf(run))) process.kill(pid, 'SIGKILL')
    },
  },
  {
    name: 'server killed',
    isOutside: true,
    strike: async ({ device }) => {
      await device.server.stop()
      await pause(2000)
      await device.server.start()
    },
  },
  ...(['slow', 'stalled', 'cut', 'corrupt', 'lost-answers'] as const).map((line): Fault => ({
    name: `line ${line}`,
    isOutside: true,
    line,
    strike: () => undefined,
  })),
  {
    name: 'disk full',
    isOutside: true,
    strike: async ({ disk }) => {
      disk.fill('some', 0)
      await pause(2000)
      disk.free('some')
    },
  },
  {
    name: 'media folder deleted',
    isOutside: true,
    strike: ({ dataDir }) => rmSync(join(dataDir, 'media'), { recursive: true, force: true }),
  },
  {
    name: 'data folder deleted',
    isOutside: true,
    strike: ({ dataDir }) => rmSync(dataDir, { recursive: true, force: true }),
  },
  {
    name: 'file deleted',
    isOutside: true,
    strike: struck => damageMedia(struck, path => rmSync(path)),
  },
  {
    name: 'file truncated',
    isOutside: true,
    strike: struck =>
      damageMedia(struck, path => truncateSync(path, Math.floor(readFileSync(path).length / 2))),
  },
  {
    name: 'file corrupted',
    isOutside: true,
    strike: struck =>
      damageMedia(struck, path => writeFileSync(path, Buffer.alloc(readFileSync(path).length, 0x55))),
  },
]

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

/** Compares what was heard with the plays that the server has. */
function compare(
  heard: readonly Heard[],
  device: DeviceFixture,
  { startedAt, endedAt }: { startedAt: number; endedAt: string },
) {
  const stored = device.played().filter(play => play.result !== 'failed' && play.startedAt < endedAt)
  const open = new Set(stored)
  const sounds = heard.filter(({ tone, from, to }) => tone !== null && to - from >= MIN_HEARD_SECONDS)
  // The recording ends in the middle of a play, which the agent logs as cut.
  const lost = sounds.filter(({ tone, from }) => {
    const at = startedAt + from * 1000
    const match = [...open].find(
      play => play.trackName === `Tone ${tone}` && Math.abs(Date.parse(play.startedAt) - at) < MAX_APART_MS,
    )
    if (match) open.delete(match)
    return match === undefined
  })
  return {
    heard: sounds.length,
    stored: stored.length,
    lost: lost.length,
    unheard: [...open].filter(play => play.secondsPlayed > 2 * MIN_HEARD_SECONDS).length,
  }
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

async function runFault({ name, line: lineFault, strike }: Fault, disk: SmallDisk) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-faults-'))
  const dataDir = join(disk.folder, 'data')
  const device = await DeviceFixture.make(dataDir)
  const recorder = await SoundRecorder.start(folder)
  onTestFinished(async () => {
    await device.tearDown()
    rmSync(folder, { recursive: true, force: true })
  })
  const files = TONES.map(({ note }, nr) => addTone(device, nr, note))
  device.publish(files)
  const line = lineFault && new FaultyLine(new URL(device.server.url), lineFault)
  const url = line ? await line.open() : device.server.url
  Object.assign(process.env, recorder.environment)
  const run = device.agent.start(url, { args: ['--supervise', '--audio', 'pulse', '--heartbeat', '1'] })
  await device.until(() => expect(device.played().length).toBeGreaterThan(1))
  for (let round = 0; round < ROUNDS; round += 1) {
    await strike({ device, run, disk, dataDir })
    await pause(3000 + Math.random() * 3000)
  }
  await pause(3000)
  await run.kill('SIGTERM')
  line?.close()
  const endedAt = new Date().toISOString()
  const samples = await recorder.stop()
  await sendRest(device)
  const heard = listTones(
    samples,
    TONES.map(({ hertz }) => hertz),
    RECORDED_RATE,
  )
  const first = heard.findIndex(({ tone }) => tone !== null)
  const last = heard.findLastIndex(({ tone }) => tone !== null)
  const silences = heard.slice(first, last).filter(({ tone }) => tone === null)
  const longestSilence = Math.max(0, ...silences.map(({ from, to }) => to - from))
  const row = {
    fault: name,
    times: ROUNDS,
    ...compare(heard.slice(first), device, { startedAt: recorder.startedAt, endedAt }),
    doubled: device.played().length - new Set(device.played().map(play => play.startedAt)).size,
    longestSilence: Math.round(longestSilence * 100) / 100,
  }
  rows.push(row)
  return row
}

const disk = mountDisk(100 * MB)
const isPossible = disk !== null && SoundRecorder.isPossible()

test.skipIf(!isPossible).each(FAULTS)('$name: no play is lost or doubled', async fault => {
  if (!disk) return
  const row = await runFault(fault, disk)
  expect(row).toMatchObject({ lost: 0, doubled: 0 })
  expect(row.heard).toBeGreaterThan(ROUNDS)
  if (fault.isOutside) expect(row.longestSilence).toBeLessThan(2)
})
