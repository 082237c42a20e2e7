import { volumeGainDb } from '@floorcast/playback/gain.ts'
import { sleep } from '@floorcast/device-client/wait.ts'

const FADE_STEP_MS = 20

/** The gain of one mpv: its volume, and a fade in steps that are heard some tens of milliseconds late. A crossfade has exact ones in its filters. */
export class OutputGain {
  readonly #apply: (mpvVolume: number) => Promise<void>
  #volume = 100
  #level = 1

  /** `apply` gets mpv's volume, whose gain is its cube. */
  constructor(apply: (mpvVolume: number) => Promise<void>) {
    this.#apply = apply
  }

  /** 0 to 100; each half of it is half as loud. */
  async setVolume(volume: number): Promise<void> {
    this.#volume = volume
    await this.update()
  }

  /** 0 to 1. */
  async setLevel(level: number): Promise<void> {
    this.#level = level
    await this.update()
  }

  /** Fades the level to `target` along a quarter of a sine. */
  async fade(target: number, durationMs: number): Promise<void> {
    const from = this.#level
    const steps = Math.max(1, Math.round(durationMs / FADE_STEP_MS))
    for (let step = 1; step <= steps && this.#level !== target; step += 1) {
      await sleep(durationMs / steps)
      const share = step / steps
      const curve = target > from ? Math.sin((share * Math.PI) / 2) : 1 - Math.cos((share * Math.PI) / 2)
      await this.setLevel(step === steps ? target : from + (target - from) * curve)
    }
  }

  /** Applies it to an mpv that has started. */
  async update(): Promise<void> {
    const gain = 10 ** (volumeGainDb(this.#volume) / 20) * this.#level
    await this.#apply(Math.round(Math.cbrt(gain) * 10_000) / 100)
  }
}
