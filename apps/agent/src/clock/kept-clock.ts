import { release } from '@floorcast/contract/release.ts'
import { z } from 'zod'
import type { StateStore } from '../store/state-store.ts'
import { Clock, machineClock } from './clock.ts'

const Saved = z.object({ offset: z.number(), lastKnown: z.number() })
const EVERY = 30_000
/** A clock that shows an earlier time is wrong. */
const RELEASED_AT = Date.parse(release.date)

/** The machine's clock with what the last start knew of it, written down now and then. `stop` writes it a last time. */
export function keepClock(state: StateStore): { clock: Clock; stop: () => void } {
  const clock = new Clock(machineClock, RELEASED_AT, Saved.safeParse(state.read('clock')).data ?? null)
  const save = () => {
    clock.watchSystem()
    if (clock.isBelieved) state.write('clock', clock.saved())
  }
  const timer = setInterval(save, EVERY)
  return {
    clock,
    stop() {
      clearInterval(timer)
      save()
    },
  }
}
