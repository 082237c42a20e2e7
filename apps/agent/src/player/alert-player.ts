import { kindOfMedia } from '@floorcast/contract/media.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { firstOf, sleep } from '@floorcast/device-client/wait.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import { MpvPlayer } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import { type Ending, isOutputFailure, type Playback, type Track } from './playback.ts'

/** The built-in siren of two alternating tones. It is longer than most alerts, so that it has no gap. */
const SIREN: Track = {
  path: "av://lavfi:aevalsrc='0.6*sin(2*PI*t*(600+300*gte(mod(t\\,1)\\,0.5)))':d=3600",
  isVideo: false,
  gainDb: 0,
  offsetSeconds: 0,
  durationSeconds: 3600,
}

/** An alert's own sound must be heard within this time; else the siren, which takes some tens of milliseconds, sounds until it is. */
const OWN_SOUND_MS = 140
/** The music goes on so long into an alert, whose first samples may come some 20 ms after mpv says that it plays them. */
const OVERLAP_MS = 30
/**
 * How long an mpv may take to begin a sound until it is replaced: at first, and at most. The siren is loaded, so that it begins at once. Each
 * replacement doubles the time: on a slow machine the start of mpv itself takes seconds.
 */
const OWN_PATIENCE_MS = 2000
const SIREN_PATIENCE_MS = 500
const MAX_PATIENCE_MS = 15_000
/** A check of the siren gives a busy machine so much time. */
const SIREN_LOAD_MS = 15_000
const LOADED_POLL_MS = 50
/** A siren that fails is tried again after this pause, not in a tight loop. */
const SIREN_RETRY_MS = 200

interface AlertPlayerParts {
  options: MpvOptions
  clock: Clock
  pathOf: (sha256: string) => string | null
  /** Called for each fault: of the alert's own file, or, without one, of an mpv. */
  onFault: (file: ManifestFile | null, reason: string) => void
}

interface AlertPlay {
  volume: number
  interrupted: Promise<void>
  /** Stops the music; the sooner of several calls counts. */
  silenceMusic: () => Promise<void>
  /** Called when samples are played: of the alert's own sound, or of the siren. */
  onSound: () => void
}

/** What happens first to a sound: samples of it are played, it ends, or it is to end. */
type Outcome = 'heard' | 'over' | Ending

const heardOf = async (playing: Promise<Playback>): Promise<Outcome> => {
  const { started } = await playing
  await started
  return 'heard'
}
const endingOf = async (playing: Promise<Playback>): Promise<Outcome> => (await playing).ended

const silenceAfterOverlap = async ({ silenceMusic }: AlertPlay): Promise<void> => {
  await sleep(OVERLAP_MS)
  await silenceMusic()
}

/**
 * Plays alerts on two mpv beside those of the music. One plays the alert's own sound. The other holds the siren, loaded and
 * paused: it sounds whenever the own sound does not, whatever the reason.
 */
export class AlertPlayer {
  readonly #parts: AlertPlayerParts
  readonly #own: MpvPlayer
  readonly #siren: MpvPlayer
  #loadedSiren: Promise<Playback> | null = null
  #isSounding = false
  /** The audio output takes one program at a time: the siren, which opens it, is loaded only when it is to sound. */
  #isOutputExclusive = false
  #ownPatienceMs = OWN_PATIENCE_MS
  #sirenPatienceMs = SIREN_PATIENCE_MS

  constructor(parts: AlertPlayerParts) {
    this.#parts = parts
    const makePlayer = () => new MpvPlayer({ ...parts.options, audioOnly: true }, () => parts.clock.steady())
    this.#own = makePlayer()
    this.#siren = makePlayer()
  }

  /** Starts both mpv, so that no alert waits for them. */
  prepare(): void {
    this.#own.startProcess()
    void this.#loadSiren()
  }

