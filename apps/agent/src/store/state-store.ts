import type { StateStore } from '@floorcast/device-client/state-store.ts'
import type { Store } from './store.ts'

const UPSERT =
  'insert into state (name, value) values (?, ?) on conflict (name) do update set value = excluded.value'

export function makeStateStore(store: Store): StateStore {
  /** The newest values of names whose writes wait; null: removed. */
  const waiting = new Map<string, string | null>()
  const keyOf = (name: string) => `state ${name}`
  const put = (name: string, value: string | null) => {
    waiting.set(name, value)
    if (value === null) store.write(keyOf(name), 'delete from state where name = ?', name)
    else store.write(keyOf(name), UPSERT, name, value)
    if (!store.isWaiting(keyOf(name))) waiting.delete(name)
    return !waiting.has(name)
  }
  const readText = (name: string) => {
    const value = waiting.get(name)
    if (value !== undefined && store.isWaiting(keyOf(name))) return value
    return store.get('select value from state where name = ?', name)?.['value']
  }
  return {
    read(name) {
      try {
        const value = readText(name)
        return typeof value === 'string' ? (JSON.parse(value) as unknown) : null
      } catch {
        return null
      }
    },
    write: (name, value) => put(name, JSON.stringify(value)),
    names: beginning =>
      store
        .all('select name from state where substr(name, 1, length(?)) = ?', beginning, beginning)
        .map(row => String(row['name'])),
    remove: name => void put(name, null),
    atomically: work => store.together(work),
  }
}
