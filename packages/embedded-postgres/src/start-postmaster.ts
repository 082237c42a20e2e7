import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { logFileOf, rotateLog } from './postgres-log.ts'
import { type Postmaster, readPostmaster } from './postmaster.ts'
import type { Runner } from './unprivileged-runner.ts'

const MAX_ATTEMPTS = 5
const READY_TIMEOUT_SECONDS = 60

interface StartOptions {
  dataDir: string
  parameters?: Record<string, string>
  choosePort?: () => Promise<number>
}

/**
 * Starts postgres and resolves when it accepts connections. If another program takes the chosen port before the start, it
 * tries another port. PostgreSQL's log is DATA_DIR/postgres.log.
 * @throws Error with the last lines of the log
 */
export async function startPostmaster(
  runner: Runner,
  options: StartOptions,
): Promise<Omit<Postmaster, 'isReady'>> {
  const logFile = logFileOf(options.dataDir)
  for (let attempt = 1; ; attempt++) {
    rotateLog(logFile)
    const log = openSync(logFile, 'a', 0o600)
    const before = fstatSync(log).size
    const port = await (options.choosePort ?? freePort)()
    const child = launch(runner, { port, log, parameters: options.parameters ?? {} })
    closeSync(log)
    const postmaster = await waitUntilReady(child, runner.dataFolder)
    if (postmaster) return postmaster
    const output = readFileSync(logFile).subarray(before).toString().trim()
    if (attempt >= MAX_ATTEMPTS || !output.includes('could not bind'))
      throw new Error(`PostgreSQL did not start (${logFile}):\n${output.split('\n').slice(-8).join('\n')}`)
  }
}

function launch(
  runner: Runner,
  options: { port: number; log: number; parameters: Record<string, string> },
): ChildProcess {
  const parameters = {
    port: String(options.port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    ...options.parameters,
  }
  const settings = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [program = runner.binaries.postgres, ...rest] = [
    ...runner.prefix,
    // Innermost, because a change of user clears the signal.
    ...(hasSetpriv() ? ['setpriv', '--pdeathsig', 'INT', '--'] : []),
    runner.binaries.postgres,
    '-D',
    runner.dataFolder,
    ...settings,
  ]
  return spawn(program, rest, {
    // In its own process group: a Ctrl+C in the terminal must reach only the server, which stops PostgreSQL in order.
    detached: true,
    cwd: '/',
    stdio: ['ignore', options.log, options.log],
    ...(runner.user === null ? {} : { uid: runner.user, gid: runner.user }),
  })
}

function hasSetpriv(): boolean {
  return (
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'INT', '--', 'true']).status === 0
  )
}

/** Finds a free port. Another program may take it before PostgreSQL does. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** Waits until the postmaster is ready; null if it has ended. */
async function waitUntilReady(
  child: ChildProcess,
  dataFolder: string,
): Promise<Omit<Postmaster, 'isReady'> | null> {
  let hasEnded = false
  child.once('exit', () => (hasEnded = true))
  child.once('error', () => (hasEnded = true))
  for (let waitedMs = 0; waitedMs < READY_TIMEOUT_SECONDS * 1000 && !hasEnded; waitedMs += 10) {
    const written = readPostmaster(dataFolder)
    if (written?.isReady && written.pid === child.pid) {
      child.unref()
      return { pid: written.pid, port: written.port }
    }
    await pause(10)
  }
  child.kill('SIGINT')
  return null
}
