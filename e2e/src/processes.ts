import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { timed } from '@floorcast/testing/test-times.ts'
import { noteLog, noteProgram } from '@floorcast/testing/test-uses.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const SERVER = 'apps/server/src/main.ts'

export interface Program {
  readonly pid: number
  readonly output: string[]
  /** The exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  signal: (signal: NodeJS.Signals) => void
  /** SIGTERM and wait. */
  stop: () => Promise<number | null>
  /** SIGKILL and wait: the process cannot clean up. */
  kill: () => Promise<number | null>
}

function watch(child: ChildProcess): Program {
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data: Buffer) => {
      output.push(data.toString())
      noteLog(data.toString())
    })
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  const finish = (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal)
    return ended
  }
  return {
    pid: child.pid ?? -1,
    output,
    ended,
    signal: signal => void child.kill(signal),
    stop: () => finish('SIGTERM'),
    kill: () => finish('SIGKILL'),
  }
}

const END_WITH_CALLER = import.meta.resolve('@floorcast/testing/end-with-caller.ts')

interface ProgramRun {
  env?: Record<string, string>
  /** Nobody stops it: it ends with this process. */
  endsWithCaller?: boolean
}

/** Runs one of the project's programs on this Node; `script` is relative to the repository. */
export function runProgram(
  script: string,
  args: string[] = [],
  { env = {}, endsWithCaller = false }: ProgramRun = {},
): Program {
  noteProgram(root + script)
  return watch(
    spawn(
      process.execPath,
      [...(endsWithCaller ? ['--import', END_WITH_CALLER] : []), root + script, ...args],
      {
        cwd: root,
        env: { ...process.env, ...env },
        stdio: [endsWithCaller ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      },
    ),
  )
}

/**
 * Polls `ready` until it resolves with true.
 * @throws Error with `what` after `seconds`
 */
export async function waitUntil(what: string, ready: () => Promise<boolean>, seconds = 120): Promise<void> {
  const deadline = Date.now() + seconds * 1000
  while (Date.now() < deadline) {
    if (await ready().catch(() => false)) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(`Waited ${seconds} s for: ${what}`)
}

export interface RunningServer extends Program {
  readonly url: string
}

/**
 * Starts the server on its embedded database and waits until it is ready. The same port and folder restart the same
 * server after a kill.
 */
export function startServer(
  port: number,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<RunningServer> {
  return runServer({ port, dataDir, env })
}

/** Starts a server that nobody stops: it ends with this process. */
export const startLastingServer = (port: number, dataDir: string, env: Record<string, string>) =>
  runServer({ port, dataDir, env, endsWithCaller: true })

/** A test file that uses a running server depends on its program too. */
export const noteServer = (): void => noteProgram(root + SERVER)

/** Starts the server with a demonstration, which fills its database first. */
export const startDemonstration = (port: number, dataDir: string, env: Record<string, string>) =>
  runServer({ port, dataDir, env, command: ['tools/start.ts', '--demo'] })

interface ServerRun extends ProgramRun {
  port: number
  dataDir: string
  /** The program and its arguments. */
  command?: [string, ...string[]]
}

async function runServer({
  port,
  dataDir,
  env,
  endsWithCaller,
  command: [program, ...args] = [SERVER],
}: ServerRun): Promise<RunningServer> {
  const url = `http://127.0.0.1:${port}`
  const running = runProgram(program, args, {
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      PUBLIC_URL: url,
      DATABASE_URL: '',
      LOG_LEVEL: 'info',
      DRAIN_SECONDS: '0',
      ...env,
    },
    ...(endsWithCaller ? { endsWithCaller } : {}),
  })
  const dead = running.ended.then(code => {
    throw new Error(`The server ended with ${code}:\n${running.output.join('')}`)
  })
  const ready = waitUntil('the server is ready', async () => (await fetch(`${url}/health/ready`)).ok, 90)
  await timed('servers', () => Promise.race([ready, dead]))
  dead.catch(() => undefined)
  return { ...running, url }
}

interface AgentRun {
  url: string
  key: string
  dataDir: string
}

/** @param more further options of the agent */
export function runAgent({ url, key, dataDir }: AgentRun, more: readonly string[]): Program {
  const args = ['--server', url, '--key', key, '--data', dataDir, '--audio', 'null', ...more]
  return runProgram('apps/agent/src/main.ts', args)
}

export const startAgent = (url: string, key: string, dataDir: string): Program =>
  runAgent({ url, key, dataDir }, [])

/** The agent's own event log, oldest first: one JSON line an event. */
export async function readAgentEvents(dataDir: string): Promise<unknown[]> {
  const program = runProgram('apps/agent/src/main.ts', ['--data', dataDir, '--print-events'])
  const code = await program.ended
  if (code !== 0) throw new Error(`--print-events ended with ${code}: ${program.output.join('')}`)
  return program.output
    .join('')
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as unknown)
}
