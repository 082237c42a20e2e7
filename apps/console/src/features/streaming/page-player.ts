import type { Clock } from '@floorcast/device-client/clock.ts'
import { readStored, writeStored } from '../../platform/storage.ts'
import type { Store } from '../../platform/store.ts'
import type { Pictures } from './pictures.ts'
import type { Player, Scene } from './player.ts'
import type { Sound } from './sound.ts'

/** The player that the pages of a streamer and of a listener show and control. */
export interface PagePlayer {
  readonly status: Store<{ scene: Scene; pageVolume: number }>
  readonly clock: Clock
  readonly player: Player
  readonly sound: Sound
  readonly pictures: Pictures
  /** Call it while a click is handled: the browser asks for one before it lets a page play. */
  allow: () => void
  setPageVolume: (pageVolume: number) => void
}

export const browserClock = { system: () => Date.now(), steady: () => performance.now() }

const VOLUME_KEY = 'floorcast.streaming-volume'

/** The volume of this page, from 0 to 100. */
export function readPageVolume(): number {
  const stored = Number(readStored(VOLUME_KEY) ?? 100)
  return stored >= 0 && stored <= 100 ? stored : 100
}

export const storePageVolume = (pageVolume: number): void => void writeStored(VOLUME_KEY, String(pageVolume))
