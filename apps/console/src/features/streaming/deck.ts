import { firstOf, sleep } from '@floorcast/device-client/wait.ts'
import { gainOfDb, type Sound } from './sound.ts'

/** Points of a fade's curve. */
const CURVE_POINTS = 32
/** A file that is held loads within this time. */
const LOAD_TIMEOUT_MS = 10_000
/** A track that does not advance within this time after its command has failed. */
const START_TIMEOUT_MS = 5000
const POLL_MS = 10

export interface LoadedTrack {
  bytes: Blob
  gainDb: number
}

/** How a track ended, by the deck's element. */
export type DeckEnding = 'end' | 'stopped' | 'failed'

const equalPower = (from: number, to: number) =>
  Float32Array.from({ length: CURVE_POINTS }, (_, index) => {
    const way = index / (CURVE_POINTS - 1)
    const share = to > from ? Math.sin((way * Math.PI) / 2) : Math.cos((way * Math.PI) / 2)
    return to > from ? from + (to - from) * share : to + (from - to) * share
  })

/** One media element, for sound and pictures, with its own gain and fade. */
export class Deck {
  readonly element = document.createElement('video')
  readonly #sound: Sound
  readonly #gain: GainNode
  readonly #fade: GainNode
  #address: string | null = null
  #ending = Promise.withResolvers<DeckEnding>()
  #faultText = ''

  constructor(sound: Sound, output: GainNode) {
    this.#sound = sound
    this.element.playsInline = true
    this.element.preload = 'auto'
    this.#gain = new GainNode(sound.context)
    this.#fade = new GainNode(sound.context)
    const source = new MediaElementAudioSourceNode(sound.context, { mediaElement: this.element })
    source.connect(this.#gain).connect(this.#fade).connect(output)
    this.element.addEventListener('ended', () => this.#ending.resolve('end'))
    this.element.addEventListener('error', () => {
      if (this.#address === null) return
      this.#faultText = this.element.error?.message ?? 'it cannot be played'
      this.#ending.resolve('failed')
    })
  }

  get ended(): Promise<DeckEnding> {
    return this.#ending.promise
  }
  get fault(): string {
    return this.#faultText
  }
  /** Seconds of the file. */
  get position(): number {
    return this.element.currentTime
  }
  get lengthSeconds(): number {
    return this.element.duration
  }

  /** Moves what is loaded and does not play. */
  seek(offsetSeconds: number): void {
    this.element.currentTime = offsetSeconds
  }

  /** Loads a track and waits in front of it. Returns false if it cannot be played. */
  async load({ bytes, gainDb }: LoadedTrack): Promise<boolean> {
    this.unload()
    this.#ending = Promise.withResolvers()
    this.#gain.gain.value = gainOfDb(gainDb)
    this.#address = URL.createObjectURL(bytes)
    this.element.src = this.#address
    const loaded = new Promise<'loaded'>(resolve =>
      this.element.addEventListener('canplay', () => resolve('loaded'), { once: true }),
    )
    const outcome = await firstOf<string>([loaded, this.ended], LOAD_TIMEOUT_MS)
    if (outcome === 'time') this.#faultText = 'it did not load'
    return outcome === 'loaded'
  }

  /** Starts what is loaded. Returns when its sound has begun, on the steady clock; null if it does not. */
  async play(): Promise<number | null> {
    const from = this.position
    // Shows the picture that plays, not the loaded one.
    this.element.dataset['started'] = ''
    const commanded = this.element.play().then(
      () => true,
      (error: unknown) => {
        this.#faultText = String(error)
        return false
      },
    )
    if ((await firstOf([commanded], START_TIMEOUT_MS)) !== true) return null
    for (let waitedMs = 0; waitedMs < START_TIMEOUT_MS; waitedMs += POLL_MS) {
      const playedMs = (this.position - from) * 1000
      if (playedMs > 0) return performance.now() - playedMs + this.#sound.latencyMs
      if (this.element.error) return null
      await sleep(POLL_MS)
    }
    this.#faultText = 'it made no sound'
    return null
  }

  setLevel(level: number): void {
    this.#fade.gain.cancelScheduledValues(0)
    this.#fade.gain.value = level
  }

  /** Fades by equal power. */
  async fade(to: number, durationMs: number): Promise<void> {
    const { gain } = this.#fade
    gain.cancelScheduledValues(0)
    if (durationMs > 0)
      gain.setValueCurveAtTime(equalPower(1 - to, to), this.#sound.context.currentTime, durationMs / 1000)
    await sleep(durationMs)
    gain.cancelScheduledValues(0)
    gain.value = to
  }

  /** Ends the track now. */
  stop(): void {
    this.element.pause()
    this.#ending.resolve('stopped')
  }

  /** Makes room for the next track. */
  unload(): void {
    if (this.#address === null) return
    const address = this.#address
    this.#address = null
    this.element.pause()
    delete this.element.dataset['started']
    this.element.removeAttribute('src')
    this.element.load()
    URL.revokeObjectURL(address)
  }
}
