import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { join, relative } from 'node:path'
import { randomUUID } from 'node:crypto'

/** The waits of a test file; `processor` is the time of its own worker. */
export const WAITS = ['servers', 'databases', 'browsers', 'sleeping', 'processor'] as const
export type Wait = (typeof WAITS)[number]

/** The milliseconds of a test file. */
export interface TestTimes extends Record<Wait, number> {
  file: string
  all: number
}

const root = join(import.meta.dirname, '../..')

/** Waits that may overlap count once. */
class Meter {
  ms = 0
  #running = 0
  #since = 0

  begin(): void {
    if (this.#running === 0) this.#since = performance.now()
    this.#running += 1
  }
  end(): void {
    this.#running -= 1
    if (this.#running === 0) this.ms += performance.now() - this.#since
  }
}

const newMeters = () => ({
  servers: new Meter(),
  databases: new Meter(),
  browsers: new Meter(),
  sleeping: new Meter(),
})
let meters = newMeters()
let begun = { at: 0, processor: process.cpuUsage() }

/** Counts how long the tests wait for this. */
export async function timed<T>(wait: Exclude<Wait, 'processor'>, work: () => Promise<T>): Promise<T> {
  const meter = meters[wait]
  meter.begin()
  try {
    return await work()
  } finally {
    meter.end()
  }
}

type Pauses = typeof import('node:timers/promises')
const pauses = createRequire(import.meta.url)('node:timers/promises') as {
  -readonly [Name in keyof Pauses]: Pauses[Name]
}
const isOfTests = /\.test\.ts|\/testing\/src\/|\/e2e\/src\//

/** Times a file from here on, with its pauses; those of the product that runs beside it do not count. */
export function beginTimes(): void {
  meters = newMeters()
  begun = { at: performance.now(), processor: process.cpuUsage() }
  const { setTimeout: pause } = pauses
  if ('isTimed' in pause) return
  const timedPause: typeof pause = (...given) =>
    isOfTests.test(new Error().stack?.split('\n')[2] ?? '')
      ? timed('sleeping', () => pause(...given))
      : pause(...given)
  pauses.setTimeout = Object.assign(timedPause, { isTimed: true })
  syncBuiltinESMExports()
}

/** Writes the times of a file to the folder that `npm test` names. */
export function keepTimes(path: string): void {
  const folder = process.env['TEST_TIMES']
  if (!folder) return
  const { user, system } = process.cpuUsage(begun.processor)
  const times: TestTimes = {
    file: relative(root, path),
    all: performance.now() - begun.at,
    servers: meters.servers.ms,
    databases: meters.databases.ms,
    browsers: meters.browsers.ms,
    sleeping: meters.sleeping.ms,
    processor: (user + system) / 1000,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(times))
}
