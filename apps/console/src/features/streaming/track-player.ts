import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { gainOf } from '@floorcast/playback/gain.ts'
import { Deck } from './deck.ts'
import type { PlayerMedia } from './media-cache.ts'
import type { Sound } from './sound.ts'

/** A power cut loses at most this much of a play's known duration. */
const PROGRESS_MS = 5000
/** A deck that has not ended so long after its end is stopped. */
const STUCK_MS = 15_000

/** One play of a cue, from its command to its entry in the log. */
export interface Play {
  cue: PlayCue
  readonly entry: 'start' | 'join'
  readonly offsetSeconds: number
  readonly deck: Deck
  readonly eventId: string
  /** When its sound began; null if it failed before. */
  readonly startedAt: Steady | null
  readonly reportedStartAt: number
  /** Why it was ended early. */
  cutBy: string | null
  /** Resolves when it has ended and is logged. */
  readonly logged: Promise<PlayOutcome>
}

export interface Prepared {
  cue: PlayCue
  deck: Deck
  isLoaded: Promise<boolean>
}

interface TrackPlayerParts {
  clock: Clock
  log: PlayLog
  sound: Sound
  media: PlayerMedia
  newEventId: () => string
}

/** Plays tracks on two decks, and logs each play by the time at which its sound was heard. */
export class TrackPlayer {
  readonly #parts: TrackPlayerParts
  readonly decks: readonly [Deck, Deck]
  readonly reportingClock: ReportingClock
  #active: 0 | 1 = 0
  /** What each deck loads, and the play that it has. */
  readonly #loading: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()]
  readonly #playing: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()]
  /** LUFS; null: files play as they are. */
  loudnessTargetLufs: number | null = null

  constructor(parts: TrackPlayerParts) {
    this.#parts = parts
    this.reportingClock = new ReportingClock(parts.clock)
    const makeDeck = () => new Deck(parts.sound, parts.sound.music)
    this.decks = [makeDeck(), makeDeck()]
  }

  /** Loads a track on the deck that is not playing, when its former one has ended. It replaces a track that was not started. */
  prepare(cue: PlayCue): Prepared {
    const index = this.#active === 0 ? 1 : 0
    const deck = this.decks[index]
    const former = this.#loading[index]
    const load = async () => {
      await Promise.all([former, this.#playing[index]])
      const bytes = await this.#parts.media.read(cue.file)
      if (!bytes) return false
      const gainDb = gainOf(cue.file.loudness, this.loudnessTargetLufs)
      return deck.load({ bytes, gainDb })
    }
    const isLoaded = load()
    this.#loading[index] = isLoaded
    return { cue, deck, isLoaded }
  }

  /** Starts a prepared track; its sound fades in over `fadeMs`. */
  async start({ cue, deck, isLoaded }: Prepared, entry: Play['entry'], fadeMs: number): Promise<Play> {
    const { clock } = this.#parts
    this.#active = deck === this.decks[0] ? 0 : 1
    const commandedAt = clock.steady()
    const canPlay = await isLoaded
    const offsetSeconds = canPlay && entry === 'join' ? deck.position : 0
    deck.setLevel(fadeMs > 0 ? 0 : 1)
    const startedAt = canPlay ? await deck.play() : null
    if (fadeMs > 0) void deck.fade(1, fadeMs)
    const reportedStartAt = this.reportingClock.toReported(startedAt ?? commandedAt)
    const head = { cue, entry, offsetSeconds, deck, startedAt, reportedStartAt, cutBy: null }
    const logged = Promise.withResolvers<PlayOutcome>()
    const play: Play = { ...head, eventId: this.#parts.newEventId(), logged: logged.promise }
    this.#playing[this.#active] = logged.promise
    void this.#logWhenEnded(play).then(logged.resolve)
    return play
  }

  /** Ends a play, with a fade. Resolves when it is logged. */
  async cut(play: Play, reason: string, fadeMs: number): Promise<void> {
    play.cutBy ??= reason
    if (fadeMs > 0) await play.deck.fade(0, fadeMs)
    play.deck.stop()
    await play.logged
  }

  close(): void {
    for (const deck of this.decks) {
      deck.stop()
      deck.unload()
    }
  }

  async #logWhenEnded(play: Play): Promise<PlayOutcome> {
    const { clock, log, sound } = this.#parts
    const { deck, startedAt, offsetSeconds } = play
    const inProgress = { ...play, startedAt: play.reportedStartAt }
    const saveProgress = () => log.recordProgress(inProgress, this.reportingClock.toReported(clock.steady()))
    if (startedAt !== null) saveProgress()
    const timer = setInterval(saveProgress, PROGRESS_MS)
    const remainingMs = (play.cue.file.durationSeconds - offsetSeconds) * 1000
    const stuck = setTimeout(() => deck.stop(), remainingMs + STUCK_MS)
    const ending = startedAt === null ? 'failed' : await deck.ended
    clearInterval(timer)
    clearTimeout(stuck)
    const secondsHeard = startedAt === null ? 0 : Math.max(0, deck.position - offsetSeconds)
    const endedAt = this.reportingClock.toReported(
      ending === 'end' ? clock.steady() + sound.latencyMs : clock.steady(),
    )
    const failure = ending === 'failed' ? deck.fault || 'the browser has removed it' : null
    const outcome = log.recordEnd(
      { ...inProgress, cue: play.cue },
      { endedAt, secondsHeard, failure, cutBy: play.cutBy },
    )
    deck.unload()
    return outcome
  }
}
