import { setTimeout } from 'node:timers/promises'
import type { Lock, Locker, RequestRelease } from '@tus/server'
import { TusRefusal } from '../storage/tus-refusal.ts'

/** Longer than an upload whose sender is gone needs to let go. */
const WAIT_MILLIS = 10_000

interface Holder {
  askToRelease: RequestRelease
  released: PromiseWithResolvers<void>
}

/** An upload that another request holds and does not let go. */
const BUSY = { status_code: 423, body: 'Another request is writing to this upload' }

/**
 * One request at a time works on an upload of this server; the next asks it to let go, and waits. (tus's own locker asks
 * again in every turn of the event loop until it is let in.)
 */
export class TusLocks implements Locker {
  readonly #holders = new Map<string, Holder>()

  newLock(uid: string): Lock {
    return {
      lock: (signal, askToRelease) => this.#take(uid, signal, askToRelease),
      unlock: async () => {
        const holder = this.#holders.get(uid)
        this.#holders.delete(uid)
        holder?.released.resolve()
      },
    }
  }

  isHeld(uid: string): boolean {
    return this.#holders.has(uid)
  }

  async #take(uid: string, signal: AbortSignal, askToRelease: RequestRelease): Promise<void> {
    const deadline = new AbortController()
    const late = setTimeout(WAIT_MILLIS, 'late' as const, {
      signal: AbortSignal.any([signal, deadline.signal]),
    })
    late.catch(() => {}) // let in, or gone
    try {
      for (;;) {
        const holder = this.#holders.get(uid)
        if (!holder) break
        await holder.askToRelease()
        const waited = await Promise.race([holder.released.promise, late])
        if (waited === 'late') throw new TusRefusal(BUSY)
      }
      this.#holders.set(uid, { askToRelease, released: Promise.withResolvers() })
    } finally {
      deadline.abort()
    }
  }
}
