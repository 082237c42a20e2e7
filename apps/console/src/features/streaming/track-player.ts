import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import type { NextPlay, Play, TrackOutput } from '@floorcast/device-player/ports.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { gainOf } from '@floorcast/playback/gain.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import { Deck, type DeckEnding } from './deck.ts'
import type { PlayerMedia } from './media-cache.ts'
import type { Sound } from './sound.ts'

/** A power cut loses at most this much of a play's known duration. */
const PROGRESS_MS = 5000
/** A deck that has not ended this long after its end is stopped. */
const STUCK_MS = 15_000
/** From the command to the sound of a loaded element: 0.6 to 5.4 ms in Chromium. */
const START_LATENCY_MS = 5
/** A track without gap data may have this much more silence at its end; the next one then begins by the schedule. */
const MAX_PADDING_MS = 60

/** A play on a deck. */
export interface DeckPlay extends Play {
  readonly deck: Deck
  readonly eventId: string
  ending: { kind: DeckEnding } | null
  readonly reportedStartAt: number
  /** Why it was ended early. */
  cutBy: string | null
  readonly logged: Promise<PlayOutcome>
}

interface Prepared {
  cue: PlayCue
  gainDb: number
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
export class TrackPlayer implements TrackOutput<DeckPlay> {
  readonly #parts: TrackPlayerParts
  readonly decks: readonly [Deck, Deck]
  readonly reportingClock: ReportingClock
  #active: 0 | 1 = 0
  /** The track that is loaded, and not started. */
  #prepared: Prepared | null = null
  /** The load of each deck, and the play that it has. */
  readonly #loading: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()]
  readonly #playing: [DeckPlay | null, DeckPlay | null] = [null, null]
  /** LUFS; null: files play as they are. */
  loudnessTargetLufs: number | null = null

  constructor(parts: TrackPlayerParts) {
    this.#parts = parts
    this.reportingClock = new ReportingClock(parts.clock)
    const makeDeck = () => new Deck(parts.sound, parts.sound.music)
    this.decks = [makeDeck(), makeDeck()]
  }

  ready(): null {
    return null
  }

  /**
   * Loads a track on the deck that is not playing, when its former one has ended. It replaces a track that was not started. Resolves
   * to whether it can be played.
   */
  load(cue: PlayCue): Promise<boolean> {
    return this.#prepare(cue).isLoaded
  }

  async start(cue: PlayCue, entry: DeckPlay['entry']): Promise<DeckPlay> {
    const { clock, log } = this.#parts
    const prepared = this.#prepare(cue)
    const canPlay = await prepared.isLoaded
    if (canPlay && entry === 'join') prepared.deck.seek((clock.now() - cue.startsAt) / 1000)
    this.reportingClock.resume(log.reportedUntil)
    return this.#begin(prepared, entry, entry === 'join' ? JOIN_FADE_MS : 0)
  }

  async prepareNext(play: DeckPlay, cue: PlayCue): Promise<NextPlay<DeckPlay>> {
    const prepared = this.#prepare(cue)
    return {
      cue,
      dueAt: () => this.#endOf(play) - START_LATENCY_MS,
      begin: () => {
        const { overlapMs } = play.cue
        if (overlapMs > 0) void play.deck.fade(0, overlapMs)
        return this.#begin(prepared, 'start', overlapMs)
      },
      // It stays loaded: the next one is the same in most cases.
      drop: () => Promise.resolve(true),
    }
  }

