import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import type { PlayInstance } from './play-recorder.ts'

/** What the player reports as its current track. */
export class NowPlayingState {
  readonly #toReported: (at: Steady) => number
  readonly #listeners: (() => void)[] = []
  #current: NowPlaying | null = null

  constructor(toReported: (at: Steady) => number) {
    this.#toReported = toReported
  }

  /** Null in silence and during an alert. */
  get current(): NowPlaying | null {
    return this.#current
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  set(instance: PlayInstance | null): void {
    const startedAt = instance?.playback.startedAt ?? null
    const file = instance?.cue.file
    const previous = this.#current
    this.#current =
      file && startedAt !== null
        ? {
            name: file.name,
            mediaUid: file.mediaUid,
            contentType: file.contentType,
            startedAt: new Date(this.#toReported(startedAt)).toISOString(),
            durationSeconds: file.durationSeconds,
          }
        : null
    const isSame =
      previous?.startedAt === this.#current?.startedAt && previous?.mediaUid === this.#current?.mediaUid
    if (!isSame) for (const listener of this.#listeners) listener()
  }
}
