import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { endWithThisProcess } from './server-process.ts'

const root = resolve(import.meta.dirname, '../..')
/** Connections from one address to one server end at some 28,000. */
const ADDRESSES = 8
/** More than the ten seconds after which the fleet counts a call as unanswered. */
const SETTLE_MS = 12_000

interface Calls {
  sent: number
  acknowledged: number
  later: number
  errors: number
  unanswered: number
  p50: number | null
  p95: number | null
  p99: number | null
}

/** The fleet's summary: what the benches read of it. */
export interface FleetSummary {
  sessions: Calls
  manifests: Calls & { byCause: Record<string, number>; unchanged: number }
  programmes: Calls
  heartbeats: Calls
  batches: Calls
  channels: Calls & { connected: number; dropped: number }
  plays: number
  events: { accepted: number; refused: number }
  alerts: { received: number; p50: number | null; p99: number | null; last: number | null }
  bytes: Record<'manifests' | 'programmes' | 'media' | 'channel' | 'others', number>
  publications: { uid: string; revision: number; devices: number; lastAt: number }[]
  /** Of the devices with faults; all other figures are of those without. */
  faulty?: { plays: number; events: { accepted: number; duplicates: number; refused: number; lost: number } }
}

export interface FleetProcess {
  pid: number
  /** How many devices have no fault. */
  faultless: number
  summary: () => Promise<FleetSummary>
  /** Begins the counts of calls, alerts and bytes again. */
  mark: () => void
  /** Sends the devices' logs and ends. */
  stop: () => Promise<FleetSummary>
}

/** Calls of all kinds that were neither answered nor told to come later. */
export const errorsOf = (summary: FleetSummary): number =>
  [
    summary.sessions,
    summary.manifests,
    summary.programmes,
    summary.heartbeats,
    summary.batches,
    summary.channels,
  ].reduce((sum, { errors }) => sum + errors, 0)

/** Those of a fleet's devices that have no fault, by the rule of the fleet: each hundredth has one at 1 %. */
export const faultlessOf = <Device>(devices: readonly Device[], faultyPercent: number): Device[] =>
  devices.filter((_, nr) => {
    const faultyBefore = (number: number) => Math.floor((number * faultyPercent) / 100 + 1e-9)
    return faultyBefore(nr + 1) === faultyBefore(nr)
  })

interface FleetStart {
  /** http://127.0.0.1:PORT */
  server: string
  licenseKeys: readonly string[]
  keysFile: string
  perSecond: number
  /** How many devices of a hundred have a fault; none by default. */
  faultyPercent?: number
  /** Whether devices keep what they have sent, for a restored server. */
  keepsSent?: boolean
  nodeArguments?: readonly string[]
}

function spawnFleet(start: FleetStart) {
  const { server, licenseKeys, keysFile, perSecond, faultyPercent = 0, keepsSent = false } = start
  writeFileSync(keysFile, JSON.stringify(licenseKeys))
  const values = {
    devices: licenseKeys.length,
    server,
    keys: keysFile,
    'per-second': perSecond,
    faulty: faultyPercent,
    addresses: ADDRESSES,
  }
  const options = Object.entries(values).flatMap(([name, value]) => [`--${name}`, String(value)])
  const flags = ['--holds-all', '--ends-with-input', ...(keepsSent ? ['--keeps-sent'] : [])]
  const args = [...(start.nodeArguments ?? []), 'apps/fleet/src/main.ts', ...options, ...flags]
  return spawn(process.execPath, args, { cwd: root, stdio: ['pipe', 'pipe', 'pipe'] })
}

/** Starts the fleet as a program that holds all files. It prints a line to standard error each ten seconds. */
export function startFleet(start: FleetStart): FleetProcess {
  const { licenseKeys, faultyPercent = 0 } = start
  const program = spawnFleet(start)
  endWithThisProcess(program)
  let lines = 0
  createInterface({ input: program.stderr }).on('line', line => {
    if (lines++ % 10 === 9 || !line.includes(' connected')) console.error(`  fleet: ${line}`)
  })
  const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  const read = async () => {
    const { value, done } = await answers.next()
    if (done) throw new Error('The fleet ended')
    return JSON.parse(value) as FleetSummary
  }
  // One request at a time, so that each gets its own line.
  let reading: Promise<FleetSummary | null> = Promise.resolve(null)
  const next = (ask: () => void) => {
    const answer = reading.then(() => {
      ask()
      return read()
    })
    reading = answer.catch(() => null)
    return answer
  }
  const ended = once(program, 'exit')
  return {
    pid: program.pid ?? 0,
    faultless: faultlessOf(licenseKeys, faultyPercent).length,
    summary: () => next(() => program.stdin.write('summary\n')),
    mark: () => program.stdin.write('mark\n'),
    stop: async () => {
      const summary = await next(() => program.stdin.end())
      await ended
      return summary
    },
  }
}

/** Reads the summary when each call of the time before is answered, or counts as unanswered. */
export async function settledSummary(fleet: FleetProcess): Promise<FleetSummary> {
  await pause(SETTLE_MS)
  return fleet.summary()
}

/** Reads the summary until it is as wanted. @returns the seconds that passed; null after `seconds` without */
export async function waitForFleet(
  fleet: FleetProcess,
  isWanted: (summary: FleetSummary) => boolean,
  seconds: number,
): Promise<number | null> {
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1000
  while (passed() < seconds) {
    if (isWanted(await fleet.summary())) return passed()
    await pause(250)
  }
  return null
}
