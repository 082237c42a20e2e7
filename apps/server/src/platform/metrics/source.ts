import type { Log } from '../log/log.ts'

interface SourceOptions<Value> {
  /** For the log and monitors. */
  name: string
  /** The value is asked for again when it is older, once at a time. */
  maxAgeMs: number
  ask: () => Promise<Value>
  log: Log
}

/** Values live so long beyond their age, while newer ones are asked for. */
const GRACE_MS = 5000

/** A figure that is asked for, at most at an interval. Logs one line when it cannot be had. */
export class Source<Value> {
  readonly #options: SourceOptions<Value>
  #known: { at: number; value: Value } | null = null
  #asking: Promise<void> | null = null
  #hasFailed = false

  constructor(options: SourceOptions<Value>) {
    this.#options = options
  }

  get name(): string {
    return this.#options.name
  }

  /** Null: it could not be had for twice its age. */
  get value(): Value | null {
    return this.#ageMs() < 2 * this.#options.maxAgeMs + GRACE_MS ? (this.#known?.value ?? null) : null
  }

  /** Resolves when the value is new enough, or cannot be had. */
  refresh(): Promise<void> {
    if (this.#ageMs() < this.#options.maxAgeMs) return Promise.resolve()
    this.#asking ??= this.#read().finally(() => (this.#asking = null))
    return this.#asking
  }

  #ageMs(): number {
    return performance.now() - (this.#known?.at ?? -Infinity)
  }

  async #read(): Promise<void> {
    const { name, ask, log } = this.#options
    try {
      const value = await ask()
      this.#known = { at: performance.now(), value }
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) log.warn({ err: error, figures: name }, 'figures for monitors were not read')
      this.#hasFailed = true
    }
  }
}
