import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { json, text } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { register } from '@floorcast/contract/auth.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import type { AttackOrder } from './attack-worker.ts'
import { atTheEnd } from './at-the-end.ts'
import { PROXY_ADDRESS, type ProxyProgram, startReverseProxy } from './reverse-proxy.ts'
import { type ServerProgram, startServerProgram } from './server-program.ts'
import { testDatabase } from './test-database.ts'

/** The figures of an honest caller and of the server's memory. */
export interface AttackFigures {
  calls: number
  failed: number
  p50Ms: number
  p95Ms: number
  maxMs: number
  /** The peak above the memory before the work, of the server that grew most (Linux). */
  growthMb: number
  /** Processor time of all servers, which other programs on the machine do not change. */
  processorMs: number
}

const INTERVAL_MS = 50
/** How many servers of one database a proxy calls in turns. */
const SERVERS = Number(process.env['TEST_SERVERS'] ?? 1)
/** Calls before the first measurement, so that the code is compiled. */
const WARM_UP_CALLS = 200

const kilobytesOf = (pid: number, field: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

/** Clock ticks of a process, of 10 ms each (Linux). */
function ticksOf(pid: number): number {
  const [, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const numbers = fields.join(') ').split(' ')
  return Number(numbers[11]) + Number(numbers[12])
}

interface Path {
  path: string
  token?: string
  /** Keeps its connection; without it each call opens one. */
  agent: Agent
}

/** The milliseconds of a call, or why it failed. */
function timeCall(origin: string, { path, token, agent }: Path): Promise<number | string> {
  const { promise, resolve } = Promise.withResolvers<number | string>()
  const startedAt = performance.now()
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
  get(`${origin}${path}`, { agent, headers }, answer => {
    const { statusCode } = answer
    text(answer).then(
      body =>
        resolve(
          statusCode === 200 ? performance.now() - startedAt : `HTTP ${statusCode} ${body.slice(0, 200)}`,
        ),
      ({ message }: Error) => resolve(message),
    )
  }).on('error', ({ message }) => resolve(message))
  return promise
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** The attacker: its connections are in a thread, so that they do not delay the honest callers themselves. */
function startAttacker(port: number) {
  const worker = new Worker(new URL('./attack-worker.ts', import.meta.url), { workerData: { port } })
  atTheEnd(() => worker.terminate())
  return async (order: AttackOrder): Promise<(number | string)[]> => {
    const answered = once(worker, 'message')
    worker.postMessage(order)
    const [ends] = (await answered) as [(number | string)[]]
    return ends
  }
}

/**
 * Registers a client from an address, and returns the token of its admin. An address registers thirty clients in ten
 * minutes.
 */
async function registerClient(origin: string, email: string, localAddress: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const call = request(`${origin}${register.path}`, { method: 'POST', localAddress, headers })
  call.end(JSON.stringify({ fullName: 'Olga Owner', email, password: 'a long password', terms: true }))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  return ((await json(answer)) as { data: { token: string } }).data.token
}

/** Servers of one folder. */
async function startServers(settings: Record<string, string>, count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-attacked-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const programs: ServerProgram[] = []
  const ports: number[] = []
  while (programs.length < count) {
    const program = startServerProgram({ DATA_DIR: folder, ...settings })
    const [, port] = await program.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
    programs.push(program)
    ports.push(Number(port))
  }
  return { programs, ports }
}

/**
 * A server in a process with a heap of 512 MB, or TEST_SERVERS of them, a client on it, and honest callers that measure it; all callers come
 * through the proxy.
 */
export async function startAttackedServer(
  environment: Record<string, string> = {},
  through: ProxyProgram | 'no proxy' = SERVERS > 1 ? 'haproxy' : 'no proxy',
) {
  const { url, database, superuserUrl } = await testDatabase()
  const heap = { NODE_OPTIONS: '--max-old-space-size=512', LOG_LEVEL: 'warn' }
  const trust = through === 'no proxy' ? {} : { TRUST_PROXY: PROXY_ADDRESS }
  const settings = { DATABASE_URL: url, ...heap, ...trust, ...environment }
  const { programs, ports } = await startServers(settings, through === 'no proxy' ? 1 : SERVERS)
  const port = through === 'no proxy' ? ports[0] : await startReverseProxy(through, ports)
  const origin = `http://127.0.0.1:${port}`
  const pids = programs.map(({ child }) => child.pid ?? 0)
  const newClient = (email: string, localAddress = '127.0.0.1') => registerClient(origin, email, localAddress)
  const token = await newClient('honest@example.com')
  const [kept, fresh] = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })]
  const paths: Path[] = [
    { path: listDevices.path, token, agent: kept },
    { path: '/health/ready', agent: fresh },
    { path: listDevices.path, token, agent: fresh },
  ]
  for (let count = 0; count < WARM_UP_CALLS; count += 1)
    for (const path of paths.slice(0, 2)) await timeCall(origin, path)

  const attack = startAttacker(Number(port))
  atTheEnd(async () => kept.destroy())

  /** Runs the attack while honest callers call, prints the figures, and closes the attack's connections. */
  const measure = async (name: string, work: () => Promise<unknown>): Promise<AttackFigures> => {
    const before = pids.map(pid => {
      writeFileSync(`/proc/${pid}/clear_refs`, '5') // resets the peak
      return { pid, kilobytes: kilobytesOf(pid, 'VmRSS'), ticks: ticksOf(pid) }
    })
    const calls: Promise<number | string>[] = []
    const timer = setInterval(() => {
      const path = paths[calls.length % paths.length]
      if (path) calls.push(timeCall(origin, path))
    }, INTERVAL_MS)
    await work()
    clearInterval(timer)
    const results = await Promise.all(calls)
    const times = results.filter(result => typeof result === 'number').toSorted((a, b) => a - b)
    const failures = results.filter(result => typeof result === 'string')
    const figures = {
      calls: results.length,
      failed: failures.length,
      p50Ms: Math.round(percentile(times, 0.5)),
      p95Ms: Math.round(percentile(times, 0.95)),
      maxMs: Math.round(times.at(-1) ?? Number.NaN),
      growthMb: Math.max(
        ...before.map(({ pid, kilobytes }) => Math.round((kilobytesOf(pid, 'VmHWM') - kilobytes) / 1000)),
      ),
      processorMs: before.reduce((sum, { pid, ticks }) => sum + (ticksOf(pid) - ticks) * 10, 0),
    }
    console.log(`${name}: ${JSON.stringify({ ...figures, why: failures.slice(0, 3) })}`)
    await attack({ do: 'close' })
    await pause(1000)
    return figures
  }
  return { origin, programs, token, database, superuserUrl, newClient, attack, measure }
}
