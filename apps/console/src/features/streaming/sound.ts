import { volumeGainDb } from '@floorcast/playback/gain.ts'

/** A browser that may play answers within this time. */
const START_TIMEOUT_MS = 500
/** The tones of the siren in Hz, and how long each lasts. */
const SIREN = { tones: [660, 880], seconds: 0.5 }

/** The bell by which a person finds a device, as agents sound it. */
const BELL = { tones: [880, 1320], toneSeconds: 0.25, seconds: 3 }

interface Tone {
  frequency: number
  /** On the context's clock. */
  startsAt: number
  output: GainNode
}

export const gainOfDb = (decibels: number): number => (decibels === -Infinity ? 0 : 10 ** (decibels / 20))

/** The page's sound: everything goes through one volume and one analyser. */
export class Sound {
  readonly context = new AudioContext()
  /** Tracks. */
  readonly music = new GainNode(this.context)
  /** Alerts have their own volume. */
  readonly alerts = new GainNode(this.context)
  readonly #analyser = new AnalyserNode(this.context, { fftSize: 2048 })
  readonly #samples = new Float32Array(2048)
  #siren: { oscillator: OscillatorNode; timer: number } | null = null

  constructor() {
    this.music.connect(this.#analyser)
    this.alerts.connect(this.#analyser)
    this.#analyser.connect(this.context.destination)
  }

  /** Whether the browser lets the page play; it asks for a click first otherwise. */
  async isAllowed(): Promise<boolean> {
    const started = this.context.resume().then(
      () => true,
      () => false,
    )
    const timeout = new Promise<boolean>(resolve => setTimeout(() => resolve(false), START_TIMEOUT_MS))
    return (await Promise.race([started, timeout])) && this.context.state === 'running'
  }

  /** @param volume 0 to 100, as on a device */
  setVolume(volume: number): void {
    this.music.gain.value = gainOfDb(volumeGainDb(volume))
  }
  setAlertVolume(volume: number): void {
    this.alerts.gain.value = gainOfDb(volumeGainDb(volume))
  }

  /** From a command to the loudspeaker, as far as the browser knows. */
  get latencyMs(): number {
    const seconds = this.context.baseLatency + (this.context.outputLatency || 0)
    return Number.isFinite(seconds) ? seconds * 1000 : 0
  }

  /** The level of the sound that plays now, from 0 to 1. */
  level(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples)
    const sum = this.#samples.reduce((total, sample) => total + sample * sample, 0)
    return Math.sqrt(sum / this.#samples.length)
  }

  startSiren(): void {
    if (this.#siren) return
    const oscillator = new OscillatorNode(this.context, { type: 'square' })
    const gain = new GainNode(this.context, { gain: 0.5 })
    oscillator.connect(gain).connect(this.alerts)
    let tone = 0
    const next = () => {
      oscillator.frequency.value = SIREN.tones[tone % SIREN.tones.length] ?? 0
      tone += 1
    }
    next()
    oscillator.start()
    this.#siren = { oscillator, timer: window.setInterval(next, SIREN.seconds * 1000) }
  }
  stopSiren(): void {
    this.#siren?.oscillator.stop()
    clearInterval(this.#siren?.timer)
    this.#siren = null
  }

  /** Plays two rising tones three times. Resolves to whether the browser lets the page play sound. */
  async soundBell(volume: number): Promise<boolean> {
    if (this.context.state !== 'running') return false
    const output = new GainNode(this.context, { gain: gainOfDb(volumeGainDb(volume)) })
    output.connect(this.#analyser)
    for (let second = 0; second < BELL.seconds; second += 1)
      BELL.tones.forEach((frequency, index) => {
        const startsAt = this.context.currentTime + second + index * BELL.toneSeconds
        this.#soundTone({ frequency, startsAt, output })
      })
    await new Promise(resolve => setTimeout(resolve, BELL.seconds * 1000))
    output.disconnect()
    return true
  }

  #soundTone({ frequency, startsAt, output }: Tone): void {
    const oscillator = new OscillatorNode(this.context, { frequency })
    const gain = new GainNode(this.context, { gain: 0 })
    gain.gain.setValueAtTime(0.5, startsAt)
    gain.gain.exponentialRampToValueAtTime(0.001, startsAt + BELL.toneSeconds * 2)
    oscillator.connect(gain).connect(output)
    oscillator.start(startsAt)
    oscillator.stop(startsAt + BELL.toneSeconds * 2)
  }

  close(): void {
    this.stopSiren()
    void this.context.close()
  }
}
