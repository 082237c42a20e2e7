import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { listLastPlays } from '@floorcast/contract/devices.ts'
import { PlayEvent } from '@floorcast/contract/events.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import {
  type PublishedDevice,
  type SignedInClient,
  registerOwner,
  publishToDevice,
  signInOwner,
} from './client-fixture.ts'
import { compareRecording, nameOfTone, TONES } from './heard-plays.ts'
import {
  type Program,
  type RunningServer,
  readAgentEvents,
  runAgent,
  startAgent,
  startServer,
  waitUntil,
} from './processes.ts'
import { comparePlays, readWholeLog, waitForPlays } from './play-comparison.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 28)
const DATABASE_KILLS = Number(process.env['FAULT_ROUNDS'] ?? 20)
const faults = [
  'server SIGKILL',
  'agent SIGKILL',
  'mpv SIGKILL',
  'server SIGTERM',
  'agent SIGTERM',
  'both SIGKILL',
  'PostgreSQL SIGKILL',
] as const
type Fault = (typeof faults)[number]

const pause = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

let folder: string
let port: number
let server: RunningServer
let agent: Program
let client: SignedInClient
let line: PublishedDevice
const counts = new Map<Fault, number>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-faults-'))
  port = await freePort()
  server = await startServer(port, join(folder, 'server'))
  client = await registerOwner(server.url)
  const songs = await Promise.all(
    TONES.map(async ({ note }, nr) => {
      const path = join(folder, `${nameOfTone(nr)}.mp3`)
      await writeFile(path, makeSong({ notes: [note], seconds: 3 + nr * 0.25 }))
      return { path }
    }),
  )
  line = await publishToDevice(client, songs.slice(1), songs.slice(0, 1))
  agent = startAgent(server.url, line.licenseKey, join(folder, 'agent'))
  await waitUntil('the first play is on the server', hasPlays)
})

afterAll(async () => {
  await agent.stop()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

const hasPlays = async () =>
  (await client.call(listLastPlays, { params: { id: line.deviceUid, count: 1 } })).length > 0

const restartServer = async () => {
  server = await startServer(port, join(folder, 'server'))
}
const restartAgent = () => {
  agent = startAgent(server.url, line.licenseKey, join(folder, 'agent'))
}

/** Turns the publication off; the agent is silent after its last track. */
async function turnOff(): Promise<void> {
  client = await signInOwner(server.url)
  const { code } = await client.call(changePublicationState, {
    params: { id: line.publicationUid },
    query: { from: 'active' },
  })
  expect(code).toBe(9)
}

/** Ends the agent's own players, found as its children. */
async function killPlayers(): Promise<void> {
  const children = await readFile(`/proc/${agent.pid}/task/${agent.pid}/children`, 'utf8')
  for (const pid of children.trim().split(' ').filter(Boolean)) execFileSync('kill', ['-9', pid])
}

const inflict: Record<Fault, () => Promise<void>> = {
  'server SIGKILL': async () => {
    await server.kill()
    await pause(4)
    await restartServer()
  },
  'server SIGTERM': async () => {
    expect(await server.stop()).toBe(0)
    await pause(4)
    await restartServer()
  },
  'agent SIGKILL': async () => {
    await agent.kill()
    restartAgent()
  },
  'agent SIGTERM': async () => {
    expect(await agent.stop()).toBe(0)
    restartAgent()
  },
  'mpv SIGKILL': killPlayers,
  'both SIGKILL': async () => {
    await Promise.all([server.kill(), agent.kill()])
    await restartServer()
    restartAgent()
  },
  'PostgreSQL SIGKILL': async () => {
    const lock = await readFile(join(folder, 'server', 'postgres', 'postmaster.pid'), 'utf8')
    process.kill(Number(lock.split('\n')[0]), 'SIGKILL')
    await pause(4)
  },
}

/** The plays of the agent's log that the server has. */
async function listStoredPlays(): Promise<PlayEvent[]> {
  const stored = new Set((await readWholeLog(client, line.deviceUid, 'playtrack')).map(({ uid }) => uid))
  const events = await readAgentEvents(join(folder, 'agent'))
  const plays = events.flatMap(event => PlayEvent.safeParse(event).data ?? [])
  return plays.filter(({ id }) => stored.has(id))
}

it.skipIf(!SoundRecorder.isPossible())(
  `plays on while PostgreSQL is killed ${DATABASE_KILLS} times, and each play that is heard is stored once`,
  async () => {
    await agent.stop()
    const place = join(folder, 'recording')
    await mkdir(place)
    const recorder = await SoundRecorder.start(place)
    for (const [key, value] of Object.entries(recorder.environment)) vi.stubEnv(key, value)
    const agentData = join(folder, 'agent')
    agent = runAgent({ url: server.url, key: line.licenseKey, dataDir: agentData }, ['--audio', 'pulse'])
    await pause(10)
    for (let round = 0; round < DATABASE_KILLS; round += 1) {
      await inflict['PostgreSQL SIGKILL']()
      await pause(3 + ((round * 7) % 5))
    }
    await agent.stop()
    const endedAt = Date.now()
    const samples = await recorder.stop()
    vi.unstubAllEnvs()
    restartAgent()
    client = await signInOwner(server.url)
    await waitUntil('the server has all plays', async () => {
      const { lost, duplicated } = await comparePlays(client, line.deviceUid, agentData)
      return lost.length === 0 && duplicated.length === 0
    })
    const recording = { samples, startedAt: recorder.startedAt, endedAt }
    const { counts, report } = compareRecording(recording, await listStoredPlays())
    console.table([{ fault: 'PostgreSQL killed', times: DATABASE_KILLS, ...counts }])
    expect(counts, report).toMatchObject({ lost: 0, unheard: 0, doubled: 0 })
    expect(counts.heard).toBeGreaterThan(DATABASE_KILLS)
    expect(counts.longestSilence).toBeLessThan(2)
  },
  30 * 60_000,
)

it(
  `loses no play and stores none twice over ${ROUNDS} faults`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = faults[round % faults.length] ?? 'server SIGKILL'
      await pause(3 + ((round * 7) % 5))
      await inflict[fault]()
      counts.set(fault, (counts.get(fault) ?? 0) + 1)
    }
    await turnOff()
    const seen = await waitForPlays(client, { uid: line.deviceUid, agentData: join(folder, 'agent') }, 8)
    expect(seen.logged).toBeGreaterThan(ROUNDS)
    console.table([...counts].map(([fault, times]) => ({ fault, times })))
    console.table([
      { logged: seen.logged, stored: seen.stored, lost: seen.lost.length, twice: seen.duplicated.length },
    ])
    expect(seen).toEqual({
      logged: seen.stored,
      stored: seen.logged,
      lost: [],
      duplicated: [],
      unknown: [],
      gaps: [],
    })
  },
  30 * 60_000,
)
