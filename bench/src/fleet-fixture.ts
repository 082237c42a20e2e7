import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, makeClient as makeCaller } from '@floorcast/contract/client.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { Pool } from 'pg'
import { freePort } from '@floorcast/testing/free-port.ts'
import { CELL } from '@floorcast/testing/reverse-proxy.ts'
import { type CellBalancer, startCellBalancer } from './cell-balancer.ts'
import { openClient } from './open-client.ts'
import { familySeconds, processorSeconds } from './processor-time.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Seconds of processor time since the start of the measurement. */
export interface ProcessorTimes {
  /** Of all servers, and of what is in front of them. */
  server: number
  postgres: number
  fleet: number
  /** Seconds on the clock. */
  passed: number
}

/** Milliseconds of the server's event loop. */
interface LoopDelay {
  p50: number
  p99: number
  max: number
}

/** What `bench-server-probe.ts` writes. */
interface ProbeLine extends LoopDelay {
  /** Null where none were asked for. */
  keptMegabytes: number | null
}

/** A server whose event loop is asked for its delay. */
interface ProbedServer extends ServerProcess {
  /** @param asked whether it collects its garbage before */
  probe: (asked?: { collects: boolean }) => Promise<ProbeLine>
}

/** Enough for every size of the benches. */
const DEVICE_LIMIT = 100_000
/** Profiles of the server are written here if the option `--profile` is given. */
const PROFILE_FOLDER = 'artifacts'

async function openAdmin(url: string) {
  const database = openDatabase({ url, lost: () => undefined })
  try {
    return await openClient(database)
  } finally {
    await database.close()
  }
}

interface Parts {
  folder: string
  postgres: EmbeddedPostgres
  superuser: Pool
  superuserUrl: string
  clientId: string
  token: string
  isProfiled: boolean
}

/** PostgreSQL and a server, or a cell of four, with one client whose plan allows any number of devices. */
export class FleetFixture {
  readonly folder: string
  /** A superuser's connections to the servers' database. */
  readonly superuser: Pool
  readonly superuserUrl: string
  readonly clientId: string
  /** The token of the client's admin. */
  readonly token: string
  /** Calls the current server as the client's admin. */
  readonly call: Client
  readonly #parts: Parts
  #servers: ProbedServer[] = []
  #balancer: CellBalancer | null = null
  /** Those of the servers, which they keep when they start again, and of the balancer of a cell. */
  #ports: number[] = []
  #cellPort: number | null = null
  #probeFiles = 0

  constructor(parts: Parts) {
    this.#parts = parts
    this.folder = parts.folder
    this.superuser = parts.superuser
    this.superuserUrl = parts.superuserUrl
    this.clientId = parts.clientId
    this.token = parts.token
    this.call = (endpoint, input) =>
      makeCaller({ base: this.origin, token: () => this.token })(endpoint, input)
  }

  get server(): ServerProcess {
    const [server] = this.#servers
    if (!server) throw new Error('No server is started')
    return server
  }

