import type { NowPlaying, SilentReason } from '@floorcast/contract/devices.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { Steady } from '@floorcast/device-client/clock.ts'
import type { Play, Scene } from './ports.ts'

interface NowPlayingParts {
  toReported: (at: Steady) => number
  steady: () => Steady
}

function reasonOf(scene: Exclude<Scene<Play>, { kind: 'playing' }>): SilentReason {
  switch (scene.kind) {
    case 'silent':
      return scene.cue.because
    // Without a manifest it still has to download all.
    case 'connecting':
      return 'downloading'
    case 'alert':
    case 'stopped':
      return scene.kind
    case 'broken':
      return 'player-broken'
    default:
      return 'starting'
  }
}

/** The player's report: its current track, or why it plays nothing. */
export class NowPlayingState {
  readonly #parts: NowPlayingParts
  readonly #listeners: (() => void)[] = []
  #current: NowPlaying | null = null
  #silence: Silence | null = null

  constructor(parts: NowPlayingParts) {
    this.#parts = parts
    this.#silence = { because: 'starting', since: this.#dateOf(parts.steady()) }
  }

  /** Null in silence and during an alert. */
  get current(): NowPlaying | null {
    return this.#current
  }
  /** Null while a track plays. */
  get silence(): Silence | null {
    return this.#silence
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  note(scene: Scene<Play>): void {
    if (scene.kind === 'playing') this.#setTrack(scene.play)
    else this.#setSilent(reasonOf(scene))
  }

  #setTrack({ startedAt: at, cue, offsetSeconds }: Play): void {
    if (at === null) return
    const { name, mediaUid, contentType, durationSeconds } = cue.file
    const startedAt = this.#dateOf(at)
    const previous = this.#current
    this.#current = { name, mediaUid, contentType, startedAt, offsetSeconds, durationSeconds }
    this.#silence = null
    if (previous?.startedAt !== startedAt || previous.mediaUid !== mediaUid) this.#notify()
  }

  #setSilent(because: SilentReason): void {
    if (this.#silence?.because === because) return
    this.#current = null
    this.#silence = { because, since: this.#dateOf(this.#parts.steady()) }
    this.#notify()
  }

  #dateOf(at: Steady): string {
    return new Date(this.#parts.toReported(at)).toISOString()
  }
  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}
