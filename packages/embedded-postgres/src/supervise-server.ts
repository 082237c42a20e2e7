import { isAlive } from './postmaster.ts'

/** A postmaster as one server knows it. */
export interface Held {
  pid: number
  port: number
  /** Ours to stop: we started it, or who did is gone. */
  isOurs: boolean
}

export interface Keeping {
  /** Starts it anew, or adopts what another server started meanwhile; null: leave it to that server and look again. */
  revive: (port: number) => Promise<Held | null>
  /** Told of each failed and each successful try. */
  said: (what: { pid: number } | { error: unknown }) => void
}

const LOOK_MILLIS = 500

/**
 * Looks after a postmaster that may end by itself (killed for want of memory, by somebody, with the server that had started
 * it): it comes back on the port that every connection knows.
 */
export function keepPostmaster(first: Held, { revive, said }: Keeping) {
  let held = first
  let reviving: Promise<void> | null = null
  const look = async () => {
    try {
      const next = await revive(held.port)
      if (!next) return
      held = next
      said({ pid: held.pid })
    } catch (error) {
      said({ error })
    }
  }
  const timer = setInterval(() => {
    if (reviving || isAlive(held.pid)) return
    reviving = look().finally(() => {
      reviving = null
    })
  }, LOOK_MILLIS)
  // It keeps PostgreSQL, not the program.
  timer.unref()
  return {
    /** The postmaster of now. */
    current: () => held,
    /** Ends the looking. @returns the postmaster there is. */
    end: async (): Promise<Held> => {
      clearInterval(timer)
      await reviving
      return held
    },
  }
}
