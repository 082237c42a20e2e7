import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '../../platform/lib/errors.ts'

/** How long a request waits for an upload that another one holds. */
const LOCK_WAIT_MS = 10_000
/** How long a request may go on that another one waits for. */
const DRAIN_MS = 1000

interface LockHolder {
  /** Aborts the holder's request after a moment. */
  interrupt: () => void
  released: Promise<void>
}

/** One request at a time works on an upload. The next one has it interrupted, and waits. */
export class UploadLocks {
  readonly #holders = new Map<string, LockHolder>()

  isHeld(uid: string): boolean {
    return this.#holders.has(uid)
  }

  /** @param work gets the signal of an interruption. @throws ProblemError 423 if the holder does not end in time */
  async run<T>(uid: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    await this.#waitFor(uid)
    const interruption = new AbortController()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let drain: NodeJS.Timeout | undefined
    const interrupt = () => {
      drain ??= setTimeout(() => interruption.abort(), DRAIN_MS)
    }
    this.#holders.set(uid, { interrupt, released })
    try {
      return await work(interruption.signal)
    } finally {
      clearTimeout(drain)
      this.#holders.delete(uid)
      release()
    }
  }

  async #waitFor(uid: string): Promise<void> {
    const waiting = new AbortController()
    const late = sleep(LOCK_WAIT_MS, 'late' as const, { signal: waiting.signal })
    late.catch(() => {}) // not late
    try {
      for (let holder = this.#holders.get(uid); holder; holder = this.#holders.get(uid)) {
        holder.interrupt()
        if ((await Promise.race([holder.released, late])) === 'late')
          throw new ProblemError('upload-busy', { detail: 'Another request is writing to this upload' })
      }
    } finally {
      waiting.abort()
    }
  }
}
