import { isDeepStrictEqual } from 'node:util'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { gainOf } from '@floorcast/playback/gain.ts'
import type { Clock, Steady } from '../clock/clock.ts'
import { Deck } from './mpv-player.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { Place, PlayLog } from '../report/play-log.ts'
import type { DeckTrack, Ending, Playing } from './playback.ts'
import { ProofClock } from '../clock/reporting-clock.ts'
import { sleep } from '@floorcast/device-client/wait.ts'

/** One play on a deck, from its command to its line in the log. */
export interface Turn {
  cue: PlayCue
  entry: 'start' | 'join'
  offsetSeconds: number
  playing: Playing
  /** When its sound is told to have begun, once it has. */
  toldStart: number | null
  /** Why it was asked to end early. */
  cutBy: string | null
  /** Settles when its sound has ended and its play is logged; null when it never sounded. */
  logged: Promise<PlayOutcome | null>
}

/** A track loaded before its moment; null when it was not wanted any more. */
interface Ahead {
  track: DeckTrack
  playing: Promise<Playing | null>
}

/** What is ended for it starts anew after the alert. */
const ALERT_PATIENCE = 1000

/** Power cuts lose at most this much of what is known of a play. */
const HEARD_EVERY = 5000

interface TurntableParts {
  clock: Clock
  log: PlayLog
  options: MpvOptions
  pathOf: (sha256: string) => string
}

/** The two music decks: tracks follow one another on one without a gap, a crossfade goes over to the other. */
export class Turntable {
  readonly #parts: TurntableParts
  readonly #decks: readonly [Deck, Deck]
  /** What plays are told in; the schedule is kept by the clock. */
  readonly proof: ProofClock
  #active: 0 | 1 = 0
  #ahead: Ahead | null = null
  /** The track that was crossed out of last. */
  #fading: Playing | null = null
  /** LUFS; null: files play as they are. */
  loudnessTarget: number | null = null

  constructor(parts: TurntableParts) {
    this.#parts = parts
    this.proof = new ProofClock(parts.clock)
    const makeDeck = () => new Deck(parts.options, () => parts.clock.steady())
    this.#decks = [makeDeck(), makeDeck()]
  }

