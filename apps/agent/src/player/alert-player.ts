import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { AlertOutput, AlertSound } from '@floorcast/device-player/ports.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import { beginLoaded, endingOf, heardOf, OWN_SOUND_MS, silenceAfterOverlap } from './alert-sound.ts'
import { MpvPlayer } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import { type Ending, isOutputFailure, type Playback } from './playback.ts'
import { Siren } from './siren.ts'
import { SoundWatch } from './sound-watch.ts'

/** How long the mpv of an alert's own sound may take until it is replaced: at first, and at most. Each replacement doubles it. */
const PATIENCE_MS = 2000
const MAX_PATIENCE_MS = 15_000

interface AlertPlayerParts {
  options: MpvOptions
  clock: Clock
  pathOf: (sha256: string) => string | null
  /** Called for each fault: of the alert's own file, or, without one, of an mpv. */
  onFault: (file: ManifestFile | null, reason: string) => void
}

/** The first event of a sound: samples of it are played, it ends, or it is to end. */
type Outcome = 'heard' | 'over' | 'time' | Ending

/** Plays alerts beside the mpv of the music: one mpv plays the alert's own sound, and the siren plays whenever that fails. */
export class AlertPlayer implements AlertOutput {
  readonly #parts: AlertPlayerParts
  readonly #own: MpvPlayer
  readonly #siren: Siren
  #patienceMs = PATIENCE_MS

  constructor(parts: AlertPlayerParts) {
    this.#parts = parts
    const steady = () => parts.clock.steady()
    const makePlayer = () => new MpvPlayer({ ...parts.options, audioOnly: true }, steady)
    this.#own = makePlayer()
    this.#siren = new Siren({ makePlayer, steady, onFault: reason => parts.onFault(null, reason) })
  }

  /** Starts both mpv, so that no alert waits for them. */
  prepare(): void {
    this.#own.startProcess()
    this.#siren.prepare()
  }

  /** Leaves the audio output to the music, which could not open it. */
  releaseOutput(): void {
    if (!this.#siren.isOutputExclusive) this.#siren.releaseOutput()
  }

  checkSiren(): Promise<boolean> {
    return this.#siren.check()
  }

  /** Plays the alert's sound once from its start. Resolves at its end or when `interrupted` resolves. */
  async play(file: ManifestFile | null, alert: AlertSound): Promise<void> {
    if (this.#siren.isOutputExclusive) await alert.silenceMusic()
    const path = file && this.#parts.pathOf(file.sha256)
    if (!file || path === null || !(await this.#playOwn(file, path, alert))) await this.#siren.play(alert)
  }

  async stop(): Promise<void> {
    await firstOf([this.#own.stop(0)], OWN_SOUND_MS)
  }
  close(): void {
    this.#own.close()
    this.#siren.close()
  }
  kill(): void {
    this.#own.kill()
    this.#siren.kill()
  }

  /** Plays the alert's own sound, with the siren while it is not heard. Returns false if its file or mpv failed. */
  async #playOwn(file: ManifestFile, path: string, alert: AlertSound): Promise<boolean> {
    const { volume, interrupted, onSound } = alert
    const { durationSeconds, contentType } = file
    const isVideo = kindOfMedia(contentType) === 'video'
    void this.#own.setVolume(volume)
    const over = interrupted.then((): Outcome => 'over')
    const playing = this.#own.preload({ path, isVideo, gainDb: 0, offsetSeconds: 0, durationSeconds })
    void beginLoaded(this.#own, playing, alert)
    const begins: Promise<Outcome>[] = [heardOf(playing), endingOf(playing), over]
    let outcome = await firstOf(begins, OWN_SOUND_MS)
    if (outcome === 'time')
      outcome = await this.#playSirenUntil(firstOf(begins, this.#patienceMs - OWN_SOUND_MS), alert)
    if (outcome === 'heard') {
      onSound()
      void silenceAfterOverlap(alert)
      this.#patienceMs = PATIENCE_MS
      outcome = await this.#soundOn(playing, alert, over)
    }
    if (outcome === 'over') void this.#own.stop(0)
    if (outcome === 'time') {
      this.#patienceMs = Math.min(MAX_PATIENCE_MS, this.#patienceMs * 2)
      this.#own.kill()
      this.#own.startProcess()
      this.#parts.onFault(null, 'the mpv of its own sound does not answer')
      return true
    }
    if (typeof outcome === 'string' || outcome.kind === 'end' || outcome.kind === 'stopped') return true
    const isOfFile = outcome.kind === 'failed' && !isOutputFailure(outcome.reason)
    this.#parts.onFault(isOfFile ? file : null, outcome.reason)
    return false
  }

  /** Waits for the end of a sound that is heard. While it is silent, because its mpv or its output hangs, the siren plays. */
  async #soundOn(playing: Promise<Playback>, alert: AlertSound, over: Promise<Outcome>): Promise<Outcome> {
    const { clock, onFault } = this.#parts
    const ends = [endingOf(playing), over]
    for (;;) {
      const watch = new SoundWatch({ position: () => this.#own.position(), steady: () => clock.steady() })
      try {
        const outcome = await firstOf<Outcome | 'silent'>([...ends, watch.untilSilent()], null)
        if (outcome !== 'silent') return outcome
        onFault(null, 'its own sound was no longer heard')
        // The siren needs the output that the mpv holds.
        if (this.#siren.isOutputExclusive) return 'time'
        const isBack = firstOf<Outcome>([...ends, watch.untilHeard()], this.#patienceMs)
        const next = await this.#playSirenUntil(isBack, alert, true)
        if (next !== 'heard') return next
      } finally {
        watch.stop()
      }
    }
  }

  async #playSirenUntil(outcome: Promise<Outcome>, alert: AlertSound, isUrgent = false): Promise<Outcome> {
    const interrupted = Promise.race([alert.interrupted, outcome.then(() => undefined)])
    await this.#siren.play({ ...alert, interrupted }, isUrgent)
    return outcome
  }
}