  /** Leaves the audio output to the music, which could not open it. */
  releaseOutput(): void {
    if (this.#isOutputExclusive) return
    this.#isOutputExclusive = true
    this.#reloadSiren()
  }

  /** Checks without a sound that the siren would be heard at once. If it would not, its mpv is replaced, and then checked. */
  async checkSiren(): Promise<boolean> {
    // Loading it would open the output.
    if (this.#isOutputExclusive || this.#isSounding) return true
    if ((await firstOf([this.#isSirenLoaded()], SIREN_LOAD_MS)) === true) return true
    this.#siren.kill()
    this.#reloadSiren()
    return (await firstOf([this.#isSirenLoaded()], SIREN_LOAD_MS)) === true
  }

  /** Plays the alert's sound once from its start. Resolves at its end or when `interrupted` resolves. */
  async play(file: ManifestFile | null, alert: AlertPlay): Promise<void> {
    this.#isSounding = true
    if (this.#isOutputExclusive) await alert.silenceMusic()
    const path = file && this.#parts.pathOf(file.sha256)
    if (!file || path === null || !(await this.#playOwn(file, path, alert))) await this.#playSiren(alert)
    this.#isSounding = false
  }

  async stop(): Promise<void> {
    await firstOf([this.#own.stop(0)], OWN_SOUND_MS)
  }
  close(): void {
    for (const player of [this.#own, this.#siren]) player.close()
  }
  kill(): void {
    for (const player of [this.#own, this.#siren]) player.kill()
  }

  /** Plays the alert's own sound, with the siren until it is heard. Returns false if its file or mpv failed. */
  async #playOwn(file: ManifestFile, path: string, alert: AlertPlay): Promise<boolean> {
    const { volume, interrupted, onSound } = alert
    const { durationSeconds, contentType } = file
    const isVideo = kindOfMedia(contentType) === 'video'
    void this.#own.setVolume(volume)
    const over = interrupted.then((): Outcome => 'over')
    const playing = this.#own.preload({ path, isVideo, gainDb: 0, offsetSeconds: 0, durationSeconds })
    void this.#beginLoaded(this.#own, playing, alert)
    const begins = [heardOf(playing), endingOf(playing), over]
    const { promise: isHeard, resolve: endSiren } = Promise.withResolvers<void>()
    let siren = Promise.resolve()
    let outcome = await firstOf(begins, OWN_SOUND_MS)
    if (outcome === 'time') {
      siren = this.#playSiren({ ...alert, interrupted: Promise.race([interrupted, isHeard]) })
      outcome = await firstOf(begins, this.#ownPatienceMs - OWN_SOUND_MS)
    }
    if (outcome === 'heard') {
      onSound()
      void silenceAfterOverlap(alert)
      this.#ownPatienceMs = OWN_PATIENCE_MS
    }
    endSiren()
    if (outcome === 'heard') outcome = await firstOf([endingOf(playing), over], null)
    await siren
    if (outcome === 'over') void this.#own.stop(0)
    if (outcome === 'time') {
      this.#ownPatienceMs = Math.min(MAX_PATIENCE_MS, this.#ownPatienceMs * 2)
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

  /** Plays the siren until `interrupted`. An mpv that does not answer is replaced. */
  async #playSiren(alert: AlertPlay): Promise<void> {
    const { volume, interrupted, onSound } = alert
    let isOver = false
    const over = interrupted.then((): Outcome => {
      isOver = true
      return 'over'
    })
    for (; !isOver; this.#reloadSiren()) {
      void this.#siren.setVolume(volume)
      const begun = this.#loadSiren()
      void this.#beginLoaded(this.#siren, begun, alert)
      const outcome = await firstOf([heardOf(begun), endingOf(begun), over], this.#sirenPatienceMs)
      // The music may hold the audio output.
      if (outcome !== 'over') void (outcome === 'heard' ? silenceAfterOverlap(alert) : alert.silenceMusic())
      if (outcome === 'heard') {
        onSound()
        this.#sirenPatienceMs = SIREN_PATIENCE_MS
        await firstOf([endingOf(begun), over], null)
      } else if (outcome === 'time') {
        this.#sirenPatienceMs = Math.min(MAX_PATIENCE_MS, this.#sirenPatienceMs * 2)
        this.#siren.kill()
        this.#parts.onFault(null, 'the mpv of the siren does not answer')
      } else if (outcome !== 'over') await firstOf([over], SIREN_RETRY_MS)
    }
  }

  /** Lets a sound begin when it is loaded, and silences the music soon after. */
  async #beginLoaded(player: MpvPlayer, loading: Promise<Playback>, alert: AlertPlay): Promise<void> {
    const playback = await loading
    const over = alert.interrupted.then(() => 'over' as const)
    if ((await firstOf<unknown>([playback.loaded, playback.ended, over], OWN_SOUND_MS)) === 'over') return
    await player.unpause(playback)
    if (playback.isLoaded && !playback.ending) await silenceAfterOverlap(alert)
  }

  #loadSiren(): Promise<Playback> {
    this.#loadedSiren ??= this.#siren.preload(SIREN)
    return this.#loadedSiren
  }

  async #isSirenLoaded(): Promise<boolean> {
    const playback = await this.#loadSiren()
    while (!playback.isLoaded && playback.ending === null) await sleep(LOADED_POLL_MS)
    await this.#siren.ready()
    return playback.ending === null
  }

  /** Ends the siren, and loads it for the next time if the output may stay open. */
  #reloadSiren(): void {
    this.#loadedSiren = null
    void (this.#isOutputExclusive ? this.#siren.stop(0) : this.#loadSiren())
  }
}
