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
import { openClient } from './open-client.ts'
import { familySeconds, processorSeconds } from './processor-time.ts'
import { type ServerProcess, startServer } from './server-process.ts'

/** Seconds of processor time since the start of the measurement. */
export interface ProcessorTimes {
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

/** PostgreSQL and a server with one client whose plan allows any number of devices. */
export class FleetFixture {
  readonly folder: string
  /** A superuser's connections to the server's database. */
  readonly superuser: Pool
  readonly superuserUrl: string
  readonly clientId: string
  /** The token of the client's admin. */
  readonly token: string
  /** Calls the current server as the client's admin. */
  readonly call: Client
  readonly #parts: Parts
  #server: ServerProcess | null = null
  #probes = 0

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
    if (!this.#server) throw new Error('No server is started')
    return this.#server
  }
  set server(server: ServerProcess) {
    this.#server = server
  }

  /** http://127.0.0.1:PORT of the current server. */
  get origin(): string {
    return `http://127.0.0.1:${new URL(this.server.url).port}`
  }

  /** Starts a further server on the same database and files. */
  startServer(port = 0): Promise<ServerProcess> {
    const { folder, postgres, isProfiled } = this.#parts
    const environment = { BENCH_PROBE: this.#probeFile, BENCH_PROFILES: isProfiled ? PROFILE_FOLDER : '' }
    const nodeArguments = ['--import', join(import.meta.dirname, 'bench-server-probe.ts')]
    return startServer(join(folder, 'server'), postgres.url, { port, nodeArguments, environment })
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

  /** Stops the current server and starts another. */
  async restartServer(): Promise<void> {
    await this.server.stop()
    this.server = await this.startServer()
  }

  /** Begins a measurement of processor time. The returned function ends it. */
  measureProcessors(fleetPid?: number): () => ProcessorTimes {
    const read = () => ({
      server: processorSeconds(this.server.pid),
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

  /** The event loop's delay in the current server since its start or the last call of this method. */
  takeLoopDelay(): Promise<LoopDelay> {
    return this.#probe()
  }

  /** Lets the current server collect all garbage. @returns the megabytes that it keeps, and the loop's delay as `takeLoopDelay` */
  takeKeptMemory(): Promise<ProbeLine> {
    writeFileSync(`${this.#probeFile}.collect`, '')
    return this.#probe()
  }

  async #probe(): Promise<ProbeLine> {
    process.kill(this.server.pid, 'SIGUSR2')
    const line = this.#probes++
    for (let tries = 0; tries < 400; tries += 1) {
      const read = existsSync(this.#probeFile) ? readFileSync(this.#probeFile, 'utf8').split('\n') : []
      if (read.length > line + 1) return JSON.parse(read[line] ?? '') as ProbeLine
      await pause(25)
    }
    throw new Error("The server's event loop did not answer for ten seconds")
  }

  async close(): Promise<void> {
    await this.#server?.stop()
    await this.superuser.end()
    await this.#parts.postgres.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }

  get #probeFile(): string {
    return join(this.folder, 'probe.jsonl')
  }
}

/** Starts PostgreSQL and a server. The option `--profile` writes profiles of the server. */
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
  fixture.server = await fixture.startServer()
  return fixture
}
