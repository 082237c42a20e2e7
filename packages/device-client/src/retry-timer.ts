import { CallError } from '@floorcast/contract/client.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'

/** The longest accepted `Retry-After` of a server or proxy. */
const MAX_RETRY_AFTER_SECONDS = 15 * 60
/** Devices with the same `Retry-After` return spread over this share of it. */
const RETRY_AFTER_SPREAD = 0.25

export interface RetryParts {
  /** Milliseconds of a monotonic clock. */
  steady: () => number
  /** From 0 to 1. */
  random: () => number
}

/** The server's `Retry-After` in seconds; null without one. */
export const retryAfterOf = (error: unknown): number | null =>
  error instanceof CallError ? error.retryAfterSeconds : null

/** Computes the time of the next attempt: exponential back-off with jitter, and never before the server's `Retry-After`. */
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
  /** The time until the next attempt; 0 if it is due. */
  get delayMs(): number {
    return Math.max(0, Math.max(this.#backoffEndsAt, this.#notBefore) - this.#parts.steady())
  }

  /** The rest of the server's `Retry-After`; 0 without one. */
  get retryAfterMs(): number {
    return Math.max(0, this.#notBefore - this.#parts.steady())
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
  /** Resets the back-off after an answer, or a sign that the server may answer again. `Retry-After` still holds. */
  reset(): void {
    this.#failures = 0
    this.skipBackoff()
  }
  /** Ends the current back-off. `Retry-After` still holds. */
  skipBackoff(): void {
    this.#backoffEndsAt = -Infinity
  }
}