  get #port(): number {
    return this.#cellPort ?? this.#ports[0] ?? 0
  }

  /** Where consoles call. */
  get origin(): string {
    return this.#cellPort === null ? this.deviceOrigin : `http://localhost:${this.#port}`
  }

  /** Where devices call: http://127.0.0.1:PORT. */
  get deviceOrigin(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Puts four servers behind HAProxy in the place of the one. */
  async becomeCell(): Promise<void> {
    await this.#end()
    this.#ports = await Promise.all(CELL.map(() => freePort()))
    this.#cellPort = await freePort()
    await this.startServers()
    this.#balancer = startCellBalancer(this.folder, this.#cellPort, this.#ports)
    await waitForPort(this.#cellPort)
  }

  /** Puts one server in the place of the cell. */
  async becomeOne(): Promise<void> {
    await this.#end()
    this.#ports = [await freePort()]
    await this.startServers()
  }

  /** Stops the servers and starts others. */
  restart(): Promise<void> {
    return this.#cellPort === null ? this.becomeOne() : this.becomeCell()
  }

  /** Starts the servers on their ports. */
  async startServers(): Promise<void> {
    const settingsOf = (number: number): Record<string, string> =>
      this.#cellPort !== null
        ? {
            ROLE: CELL[number] ?? 'all',
            PUBLIC_URL: this.origin,
            STREAM_URL: this.deviceOrigin,
            TRUST_PROXY: '127.0.0.1',
          }
        : {}
    // Each finds what the one before has made.
    for (const [number, port] of this.#ports.entries())
      this.#servers.push(await this.startServer(port, settingsOf(number)))
  }

  async stopServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(server => server.stop()))
  }

  async killServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(server => server.kill()))
  }

  /** Starts a further server on the same database and files, which is not of those that are measured. */
  async startServer(port = 0, settings: Record<string, string> = {}): Promise<ProbedServer> {
    const { folder, postgres, isProfiled } = this.#parts
    const file = join(this.folder, `probe-${this.#probeFiles++}.jsonl`)
    const environment = { ...settings, BENCH_PROBE: file, BENCH_PROFILES: isProfiled ? PROFILE_FOLDER : '' }
    const nodeArguments = ['--import', join(import.meta.dirname, 'bench-server-probe.ts')]
    const server = await startServer(join(folder, 'server'), postgres.url, {
      port,
      nodeArguments,
      environment,
    })
    let probes = 0
    return {
      ...server,
      probe: ({ collects } = { collects: false }) =>
        readProbe(server.pid, { file, line: probes++, collects }),
    }
  }

  /** The database and the folder of the servers, as an operator's command takes them. */
  get installation(): { DATABASE_URL: string; DATA_DIR: string } {
    return { DATABASE_URL: this.#parts.postgres.url, DATA_DIR: join(this.folder, 'server') }
  }

  /** Puts an empty database in the place of the servers' one, while none runs. */
  async loseDatabase(): Promise<void> {
    const { postgres } = this.#parts
    const { pathname, username } = new URL(postgres.url)
    const name = pathname.slice(1)
    const admin = new Pool({ connectionString: postgres.superuserUrl, max: 1 })
    try {
      await admin.query(`drop database "${name}" with (force)`)
      await admin.query(`create database "${name}" owner "${username}"`)
    } finally {
      await admin.end()
    }
  }

  /** Begins a measurement of processor time. The returned function ends it. */
  measureProcessors(fleetPid?: number): () => ProcessorTimes {
    const pids = [...this.#servers, ...(this.#balancer ? [this.#balancer] : [])].map(({ pid }) => pid)
    const read = () => ({
      server: pids.reduce((sum, pid) => sum + processorSeconds(pid), 0),
      postgres: familySeconds(this.#parts.postgres.pid),
      fleet: fleetPid === undefined ? 0 : processorSeconds(fleetPid),
      passed: performance.now() / 1000,
    })
    const before = read()
    return () => {
      const after = read()
      return {
        server: after.server - before.server,
        postgres: after.postgres - before.postgres,
        fleet: after.fleet - before.fleet,
        passed: after.passed - before.passed,
      }
    }
  }

  /** The event loop's delay since the start of the servers or the last call of this method: that of the slowest server. */
  async takeLoopDelay(): Promise<LoopDelay> {
    const lines = await Promise.all(this.#servers.map(server => server.probe()))
    const worst = (name: keyof LoopDelay) => Math.max(...lines.map(line => line[name]))
    return { p50: worst('p50'), p99: worst('p99'), max: worst('max') }
  }

  /** Lets the server collect all garbage. @returns the megabytes that it keeps, and the loop's delay as `takeLoopDelay` */
  async takeKeptMemory(): Promise<ProbeLine> {
    const [server] = this.#servers
    if (!server) throw new Error('No server is started')
    return server.probe({ collects: true })
  }

  async #end(): Promise<void> {
    await this.stopServers()
    await this.#balancer?.stop()
    this.#balancer = null
    this.#cellPort = null
  }

  async close(): Promise<void> {
    await this.#end()
    await this.superuser.end()
    await this.#parts.postgres.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

async function waitForPort(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1, await pause(50)) {
    const answer = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => null)
    if (answer?.ok) return
  }
  throw new Error('The balancer does not answer')
}

/** Asks a server for a line of its probe file, `bench-server-probe.ts`, and reads it. */
async function readProbe(
  pid: number,
  { file, line, collects }: { file: string; line: number; collects: boolean },
): Promise<ProbeLine> {
  if (collects) writeFileSync(`${file}.collect`, '')
  process.kill(pid, 'SIGUSR2')
  for (let tries = 0; tries < 400; tries += 1) {
    const read = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    if (read.length > line + 1) return JSON.parse(read[line] ?? '') as ProbeLine
    await pause(25)
  }
  throw new Error("The server's event loop did not answer for ten seconds")
}

/** Starts PostgreSQL and a server; with the option `--cell` a cell. The option `--profile` writes profiles of the servers. */
export async function openFleetFixture(args: readonly string[]): Promise<FleetFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir: folder })
  await migrateDatabase(postgres.url)
  const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
  const superuser = new Pool({ connectionString: superuserUrl, max: 2 })
  superuser.on('error', () => undefined)
  await superuser.query('update plans set device_limit = $1', [DEVICE_LIMIT])
  const { clientId, token } = await openAdmin(postgres.url)
  const isProfiled = args.includes('--profile')
  if (isProfiled) mkdirSync(PROFILE_FOLDER, { recursive: true })
  const fixture = new FleetFixture({ folder, postgres, superuser, superuserUrl, clientId, token, isProfiled })
  await (args.includes('--cell') ? fixture.becomeCell() : fixture.becomeOne())
  return fixture
}
