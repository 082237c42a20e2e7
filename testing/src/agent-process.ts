import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { DeviceEvent, PlayEvent } from '@floorcast/contract/events.ts'
import { noteProgram } from './test-uses.ts'

const main = fileURLToPath(new URL('../../apps/agent/src/main.ts', import.meta.url))

/** One run of the agent's program. */
export interface AgentRun {
  output: string[]
  ended: Promise<number | null>
  kill: (signal: NodeJS.Signals) => Promise<number | null>
  pid: number
}

/** Runs the agent's program with a data folder that outlives each run. `program` is the current one by default. */
export class AgentFixture {
  readonly dataDir: string
  readonly #program: string
  readonly #runs: AgentRun[] = []

  constructor(dataDir: string, program = main) {
    this.dataDir = dataDir
    this.#program = program
  }
  static async make(program?: string): Promise<AgentFixture> {
    return new AgentFixture(await mkdtemp(join(tmpdir(), 'floorcast-agent-')), program)
  }

  /**
   * `bin` is a folder with programs that the agent finds first, `path` the only one in which it finds any, `display` the X server
   * of its screen, `authorities` the system's file of certificate authorities, `node` the Node that runs it, `runtime` the folder that systemd gives it.
   */
  start(
    url: string,
    {
      key = 'KEY',
      args = [] as string[],
      bin = '',
      path = '',
      display = '',
      authorities = '',
      node = process.execPath,
      runtime = '',
    } = {},
  ): AgentRun {
    const env = {
      ...(bin !== '' && { PATH: `${bin}:${process.env['PATH'] ?? ''}` }),
      ...(path !== '' && { PATH: path }),
      ...(authorities !== '' && { SSL_CERT_FILE: authorities }),
      ...(display !== '' && { DISPLAY: display }),
      ...(runtime !== '' && { RUNTIME_DIRECTORY: runtime }),
    }
    return this.#run(['--server', url, '--key', key, '--audio', 'null', ...args], env, node)
  }

  /** Its event log, by `--print-events`. */
  async readEvents(): Promise<DeviceEvent[]> {
    const run = this.#run(['--print-events'])
    if ((await run.ended) !== 0) throw new Error(run.output.join(''))
    const lines = run.output.join('').split('\n')
    return lines.filter(line => line !== '').map(line => JSON.parse(line) as DeviceEvent)
  }
  async readPlays(): Promise<PlayEvent[]> {
    return (await this.readEvents()).filter(event => event.kind === 'playtrack')
  }
  /** The number of plays in its log. It starts no process, so that a test can poll it. */
  countPlays(): number {
    const [row] = this.#query("select count(*) as plays from event where body ->> '$.kind' = 'playtrack'")
    return Number(row?.['plays'])
  }
  /** The number of events that it has in memory only, because the disk takes no writes. */
  countUnstored(): number {
    const [bootId = '', number] = readFileSync(join(this.dataDir, 'last-number'), 'utf8').trim().split(' ')
    const [row] = this.#query(`select max(sequence) as stored from event where boot_id = '${bootId}'`)
    return Number(number) - Number(row?.['stored'])
  }
  /**
   * Leaves no room in SQLite's write-ahead log, which a full disk would let it use for minutes.
   * @throws Error while the agent uses the log
   */
  truncateLog(): void {
    const database = new DatabaseSync(join(this.dataDir, 'agent.db'))
    try {
      const [row] = database.prepare('pragma wal_checkpoint(truncate)').all()
      if (row?.['busy'] !== 0) throw new Error('The log is in use')
    } finally {
      database.close()
    }
  }
  /** The starts of the current plays, from the saved progress. Empty in silence. */
  playingSince(): string[] {
    return [...readFileSync(join(this.dataDir, 'progress'), 'utf8').matchAll(/"startedAt":"([^"]*)"/g)].map(
      ([, since = '']) => since,
    )
  }
  /** The agent's saved state; null if it has none of this name. */
  readState(name: string): unknown {
    const [row] = this.#query(`select value from state where name = '${name}'`)
    return row ? (JSON.parse(String(row['value'])) as unknown) : null
  }
  /** Changes the saved state of an agent that does not run. */
  writeState(name: string, value: unknown): void {
    const database = new DatabaseSync(join(this.dataDir, 'agent.db'))
    database
      .prepare('insert or replace into state (name, value) values (?, ?)')
      .run(name, JSON.stringify(value))
    database.close()
  }
  async printCue(): Promise<string> {
    const run = this.#run(['--print-cue'])
    await run.ended
    return run.output.join('')
  }

  /** Ends all runs and removes the data folder. */
  async clear(): Promise<void> {
    for (const run of this.#runs) await run.kill('SIGKILL')
    await rm(this.dataDir, { recursive: true, force: true }).catch((error: unknown) => {
      // A disk of the test that takes no writes.
      if (!String(error).includes('EROFS')) throw error
    })
  }

  #query(question: string) {
    const database = new DatabaseSync(join(this.dataDir, 'agent.db'), { readOnly: true })
    try {
      return database.prepare(question).all()
    } finally {
      database.close()
    }
  }

  #run(args: string[], env: NodeJS.ProcessEnv = {}, node = process.execPath): AgentRun {
    noteProgram(this.#program)
    const child: ChildProcess = spawn(node, [this.#program, '--data', this.dataDir, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const output: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => output.push(data.toString()))
    const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
    const kill = (signal: NodeJS.Signals) => {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      return ended
    }
    const run = { output, ended, kill, pid: child.pid ?? 0 }
    this.#runs.push(run)
    return run
  }
}

/** Whether a process has ended or is a zombie, which a container's first process may leave. */
export async function isGone(pid: number): Promise<boolean> {
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') X')
  return /\) [ZX]/.test(state)
}

/** The process ids of a process's mpv children. Those of a test's worker are its servers and its browser too. */
export async function mpvsOf(pid: number): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  const pids = children.split(' ').filter(Boolean).map(Number)
  const commands = await Promise.all(
    pids.map(child => readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')),
  )
  return pids.filter((_, index) => commands[index]?.includes('--input-ipc-client='))
}
