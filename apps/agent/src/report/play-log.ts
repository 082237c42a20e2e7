import { MediaType } from '@floorcast/contract/media.ts'
import type { PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import { type EventDraft, validatePlay, type PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import { z } from 'zod'
import type { EventStore } from '../store/event-store.ts'
import type { StateStore } from '../store/state-store.ts'

/** A play that is on, as far as its proof is known. Instants are milliseconds since 1970. */
export interface PlayInProgress {
  cue: PlayCue
  entry: 'start' | 'join'
  offsetSeconds: number
  startedAt: number
}

export interface PlayEnd {
  endedAt: number
  /** By the steady clock; `endedAt` follows corrections of the clock by up to half a thousandth of it. */
  secondsHeard: number
  failure: string | null
  cutBy: string | null
}

const iso = (at: number) => new Date(at).toISOString()
const TOLD_UNTIL = 'told-until'

/** What of a play is known before it ends; kept on the disk, so that one cut by a power failure is reported too. */
const Begun = z.object({
  publicationUid: z.string().nullable(),
  playlistUid: z.string().nullable(),
  playlistName: z.string().nullable(),
  itemUid: z.string().nullable(),
  mediaUid: z.string(),
  sha256: z.string(),
  trackName: z.string(),
  contentType: MediaType,
  scheduledAt: z.string(),
  startedAt: z.string(),
  durationSeconds: z.number(),
  lastHeardAt: z.number(),
})
type Begun = z.infer<typeof Begun>

function begunOf({ cue, startedAt }: PlayInProgress): Omit<Begun, 'lastHeardAt'> {
  const { publication, file } = cue
  return {
    publicationUid: publication.uid,
    playlistUid: publication.playlist.uid,
    playlistName: publication.playlist.name.slice(0, 200),
    itemUid: cue.itemUid,
    mediaUid: file.mediaUid,
    sha256: file.sha256,
    trackName: file.name.slice(0, 200),
    contentType: file.contentType,
    scheduledAt: iso(cue.startsAt),
    startedAt: iso(startedAt),
    durationSeconds: file.durationSeconds,
  }
}

/** Two plays can be on at once, in a crossfade: each has its place. */
const PLACES = ['playing-0', 'playing-1'] as const
export type Place = (typeof PLACES)[number]

/** Writes down what is heard: plays, and from which publication, or silence. */
export class PlayLog {
  readonly #events: EventStore
  readonly #state: StateStore
  readonly #now: () => number
  #source = ''
  #toldUntil: number

  constructor(events: EventStore, state: StateStore, now: () => number) {
    this.#now = now
    this.#events = events
    this.#state = state
    this.#toldUntil = z.number().catch(-Infinity).parse(state.read(TOLD_UNTIL))
  }

  /** The instant at which the sound logged last is told to have ended, in this start of the agent or an earlier one. */
  get toldUntil(): number {
    return this.#toldUntil
  }

  /** Plays that were on when the agent was killed or lost its power: cut, heard until last known. */
  recoverInterrupted(): void {
    for (const place of PLACES) {
      const begun = Begun.safeParse(this.#state.read(place)).data
      if (!begun) continue
      const { lastHeardAt, ...rest } = begun
      const secondsPlayed = (lastHeardAt - Date.parse(begun.startedAt)) / 1000
      const endedAt = iso(lastHeardAt)
      const cut = { at: endedAt, endedAt, secondsPlayed, result: 'cut', why: 'agent-stopped' } as const
      this.#logOnce(place, { kind: 'playtrack', ...rest, ...cut })
    }
  }

  /** To be called at the beginning and then every few seconds, so that little is lost of a play that a power cut ends. */
  heard(place: Place, play: PlayInProgress, at: number): void {
    this.#state.write(place, { ...begunOf(play), lastHeardAt: Math.max(at, play.startedAt) })
  }

  ended(place: Place, play: PlayInProgress, end: PlayEnd): PlayOutcome {
    const { durationSeconds } = play.cue.file
    const judgement = validatePlay({ ...play, ...end, secondsPlayed: end.secondsHeard, durationSeconds })
    const until = Math.max(end.endedAt, play.startedAt)
    const secondsPlayed = (until - play.startedAt) / 1000
    const endedAt = iso(until)
    const { result } = judgement
    const why = judgement.why?.slice(0, 200) ?? null
    const ending = { at: endedAt, endedAt, secondsPlayed, result, why }
    this.#logOnce(place, { kind: 'playtrack', ...begunOf(play), ...ending })
    return judgement
  }

  /** A publication's revision began to be played from; the one before ended. Nothing when it is still the same. */
  playsFrom({ publication }: PlayCue, at: number): void {
    const names = {
      publicationUid: publication.uid,
      playlistUid: publication.playlist.uid,
      playlistName: publication.playlist.name.slice(0, 200),
      revision: publication.revision,
    }
    const source = `${publication.uid}/${publication.revision}`
    this.#change(source, { kind: 'playlist', ...names, status: 'began', why: null, at: iso(at) })
  }

  silent({ because }: SilentCue, at: number): void {
    const none = { publicationUid: null, playlistUid: null, playlistName: null, revision: null }
    this.#change(`silent/${because}`, {
      kind: 'playlist',
      ...none,
      status: 'silent',
      why: because,
      at: iso(at),
    })
  }

  debug(level: 'info' | 'warning' | 'error', code: string, message: string): void {
    const at = iso(this.#now())
    this.#events.append({ kind: 'debug', level, code, message: message.slice(0, 1000), at })
  }

  /** The play is in the log at the same moment as it is no longer in progress: a crash between would count it twice. */
  #logOnce(place: Place, event: Extract<EventDraft, { kind: 'playtrack' }>): void {
    const until = Date.parse(event.endedAt)
    // In a crossfade the one that began later may be logged first; after a clock that was far ahead, what it told is past.
    const isPast = this.#toldUntil > until && this.#toldUntil - until <= REJOIN_AFTER_MS
    if (!isPast) this.#toldUntil = until
    this.#state.atomically(() => {
      this.#events.append(event)
      this.#state.remove(place)
      this.#state.write(TOLD_UNTIL, this.#toldUntil)
    })
  }

  #change(source: string, event: EventDraft): void {
    if (source === this.#source) return
    this.#source = source
    this.#events.append(event)
  }
}
