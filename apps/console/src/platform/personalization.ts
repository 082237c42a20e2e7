import { Personalization } from '@floorcast/contract/session.ts'
import { createStore, useStore } from './store.ts'
import { readStoredJson, writeStored } from './storage.ts'

const key = 'floorcast.personalization'
const kept = Personalization.partial().safeParse(readStoredJson(key)).data ?? {}
/** `auto` follows the system until the person chooses. */
const store = createStore<Personalization>({
  color: kept.color ?? 'info',
  mode: kept.mode ?? 'auto',
  menuType: kept.menuType ?? 'full',
})

/** Menu colour, mode and menu type of this browser (SPEC section 1). */
export function usePersonalization(): Personalization {
  return useStore(store)
}

/** Changes some of the choices and keeps them for the next visit. */
export function personalize(change: Partial<Personalization>): void {
  const next = { ...store.get(), ...change }
  store.set(next)
  writeStored(key, JSON.stringify(next))
}
