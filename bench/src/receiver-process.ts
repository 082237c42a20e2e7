import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { endWithThisProcess } from './server-process.ts'

/** What receivers connect to. */
export interface Receivers {
  port: number
  perSecond: number
  /** Of devices' channels, or of subscribers. */
  channels: ({ path: string; token: string } | { id: string; topic: string })[]
  /** The superuser's URL, to see whether an alert's row is committed when the alert comes; null for a broker. */
  databaseUrl: string | null
}

export interface Arrivals {
  /** Milliseconds since 1970, in the order of arrival. */
  times: number[]
  /** The p99 and the worst delay of the receivers' event loop since all were connected. */
  lagMs: number
  lagMax: number
  /** Whether the alert's row was visible when the first receiver got it. */
  isCommitted: boolean
}

export interface ReceiverProcess {
  pid: number
  arrivalsOf: (alertUid: string) => Promise<Arrivals>
  stop: () => Promise<void>
}

/** Starts receivers in their own process, and waits until all are connected. */
export async function startReceivers(receivers: Receivers): Promise<ReceiverProcess> {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'bench-alert-receivers.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  endWithThisProcess(program)
  const ended = once(program, 'exit')
  const answers = createInterface({ input: program.stdout })[Symbol.asyncIterator]()
  const next = async (line: string) => {
    program.stdin.write(`${line}\n`)
    const { value, done } = await answers.next()
    if (done) throw new Error('The receivers ended')
    return JSON.parse(value) as unknown
  }
  const { ready, refused } = (await next(JSON.stringify(receivers))) as { ready: number; refused: object }
  if (ready < receivers.channels.length)
    throw new Error(`${ready} of ${receivers.channels.length} receivers: ${JSON.stringify(refused)}`)
  return {
    pid: program.pid ?? 0,
    arrivalsOf: async alertUid => (await next(alertUid)) as Arrivals,
    stop: async () => {
      program.stdin.end()
      await ended
    },
  }
}
