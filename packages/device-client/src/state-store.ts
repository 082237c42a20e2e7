/** Small values by name, each as JSON. What the disk does not take waits in memory and is read from there. */
export interface StateStore {
  /** Runs `work` in a transaction of the state and the event log. */
  atomically: (work: () => void) => void
  /** Null if it was never written or cannot be read. */
  read: (name: string) => unknown
  /** Returns whether it is on the disk. */
  write: (name: string, value: unknown) => boolean
  remove: (name: string) => void
  /** The names on the disk that begin so. */
  names: (beginning: string) => string[]
}