  noteCut(play: DeckPlay, reason: string | null): void {
    for (const each of [play, ...this.#playing]) if (each && !each.ending) each.cutBy = reason
  }

  async cut(play: DeckPlay, reason: string): Promise<void> {
    this.noteCut(play, reason)
    await play.deck.fade(0, JOIN_FADE_MS)
    play.deck.stop()
    await play.logged
  }

  async endStuck({ deck, logged }: DeckPlay): Promise<void> {
    deck.stop()
    await logged
  }

  async settle({ logged }: DeckPlay): Promise<boolean> {
    return (await logged).result !== 'failed'
  }

  /** A deck that is loaded for the next track stays as it is. */
  async stop(): Promise<void> {
    const plays = this.#playing.flatMap(play => play ?? [])
    for (const { ending, deck } of plays) if (!ending) deck.stop()
    await Promise.all(plays.map(({ logged }) => logged))
  }
  stopForAlert(): Promise<void> {
    return this.stop()
  }

  close(): void {
    for (const deck of this.decks) {
      deck.stop()
      deck.unload()
    }
  }

  #prepare(cue: PlayCue): Prepared {
    const gainDb = gainOf(cue.file.loudness, this.loudnessTargetLufs)
    const waiting = this.#prepared
    if (waiting?.cue.file.sha256 === cue.file.sha256 && waiting.gainDb === gainDb) {
      waiting.cue = cue
      return waiting
    }
    const index = this.#active === 0 ? 1 : 0
    const deck = this.decks[index]
    const waitsFor: Promise<unknown>[] = [this.#loading[index]]
    const former = this.#playing[index]
    if (former) waitsFor.push(former.logged)
    const load = async () => {
      await Promise.all(waitsFor)
      const bytes = await this.#parts.media.read(cue.file)
      return bytes !== null && deck.load({ bytes, gainDb })
    }
    const isLoaded = load()
    this.#loading[index] = isLoaded
    const prepared = { cue, gainDb, deck, isLoaded }
    this.#prepared = prepared
    // It is loaded again when it is wanted again.
    void isLoaded.then(canPlay => {
      if (!canPlay && this.#prepared === prepared) this.#prepared = null
    })
    return prepared
  }

  /** Starts what is loaded; its sound fades in over `fadeMs`. */
  async #begin(
    { cue, deck, isLoaded }: Prepared,
    entry: DeckPlay['entry'],
    fadeMs: number,
  ): Promise<DeckPlay> {
    const { clock } = this.#parts
    this.#prepared = null
    this.#active = deck === this.decks[0] ? 0 : 1
    const commandedAt = clock.steady()
    const canPlay = await isLoaded
    const offsetSeconds = canPlay && entry === 'join' ? deck.position : 0
    deck.setLevel(fadeMs > 0 ? 0 : 1)
    const startedAt = canPlay ? await deck.play() : null
    if (fadeMs > 0) void deck.fade(1, fadeMs)
    return this.#register({ cue, entry, offsetSeconds, deck, startedAt }, commandedAt)
  }

  #register(
    head: Pick<DeckPlay, 'cue' | 'entry' | 'offsetSeconds' | 'deck' | 'startedAt'>,
    commandedAt: Steady,
  ): DeckPlay {
    const { deck, startedAt } = head
    const logged = Promise.withResolvers<PlayOutcome>()
    const ended = startedAt === null ? Promise.resolve<DeckEnding>('failed') : deck.ended
    const play: DeckPlay = {
      ...head,
      eventId: this.#parts.newEventId(),
      started: startedAt === null ? new Promise<never>(() => undefined) : Promise.resolve(),
      ended: ended.then(kind => (play.ending = { kind })),
      ending: null,
      reportedStartAt: this.reportingClock.toReported(startedAt ?? commandedAt),
      cutBy: null,
      logged: logged.promise,
    }
    this.#playing[this.#active] = play
    void this.#logWhenEnded(play).then(outcome => {
      this.#recordOutcome(play.cue, outcome)
      logged.resolve(outcome)
    })
    return play
  }

  /** Takes what a logged play says of its file. */
  #recordOutcome({ file }: PlayCue, { result, why }: PlayOutcome): void {
    const { media, log, clock } = this.#parts
    if (result === 'complete') media.forgive(file.sha256)
    if (result !== 'failed') return
    media.discard(file, clock.now())
    log.debug('error', 'file-quarantined', `${file.name} cannot be played (${why ?? ''})`)
  }

  /** When the sound of a play ends or begins to fade out, on the steady clock. */
  #endOf({ cue, deck }: DeckPlay): Steady {
    const { clock } = this.#parts
    const scheduledAt = clock.steadyOf(cue.until)
    if (cue.overlapMs > 0) return scheduledAt
    const endsAt = clock.steady() + (deck.lengthSeconds - deck.position) * 1000
    return Math.abs(endsAt - scheduledAt) <= MAX_PADDING_MS ? scheduledAt : endsAt
  }

  async #logWhenEnded(play: DeckPlay): Promise<PlayOutcome> {
    const { clock, log, sound } = this.#parts
    const { deck, startedAt, offsetSeconds } = play
    const inProgress = { ...play, startedAt: play.reportedStartAt }
    const saveProgress = () => log.recordProgress(inProgress, this.reportingClock.toReported(clock.steady()))
    if (startedAt !== null) saveProgress()
    const timer = setInterval(saveProgress, PROGRESS_MS)
    const remainingMs = (play.cue.file.durationSeconds - offsetSeconds) * 1000
    const stuck = setTimeout(() => deck.stop(), remainingMs + STUCK_MS)
    await play.ended
    clearInterval(timer)
    clearTimeout(stuck)
    const ending = play.ending?.kind
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
