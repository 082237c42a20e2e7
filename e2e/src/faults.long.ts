import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { listLastPlays } from '@floorcast/contract/devices.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type PublishedDevice,
  type SignedInClient,
  registerOwner,
  publishToDevice,
  signInOwner,
} from './client-fixture.ts'
import { type Program, type RunningServer, startAgent, startServer, waitUntil } from './processes.ts'
import { waitForPlays } from './play-comparison.ts'

const ROUNDS = Number(process.env['FAULT_ROUNDS'] ?? 28)
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
  const songs = await writeSongs(folder, { count: 3, seconds: 3 })
  line = await publishToDevice(client, songs.slice(0, 2), songs.slice(2))
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
