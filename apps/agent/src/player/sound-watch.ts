import type { Steady } from '@floorcast/device-client/clock.ts'
import { firstOf, sleep } from '@floorcast/device-client/wait.ts'

const LOOK_MS = 50
/** A sound whose position does not move for this time is silent: its mpv or the audio output hangs. */
const MAX_STILL_MS = 250
/** More of a look's time is the agent's own delay. */
const MAX_LOOK_MS = 75

interface SoundWatchParts {
  /** The seconds of the file that sound now; null if mpv does not say. */
  position: () => Promise<number | null>
  steady: () => Steady
}

/** Watches whether a sound that has begun goes on. */
export class SoundWatch {
  readonly #parts: SoundWatchParts
  #isOver = false
  #last: number | null = null
  /** One question at a time: an mpv that hangs answers none. */
  #asked: Promise<number | null> | null = null

  constructor(parts: SoundWatchParts) {
    this.#parts = parts
  }

  /** Resolves when the sound has stopped, or at the end of the watch. */
  async untilSilent(): Promise<'silent'> {
    const { steady } = this.#parts
    for (let stillMs = 0; stillMs < MAX_STILL_MS && !this.#isOver;) {
      const lookedAt = steady()
      const [hasMoved] = await Promise.all([this.#look(), sleep(LOOK_MS)])
      stillMs = hasMoved ? 0 : stillMs + Math.min(MAX_LOOK_MS, steady() - lookedAt)
    }
    return 'silent'
  }

  /** Resolves when the sound goes on, or at the end of the watch. */
  async untilHeard(): Promise<'heard'> {
    while (!this.#isOver) {
      const [hasMoved] = await Promise.all([this.#look(), sleep(LOOK_MS)])
      if (hasMoved) break
    }
    return 'heard'
  }

  stop(): void {
    this.#isOver = true
  }

  async #look(): Promise<boolean> {
    this.#asked ??= this.#parts.position()
    const position = await firstOf([this.#asked], LOOK_MS)
    if (position === 'time') return false
    this.#asked = null
    const hasMoved = position !== null && position !== this.#last
    this.#last = position
    return hasMoved
  }
}
