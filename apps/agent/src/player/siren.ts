import type { Steady } from '@floorcast/device-client/clock.ts'
import { firstOf, sleep } from '@floorcast/device-client/wait.ts'
import type { AlertSound } from '@floorcast/device-player/ports.ts'
import { beginLoaded, endingOf, heardOf, silenceAfterOverlap } from './alert-sound.ts'
import type { MpvPlayer } from './mpv-player.ts'
import type { Playback, Track } from './playback.ts'
import { SoundWatch } from './sound-watch.ts'

/** Two alternating tones. It is longer than most alerts, so that it has no gap. */
const SIREN: Track = {
  path: "av://lavfi:aevalsrc='0.6*sin(2*PI*t*(600+300*gte(mod(t\\,1)\\,0.5)))':d=3600",
  isVideo: false,
  gainDb: 0,
  offsetSeconds: 0,
  durationSeconds: 3600,
}

/**
 * The time that a siren may take to begin before another mpv is to play it too. A loaded one takes some milliseconds, and a new mpv about
 * 150 ms. Each further one doubles the time: on a slow machine the start of mpv itself takes seconds.
 */
const LOADED_PATIENCE_MS = 60
const PATIENCE_MS = 500
const MAX_PATIENCE_MS = 15_000
/** The time that a check of the siren gives a busy machine. */
const LOAD_MS = 15_000
const LOADED_POLL_MS = 50
/** A siren that fails is tried again after this pause, not in a tight loop. */
const RETRY_MS = 200

interface SirenParts {
  makePlayer: () => MpvPlayer
  steady: () => Steady
  onFault: (reason: string) => void
}

interface LoadedSiren {
  player: MpvPlayer
  loading: Promise<Playback>
}

type Heard = { heard: LoadedSiren }

/** The siren, loaded and paused in an mpv, so that it begins at once. An mpv that does not play it is replaced by another. */
export class Siren {
  readonly #parts: SirenParts
  /** Waits for the next alert; null if none is loaded. */
  #standby: LoadedSiren | null = null
  #isSounding = false
  /** The audio output takes one program at a time: the siren, which opens it, is loaded only when it is to play. */
  #isOutputExclusive = false
  #isClosed = false
  readonly #sounding = new Set<MpvPlayer>()

  constructor(parts: SirenParts) {
    this.#parts = parts
  }

  prepare(): void {
    if (!this.#isOutputExclusive && !this.#isClosed) this.#standby ??= this.#load()
  }

  get isOutputExclusive(): boolean {
    return this.#isOutputExclusive
  }
  releaseOutput(): void {
    this.#isOutputExclusive = true
    this.#standby?.player.close()
    this.#standby = null
  }

  /** Checks without a sound that it would be heard at once. If it would not, its mpv is replaced, and then checked. */
  async check(): Promise<boolean> {
    // Loading it would open the output.
    if (this.#isOutputExclusive || this.#isSounding) return true
    if ((await firstOf([this.#isStandbyLoaded()], LOAD_MS)) === true) return true
    this.#standby?.player.kill()
    this.#standby = null
    return (await firstOf([this.#isStandbyLoaded()], LOAD_MS)) === true
  }

  /** Plays until `interrupted`. With `isUrgent`, a second mpv starts at once: the first may hang. */
  async play(alert: AlertSound, isUrgent = false): Promise<void> {
    let isOver = false
    const over = alert.interrupted.then(() => {
      isOver = true
      return 'over' as const
    })
    this.#isSounding = true
    let former: LoadedSiren | null = null
    let current = this.#begin(alert, this.#standby)
    this.#standby = null
    let patienceMs = isUrgent ? 0 : LOADED_PATIENCE_MS
    while (!isOver) {
      const waitedFor: LoadedSiren[] = former ? [current, former] : [current]
      const outcome = await firstOf<Heard | 'over' | 'ended'>(
        [
          over,
          ...waitedFor.map(siren => this.#heardOf(siren)),
          endingOf(current.loading).then(() => 'ended' as const),
        ],
        patienceMs,
      )
      if (outcome === 'over') break
      if (typeof outcome === 'object') {
        if (former && outcome.heard !== former) this.#parts.onFault('the mpv of the siren did not answer')
        for (const siren of waitedFor) if (siren !== outcome.heard) this.#kill(siren)
        ;[former, current, patienceMs] = [null, outcome.heard, PATIENCE_MS]
        await this.#soundOn(current, alert, over)
        if (isOver) break
        this.#kill(current)
      } else {
        // The music may hold the audio output.
        void alert.silenceMusic()
        if (former) this.#kill(former)
        former = null
        // It may only be slow.
        if (outcome === 'time' && !this.#isOutputExclusive) former = current
        else this.#kill(current)
        if (outcome === 'time') patienceMs = Math.min(MAX_PATIENCE_MS, Math.max(PATIENCE_MS, patienceMs * 2))
        else await firstOf([over], RETRY_MS)
      }
      current = this.#begin(alert, null)
    }
    if (former) this.#kill(former)
    this.#end(current)
    this.#isSounding = false
  }

  close(): void {
    this.#isClosed = true
    this.#standby?.player.close()
    for (const player of this.#sounding) player.close()
  }
  kill(): void {
    this.#standby?.player.kill()
    for (const player of this.#sounding) player.kill()
  }

  /** Resolves when a siren that has begun is to end, has ended or is silent. */
  async #soundOn({ player, loading }: LoadedSiren, alert: AlertSound, over: Promise<'over'>): Promise<void> {
    const { steady, onFault } = this.#parts
    alert.onSound()
    void silenceAfterOverlap(alert)
    const watch = new SoundWatch({ position: () => player.position(), steady })
    const outcome = await firstOf<unknown>([over, endingOf(loading), watch.untilSilent()], null)
    watch.stop()
    if (outcome === 'silent') onFault('the siren was no longer heard')
  }

  async #heardOf(siren: LoadedSiren): Promise<Heard> {
    await heardOf(siren.loading)
    return { heard: siren }
  }

  #load(): LoadedSiren {
    const player = this.#parts.makePlayer()
    return { player, loading: player.preload(SIREN) }
  }

  #begin(alert: AlertSound, loaded: LoadedSiren | null): LoadedSiren {
    const siren = loaded ?? this.#load()
    this.#sounding.add(siren.player)
    void siren.player.setVolume(alert.volume)
    void beginLoaded(siren.player, siren.loading, alert)
    return siren
  }

  #kill({ player }: LoadedSiren): void {
    player.close()
    player.kill()
    this.#sounding.delete(player)
  }

  /** Ends a siren, and loads it for the next time if the output may stay open. */
  #end({ player }: LoadedSiren): void {
    this.#sounding.delete(player)
    if (this.#isOutputExclusive || this.#isClosed) player.close()
    else this.#standby = { player, loading: player.preload(SIREN) }
  }

  async #isStandbyLoaded(): Promise<boolean> {
    this.prepare()
    if (!this.#standby) return false
    const { player, loading } = this.#standby
    const playback = await loading
    while (!playback.isLoaded && playback.ending === null) await sleep(LOADED_POLL_MS)
    await player.ready()
    return playback.ending === null
  }
}
