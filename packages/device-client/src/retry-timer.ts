import { CallError } from '@floorcast/contract/client.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'

/** A server or proxy that asks for longer is asked again after this. */
const MAX_RETRY_AFTER_SECONDS = 15 * 60
/** Devices told the same Retry-After return spread over this share of it. */
const RETRY_AFTER_SPREAD = 0.25

export interface RetryParts {
  /** Milliseconds of a clock that neither jumps nor stops. */
  steady: () => number
  /** From 0 to 1. */
  random: () => number
}

/** The server's `Retry-After` in seconds; null when it asked for none. */
export const retryAfterOf = (error: unknown): number | null =>
  error instanceof CallError ? error.retryAfterSeconds : null

/** When to try again after failures: by exponential back-off with jitter, and never before the server's `Retry-After`. */
export class RetryTimer {
  readonly #parts: RetryParts
  #failures = 0
  #backoffEndsAt = -Infinity
  #notBefore = -Infinity

  constructor(parts: RetryParts) {
    this.#parts = parts
  }

  /** Failures in a row. */
  get failures(): number {
    return this.#failures
  }
  /** From now until the next try; 0 when it is due. */
  get delayMs(): number {
    return Math.max(0, Math.max(this.#backoffEndsAt, this.#notBefore) - this.#parts.steady())
  }

  fail(retryAfterSeconds: number | null): void {
    const { steady, random } = this.#parts
    const now = steady()
    this.#failures += 1
    this.#backoffEndsAt = now + backoffOf(this.#failures, random())
    if (retryAfterSeconds === null) return
    const askedMs = Math.min(retryAfterSeconds, MAX_RETRY_AFTER_SECONDS) * 1000
    this.#notBefore = now + askedMs * (1 + random() * RETRY_AFTER_SPREAD)
  }
  /** The server answered, or may answer again: back-off begins from the start, `Retry-After` holds. */
  reset(): void {
    this.#failures = 0
    this.skipBackoff()
  }
  /** There is a reason to try before the back-off ends; `Retry-After` holds. */
  skipBackoff(): void {
    this.#backoffEndsAt = -Infinity
  }
}
