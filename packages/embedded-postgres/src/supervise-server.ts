import { isAlive } from './postmaster.ts'

/** The postmaster that owns a data folder's lock file. */
export interface LockOwner {
  pid: number
  port: number
  /** Whether this process supervises it: it started it, or the previous supervisor has ended. */
  isOurs: boolean
}

export interface SupervisionOptions {
  /** Restarts it or attaches to a restarted one. Null means that another supervisor is about to restart it. */
  restart: (port: number) => Promise<LockOwner | null>
  /** Called after each attempt. */
  onRestart: (what: { pid: number } | { error: unknown }) => void
}

const CHECK_INTERVAL_MS = 500

/**
 * Supervises a postmaster: checks it every 500 ms and restarts it if it has ended, for example after a kill for lack of
 * memory. It restarts on the same port, so that connection URLs stay valid.
 */
export function superviseServer(first: LockOwner, { restart, onRestart }: SupervisionOptions) {
  let owner = first
  let pending: Promise<void> | null = null
  const check = async () => {
    try {
      const next = await restart(owner.port)
      if (!next) return
      owner = next
      onRestart({ pid: owner.pid })
    } catch (error) {
      onRestart({ error })
    }
  }
  const timer = setInterval(() => {
    if (pending || isAlive(owner.pid)) return
    pending = check().finally(() => {
      pending = null
    })
  }, CHECK_INTERVAL_MS)
  // The timer must not keep the process alive.
  timer.unref()
  return {
    /** The current postmaster. */
    current: () => owner,
    /** Ends the supervision. @returns the current postmaster */
    end: async (): Promise<LockOwner> => {
      clearInterval(timer)
      await pending
      return owner
    },
  }
}
