import { Agent, get } from 'node:http'
import { percentile } from './percentile.ts'

/** One call each 100 ms, whether the former ones are answered or not. */
const INTERVAL_MS = 100
/** A console gives up. */
const TIMEOUT_MS = 60_000

/** Milliseconds of the console's answered calls; one that still waits counts with its time until then. */
export interface ConsoleTimes {
  /** Calls that ended without an answer, or with another status than 200. They have no time: a refusal is fast. */
  failed: number
  p50: number
  p95: number
  max: number
}

export interface ConsoleProber {
  /** The answers since the start or the last call of this function. It prints on stderr why calls failed. */
  take: () => ConsoleTimes
  stop: () => void
}

/** Calls the console's paths in turn, as an open page does. */
export function startProber(origin: string, token: string, paths: readonly string[]): ConsoleProber {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: 1000 })
  const running = new Set<number>()
  let times: number[] = []
  let failures: string[] = []
  let turn = 0
  const call = (path: string) => {
    const startedAt = performance.now()
    running.add(startedAt)
    const end = (failure: string | null) => {
      if (!running.delete(startedAt)) return
      if (failure === null) times.push(performance.now() - startedAt)
      else failures.push(failure)
    }
    const options = { agent, timeout: TIMEOUT_MS, headers: { authorization: `Bearer ${token}` } }
    const request = get(`${origin}${path}`, options, answer => {
      answer.resume()
      answer.on('error', error => end(error.message))
      answer.on('end', () => end(answer.statusCode === 200 ? null : `HTTP ${answer.statusCode}`))
    })
    request.on('timeout', () => request.destroy())
    request.on('error', error => end(error.message))
  }
  const timer = setInterval(() => call(paths[(turn += 1) % paths.length] ?? '/'), INTERVAL_MS)
  return {
    take: () => {
      const now = performance.now()
      const all = [...times, ...[...running].map(startedAt => now - startedAt)].toSorted((a, b) => a - b)
      const taken = { failed: failures.length, p50: percentile(all, 0.5), p95: percentile(all, 0.95) }
      const byWhy = Object.entries(Object.groupBy(failures, why => why))
      for (const [why, some = []] of byWhy) console.error(`${some.length} console calls failed: ${why}`)
      times = []
      failures = []
      return { ...taken, max: all.at(-1) ?? Number.NaN }
    },
    stop: () => {
      clearInterval(timer)
      agent.destroy()
    },
  }
}
