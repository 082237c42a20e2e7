import type { Personalization } from '@floorcast/contract/auth.ts'
import { createStore, useStore } from './store.ts'
import { isRecord, oneOf } from './stored-shape.ts'
import { readStoredJson, writeStored } from './storage.ts'

const key = 'floorcast.personalization'
const read = readStoredJson(key)
const stored = isRecord(read) ? read : {}
/** `auto` follows the system until the user chooses. */
const store = createStore<Personalization>({
  color: oneOf(stored['color'], ['info', 'primary', 'orange', 'citrus', 'green', 'blue'], 'info'),
  mode: oneOf(stored['mode'], ['light', 'dark', 'auto'], 'auto'),
  menuType: oneOf(stored['menuType'], ['full', 'minimized', 'hidden'], 'full'),
})

/** Menu color, mode and menu type of this browser (docs/specification.md#1-what-the-product-does-and-for-whom). */
export function usePersonalization(): Personalization {
  return useStore(store)
}

/** Changes and stores some of the choices. */
export function personalize(change: Partial<Personalization>): void {
  const next = { ...store.get(), ...change }
  store.set(next)
  writeStored(key, JSON.stringify(next))
}
