import type { AlertCue } from '@floorcast/playback/cue-types.ts'
import type { Clock } from '../clock/clock.ts'
import { Deck } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'

/** The device's own siren, for an alert whose sound is not there: two tones in turn. */
const SIREN = "av://lavfi:aevalsrc='0.6*sin(2*PI*t*(600+300*gte(mod(t\\,1)\\,0.5)))':d=60"
const SIREN_SECONDS = 60

/** The alert's own deck, beside the music's. */
export class AlertSound {
  readonly #deck: Deck
  readonly #pathOf: (sha256: string) => string | null

  constructor(options: MpvOptions, clock: Clock, pathOf: (sha256: string) => string | null) {
    this.#deck = new Deck({ ...options, soundOnly: true }, () => clock.steady())
    this.#pathOf = pathOf
  }

  /** Sounds once, from its beginning; resolves at its end or at `interrupted`. */
  async sound({ file }: AlertCue, volume: number, interrupted: Promise<void>): Promise<void> {
    await this.#deck.setVolume(volume)
    const path = file && this.#pathOf(file.sha256)
    const playing = await this.#deck.play({
      path: path ?? SIREN,
      gainDb: 0,
      offsetSeconds: 0,
      durationSeconds: path && file ? file.durationSeconds : SIREN_SECONDS,
    })
    const ended = playing.ended.then(ending => (ending.how === 'end' ? 0 : 1000))
    const pause = await firstOf([ended, interrupted.then(() => 0)], null)
    // A siren that cannot sound is tried again each second, not in a tight loop.
    if (pause !== 'time' && pause > 0) await firstOf([interrupted], pause)
  }

  silence(): Promise<void> {
    return this.#deck.stop(0)
  }
  close(): void {
    this.#deck.close()
  }
  kill(): void {
    this.#deck.kill()
  }
}
