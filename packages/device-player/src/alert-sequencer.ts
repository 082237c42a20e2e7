import type { AlertCue, Cue } from '@floorcast/playback/cue-types.ts'
import { type ChangeNotifier, sleep } from '@floorcast/device-client/wait.ts'
import type { PlayEvents } from '@floorcast/device-client/play-log.ts'
import type { AlertOutput, PlayableFiles, PlayerClock } from './ports.ts'

interface AlertSequencerParts {
  clock: Pick<PlayerClock, 'now'>
  events: Pick<PlayEvents, 'append'>
  media: PlayableFiles
  output: AlertOutput
  changes: ChangeNotifier
  cueAt: (at: number) => Cue
  isStopping: () => boolean
  volume: () => number
  silenceMusic: () => Promise<void>
  /** An alert is to play, with this sound. */
  onAlert: (cue: AlertCue) => void
  onError: (error: unknown) => void
}

const ERROR_RETRY_MS = 1000
/** Until an alert that has opened begins. */
const BEGIN_MS = 20

/** Plays the open alerts beside the music, so that no alert waits for a player of music that hangs. */
export class AlertSequencer {
  readonly #parts: AlertSequencerParts
  /** Resolves at the end of the alert that plays; null without one. */
  #over: Promise<void> | null = null
  /** Whether the current alert has silenced the music. */
  #hasSilenced = false

  constructor(parts: AlertSequencerParts) {
    this.#parts = parts
  }

  /** Whether an alert plays or is to play. */
  get isActive(): boolean {
    return this.#over !== null
  }

  /** Plays alerts until the player stops. */
  async run(): Promise<void> {
    const { changes, clock, cueAt, isStopping, onError } = this.#parts
    while (!isStopping()) {
      const seen = changes.count
      try {
        const cue = cueAt(clock.now())
        if (cue.kind === 'alert') await this.#begin(cue)
        else await changes.after(seen)
      } catch (error) {
        onError(error)
        await sleep(ERROR_RETRY_MS)
      }
    }
  }

  /** Resolves when no alert plays any more. The music calls it in place of a track. */
  async untilOver(): Promise<void> {
    // A slow player may have begun a track after the alert had silenced the music.
    if (this.#hasSilenced) await this.#parts.silenceMusic()
    await (this.#over ?? sleep(BEGIN_MS))
  }

  async #begin(cue: AlertCue): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#over = promise
    this.#hasSilenced = false
    try {
      await this.#play(cue)
    } finally {
      this.#over = null
      this.#hasSilenced = false
      resolve()
    }
  }

  /** Starts the alert at once and repeats it until the cue is another. */
  async #play(cue: AlertCue): Promise<void> {
    const { clock, events, output, cueAt, isStopping, onAlert } = this.#parts
    const { uid, kind } = cue.alert
    const logStep = (step: 'started' | 'ended') => {
      const at = new Date(clock.now()).toISOString()
      events.append({ kind: 'alert', alertUid: uid, alertKind: kind, step, at })
    }
    let isHeard = false
    const onSound = () => {
      if (!isHeard) logStep('started')
      isHeard = true
    }
    let silenced: Promise<void> | null = null
    const silenceMusic = () => {
      this.#hasSilenced = true
      return (silenced ??= this.#parts.silenceMusic())
    }
    for (let current: Cue = cue; current.kind === 'alert' && current.alert.uid === uid && !isStopping();) {
      onAlert(current)
      const change = this.#watch(current)
      const sound = { volume: this.#parts.volume(), interrupted: change.happened, onSound, silenceMusic }
      await output.play(current.file, sound)
      change.stopWatching()
      current = cueAt(clock.now())
    }
    await output.stop()
    await silenceMusic()
    if (isHeard) logStep('ended')
  }

  /** `happened` resolves when the cue is no longer this alert with this sound, or when its sound is held now. */
  #watch(cue: AlertCue): { happened: Promise<void>; stopWatching: () => void } {
    const { changes, clock, cueAt, isStopping, media } = this.#parts
    const isHeld = ({ file }: AlertCue) => file !== null && media.held.has(file.sha256)
    const wasHeld = isHeld(cue)
    let isWatching = true
    const isSame = (other: Cue) =>
      other.kind === 'alert' &&
      other.alert.uid === cue.alert.uid &&
      other.file?.sha256 === cue.file?.sha256 &&
      (wasHeld || !isHeld(other))
    const watch = async () => {
      for (;;) {
        const seen = changes.count
        if (!isWatching || isStopping() || !isSame(cueAt(clock.now()))) return
        await changes.after(seen)
      }
    }
    return { happened: watch(), stopWatching: () => void (isWatching = false) }
  }
}
