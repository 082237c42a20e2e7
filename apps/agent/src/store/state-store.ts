import { inTransaction, type Store } from './store.ts'

/** Small values by name, each as JSON. */
export interface StateStore {
  /** Runs `work` in a transaction of the state and the event log. */
  atomically: (work: () => void) => void
  /** Null if it was never written or cannot be read. */
  read: (name: string) => unknown
  /** Returns whether it was written. */
  write: (name: string, value: unknown) => boolean
  remove: (name: string) => void
  /** The names that begin so. */
  names: (beginning: string) => string[]
}

/** A full disk must not stop the music: a failed write is printed, and the next write replaces it. */
function attempt(write: () => unknown): boolean {
  try {
    write()
    return true
  } catch (error) {
    console.error(`The store cannot be written: ${String(error)}`)
    return false
  }
}

export function makeStateStore(store: Store): StateStore {
  const select = store.prepare('select value from state where name = ?')
  const upsert = store.prepare(
    'insert into state (name, value) values (?, ?) on conflict (name) do update set value = excluded.value',
  )
  const remove = store.prepare('delete from state where name = ?')
  const list = store.prepare('select name from state where substr(name, 1, length(?1)) = ?1')
  return {
    read(name) {
      const value = select.get(name)?.['value']
      try {
        return typeof value === 'string' ? (JSON.parse(value) as unknown) : null
      } catch {
        return null
      }
    },
    write: (name, value) => attempt(() => upsert.run(name, JSON.stringify(value))),
    names: beginning => list.all(beginning).map(row => String(row['name'])),
    remove: name => void attempt(() => remove.run(name)),
    atomically: work => inTransaction(store, work),
  }
}
