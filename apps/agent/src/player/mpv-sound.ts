import { sleep } from '@floorcast/device-client/wait.ts'
import { volumeGainDb } from '@floorcast/playback/gain.ts'
import type { Track } from './playback.ts'

/*
 * Sound of one channel plays on both sides as it is: its loudness was measured so. mpv's own mix to stereo makes it 3 dB quieter.
 */

/** The filter for an MP3, which has one channel or two. */
const SOUND_TO_STEREO = 'pan=stereo|FL=FL+FC|FR=FR+FC'

/** The sound of one side of a video: the only channel, or that side's, with the centre and the side's channel behind. */
const sideOf = (front: number, back: number) =>
  `if(eq(nb_in_channels\\,1)\\,val(0)\\,val(${front})+gt(nb_in_channels\\,2)*0.7071*(val(2)+val(${back})))`

/** The filter for a video, which may have six channels: front left and right, center, low frequencies (left out), back left and right. */
const VIDEO_SOUND_TO_STEREO = `aeval=${sideOf(0, 4)}|${sideOf(1, 5)}:c=stereo,aformat=channel_layouts=stereo`

type Sound = Pick<
  Track,
  'isVideo' | 'gainDb' | 'offsetSeconds' | 'durationSeconds' | 'fadeInMs' | 'fadeOutMs'
>

/** The fades, exact to a sample of the file; a quarter of a sine keeps the common power of a crossfade. */
function fades({ offsetSeconds, durationSeconds, fadeInMs = 0, fadeOutMs = 0 }: Sound): string[] {
  const fade = (direction: 'in' | 'out', startSeconds: number, ms: number) =>
    ms > 0 ? [`afade=t=${direction}:st=${startSeconds.toFixed(6)}:d=${ms / 1000}:curve=qsin`] : []
  return [
    ...fade('in', offsetSeconds, fadeInMs),
    ...fade('out', Math.max(0, durationSeconds - fadeOutMs / 1000), fadeOutMs),
  ]
}

/** mpv's filters of a track: to two channels, its gain and its fades. */
export function soundFilters(sound: Sound): string {
  const { isVideo, gainDb } = sound
  const filters = [
    isVideo ? VIDEO_SOUND_TO_STEREO : SOUND_TO_STEREO,
    ...(gainDb === 0 ? [] : [`volume=${gainDb}dB`]),
    ...fades(sound),
  ]
  return `lavfi=[${filters.join(',')}]`
}

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
