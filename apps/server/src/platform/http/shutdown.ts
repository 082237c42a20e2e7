import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'

/** The pause between two slices. */
const SLICE_PAUSE_MS = 100
/** The least connections of a slice: 500 a second. */
const MIN_SLICE = 50
const MAX_SLICES = 100

/** The longest time that `closeInSlices` takes. */
export const MAX_SLICES_MS = MAX_SLICES * SLICE_PAUSE_MS

/** Within it a caller whose connection was closed comes back, at a random moment. */
const RETURN_WITHIN_MS = 1000

/** The wait that one caller is told. */
export const pickReturnMs = (): number => Math.round(Math.random() * RETURN_WITHIN_MS)

/**
 * Closes connections a slice at a time, so that another server gets their callers back over some seconds.
 * @param hurry the rest is closed at once
 */
export async function closeInSlices<T>(
  open: readonly T[],
  close: (one: T) => void,
  hurry: AbortSignal,
): Promise<void> {
  const size = Math.max(MIN_SLICE, Math.ceil(open.length / MAX_SLICES))
  for (let from = 0; from < open.length; from += size) {
    if (from > 0) await pauseUnless(hurry, SLICE_PAUSE_MS)
    for (const one of open.slice(from, from + size)) close(one)
  }
}

/** Resolves after this time, or when the signal aborts. */
export const pauseUnless = (hurry: AbortSignal, ms: number): Promise<void> =>
  pause(ms, undefined, { signal: hurry }).catch(() => undefined)

/**
 * What a server does before it closes, while it still answers. `begin` makes it unready, so that balancers send others elsewhere; `leave` ends
 * the work that goes on beside calls, and the connections that stay open. docs/decisions/0348
 */
export class Shutdown {
  readonly #log: Pick<FastifyBaseLogger, 'warn'>
  readonly #steps: ((hurry: AbortSignal) => Promise<void> | void)[] = []
  #hasBegun = false
  #leaving: Promise<void> | null = null

  constructor(log: Pick<FastifyBaseLogger, 'warn'>) {
    this.#log = log
  }

  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** Whether connections that would stay open are refused: those that are there are being closed. */
  get isLeaving(): boolean {
    return this.#leaving !== null
  }

  begin(): void {
    this.#hasBegun = true
  }

  /** Adds a step of `leave`. All steps run beside one another. */
  onLeave(step: (hurry: AbortSignal) => Promise<void> | void): void {
    this.#steps.push(step)
  }

  /** Resolves when all steps have ended; never rejects. */
  leave(hurry: AbortSignal): Promise<void> {
    this.begin()
    this.#leaving ??= this.#runSteps(hurry)
    return this.#leaving
  }

  async #runSteps(hurry: AbortSignal): Promise<void> {
    const ended = await Promise.allSettled(this.#steps.map(async step => step(hurry)))
    for (const { reason } of ended.filter(one => one.status === 'rejected'))
      this.#log.warn({ err: reason as unknown }, 'a part of the server did not end in order')
  }
}

/** The shutdown of a server; one that is closed without it leaves at once. */
export function openShutdown(app: FastifyInstance): Shutdown {
  const shutdown = new Shutdown(app.log)
  app.addHook('onRequest', (_, reply, done) => {
    // A balancer that keeps connections open would find them closed in the middle of its next call.
    if (shutdown.hasBegun) reply.header('connection', 'close')
    done()
  })
  app.addHook('preClose', () => shutdown.leave(AbortSignal.abort()))
  return shutdown
}
