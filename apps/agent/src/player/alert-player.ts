import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { AlertCue } from '@floorcast/playback/cue-types.ts'
import type { Clock } from '../clock/clock.ts'
import { MpvPlayer } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'

/** The built-in siren of two alternating tones, for an alert whose sound file is not on the disk. */
const SIREN = "av://lavfi:aevalsrc='0.6*sin(2*PI*t*(600+300*gte(mod(t\\,1)\\,0.5)))':d=60"
const SIREN_SECONDS = 60

/** Plays alerts on their own mpv, separate from the music's players. */
export class AlertPlayer {
  readonly #player: MpvPlayer
  readonly #pathOf: (sha256: string) => string | null

  constructor(options: MpvOptions, clock: Clock, pathOf: (sha256: string) => string | null) {
    this.#player = new MpvPlayer({ ...options, audioOnly: true }, () => clock.steady())
    this.#pathOf = pathOf
  }

  /** Plays the alert's sound once from its start. Resolves at its end or when `interrupted` resolves. */
  async play({ file }: AlertCue, volume: number, interrupted: Promise<void>): Promise<void> {
    await this.#player.setVolume(volume)
    const path = file && this.#pathOf(file.sha256)
    const playback = await this.#player.play({
      path: path ?? SIREN,
      isVideo: path !== null && file !== null && kindOfMedia(file.contentType) === 'video',
      gainDb: 0,
      offsetSeconds: 0,
      durationSeconds: path && file ? file.durationSeconds : SIREN_SECONDS,
    })
    const ended = playback.ended.then(ending => (ending.kind === 'end' ? 0 : 1000))
    const waitMs = await firstOf([ended, interrupted.then(() => 0)], null)
    // A sound that fails is retried each second, not in a tight loop.
    if (waitMs !== 'time' && waitMs > 0) await firstOf([interrupted], waitMs)
  }

  stop(): Promise<void> {
    return this.#player.stop(0)
  }
  close(): void {
    this.#player.close()
  }
  kill(): void {
    this.#player.kill()
  }
}