  get #deck(): Deck {
    return this.#decks[this.#active]
  }
  get #otherDeck(): Deck {
    return this.#decks[this.#active === 0 ? 1 : 0]
  }
  /** The process of the deck that plays. */
  get pid(): number | undefined {
    return this.#deck.pid
  }
  /** Resolves once what is begun sounds without waiting for mpv. */
  ready(): Promise<void> {
    return this.#deck.ready()
  }
  async setVolume(volume: number): Promise<void> {
    for (const deck of this.#decks) await deck.setVolume(volume)
  }

  /** Begins after silence, `offsetSeconds` into the file when it is joined. */
  async begin(cue: PlayCue, entry: Turn['entry'], offsetSeconds: number): Promise<Turn> {
    this.proof.resume(this.#parts.log.toldUntil)
    const playing = await this.#deck.play(this.#trackOf(cue, offsetSeconds), entry === 'join' ? 0 : 1)
    return this.#take(cue, playing, { entry, offsetSeconds })
  }

  fadeIn(duration: number): Promise<void> {
    return this.#deck.fade(1, duration)
  }

  /** Gives what follows the current track without a gap. */
  async follow(cue: PlayCue): Promise<Turn> {
    return this.#take(cue, await this.#deck.follow(this.#trackOf(cue, 0)), {
      entry: 'start',
      offsetSeconds: 0,
    })
  }
  /** Takes back what was given to follow; false when it is on already. */
  takeBack({ playing }: Turn): Promise<boolean> {
    return this.#deck.takeBack(playing)
  }

  /** Loads on the other deck what is to be crossed into, once that deck has faded out; a busy box may take long for it. */
  prepare(cue: PlayCue): void {
    const track = this.#trackOf(cue, 0)
    if (this.#ahead && isDeepStrictEqual(this.#ahead.track, track)) return
    const ahead: Ahead = { track, playing: Promise.resolve(null) }
    this.#ahead = ahead
    const deck = this.#otherDeck
    ahead.playing = (async () => {
      await this.#fading?.ended
      return this.#ahead === ahead ? deck.load(track) : null
    })()
  }

  /** Begins on the other deck at `at` while the current one fades out; at once when it was not prepared in time. */
  async crossInto(cue: PlayCue, at: Steady, former: Turn): Promise<Turn> {
    // The deck that is still fading out the one before is taken from it: it has nothing loaded ahead.
    const ahead = this.#fading?.ending === null ? null : this.#ahead
    this.#ahead = null
    const track = this.#trackOf(cue, 0)
    const leaving = this.#deck
    this.#active = this.#active === 0 ? 1 : 0
    const prepared = ahead && isDeepStrictEqual(ahead.track, track) ? await ahead.playing : null
    const playing = prepared && !prepared.ending ? prepared : await this.#deck.play(track, 0)
    if (playing === prepared) {
      await sleep(at - this.#parts.clock.steady())
      await this.#deck.letGo(playing)
    }
    this.#fading = former.playing
    void leaving.fade(0, former.cue.overlap)
    void this.#deck.fade(1, former.cue.overlap)
    return this.#take(cue, playing, { entry: 'start', offsetSeconds: 0 })
  }

  /** Ends a play early; resolves when it is logged. */
  async cut(turn: Turn, why: string, fade: number): Promise<void> {
    turn.cutBy ??= why
    await this.silence(fade)
    await turn.logged
  }

  async silence(fade = 0): Promise<void> {
    this.#ahead = null
    await Promise.all(this.#decks.map(deck => deck.stop(fade)))
  }

  /** For decks that hang. */
  kill(): void {
    for (const deck of this.#decks) deck.kill()
  }
  /** Does what an alert waits for: decks that hang meanwhile are ended after a second, for it is not to wait longer. */
  async makeWay<T>(work: () => Promise<T>): Promise<T> {
    const late = setTimeout(() => this.kill(), ALERT_PATIENCE)
    try {
      return await work()
    } finally {
      clearTimeout(late)
    }
  }

  close(): void {
    for (const deck of this.#decks) deck.close()
  }

  #trackOf({ file }: PlayCue, offsetSeconds: number): DeckTrack {
    return {
      path: this.#parts.pathOf(file.sha256),
      gainDb: gainOf(file.loudness, this.loudnessTarget),
      offsetSeconds,
      durationSeconds: file.durationSeconds,
    }
  }

  #take(cue: PlayCue, playing: Playing, how: Pick<Turn, 'entry' | 'offsetSeconds'>): Turn {
    const turn: Turn = { cue, playing, ...how, toldStart: null, cutBy: null, logged: Promise.resolve(null) }
    turn.logged = this.#logWhenEnded(turn, `playing-${this.#active}`)
    return turn
  }

  async #logWhenEnded(turn: Turn, place: Place): Promise<PlayOutcome | null> {
    const { clock, log } = this.#parts
    let timer: NodeJS.Timeout | undefined
    const hear = (startedAt: number) => {
      turn.toldStart ??= this.proof.tell(startedAt)
      log.heard(place, { ...turn, startedAt: turn.toldStart }, this.proof.tell(clock.steady()))
    }
    void turn.playing.started.then(async startedAt => {
      await sleep(startedAt - clock.steady())
      if (turn.playing.ending && turn.playing.ending.at <= clock.steady()) return
      hear(startedAt)
      timer = setInterval(() => hear(startedAt), HEARD_EVERY)
    })
    const ending = await turn.playing.ended
    await sleep(ending.at - clock.steady())
    clearInterval(timer)
    if (turn.playing.startedAt === null && ending.how !== 'failed') return null
    return this.#log(turn, ending, place)
  }

  #log(turn: Turn, ending: Ending, place: Place): PlayOutcome {
    const startedAt = turn.playing.startedAt ?? ending.at
    const died = ending.how === 'died' ? 'player-died' : null
    return this.#parts.log.ended(
      place,
      { ...turn, startedAt: turn.toldStart ?? this.proof.tell(startedAt) },
      {
        endedAt: this.proof.tell(ending.at),
        secondsHeard: (ending.at - startedAt) / 1000,
        failure: ending.how === 'failed' ? ending.why : null,
        cutBy: turn.cutBy ?? died ?? (ending.how === 'stopped' ? 'stopped' : null),
      },
    )
  }
}
