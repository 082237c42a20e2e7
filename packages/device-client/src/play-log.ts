import { MediaType } from '@floorcast/contract/media.ts'
import type { PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import { type EventDraft, validatePlay, type PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** The event log that plays are written to. */
export interface PlayEvents {
  append: (draft: EventDraft, id?: string) => void
  /** Logs that events of the former start were lost. */
  recordLost: (at: string) => void
  /** Corrects the dates of what the server does not have. */
  shiftDates: (byMs: number) => void
}

/** A play that has started. Instants are milliseconds since 1970, in reported time. */
export interface PlayInProgress {
  /** The id of its event: two copies of a disk report the same play by the same id. */
  eventId: string
  cue: PlayCue
  entry: 'start' | 'join'
  offsetSeconds: number
  startedAt: number
}

export interface PlayEnd {
  endedAt: number
  /** Seconds of the file. `endedAt` differs by up to 0.15 %: it follows corrections of the clock, and the player those of its speed. */
  secondsHeard: number
  failure: string | null
  cutBy: string | null
}

const iso = (at: number) => new Date(at).toISOString()
const REPORTED_UNTIL = 'told-until'

/** The known part of a play before its end. It is on the disk, so that the agent also reports a play that a power cut ends. */
const StartedPlay = z.object({
  /** Former releases have none. */
  eventId: z.uuid().optional(),
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
type StartedPlay = z.infer<typeof StartedPlay>

function toStartedPlay({ cue, startedAt }: PlayInProgress): Omit<StartedPlay, 'lastHeardAt' | 'eventId'> {
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

/** A play in progress has the state `playing-0`, `playing-1` and so on. Agents in shops have written these names. */
const SLOT = 'playing-'

/** Logs plays, the publication that they belong to, and silence. */
export class PlayLog {
  readonly #events: PlayEvents
  readonly #state: StateStore
  readonly #now: () => number
  /** Whether details are logged, as the profile says. */
  isDetailed = false
  #source = ''
  #reportedUntil: number
  /** The slots of the plays in progress by their event ids. A play may begin before the end of that before it is logged. */
  readonly #slots = new Map<string, string>()

  constructor(events: PlayEvents, state: StateStore, now: () => number) {
    this.#now = now
    this.#events = events
    this.#state = state
    this.#reportedUntil = z.number().catch(-Infinity).parse(state.read(REPORTED_UNTIL))
  }

  /** The reported end of the last logged sound, also of an earlier start of the agent. */
  get reportedUntil(): number {
    return this.#reportedUntil
  }

  /** Logs the plays that a kill or a power cut interrupted, as cut at their last progress, and that it lost events. */
  recoverInterrupted(): void {
    this.#events.recordLost(iso(this.#now()))
    for (const slot of this.#state.names(SLOT)) {
      const play = StartedPlay.safeParse(this.#state.read(slot)).data
      if (!play) continue
      const { lastHeardAt, eventId, ...rest } = play
      const secondsPlayed = (lastHeardAt - Date.parse(play.startedAt)) / 1000
      const endedAt = iso(lastHeardAt)
      const cut = { at: endedAt, endedAt, secondsPlayed, result: 'cut', why: 'agent-stopped' } as const
      this.#appendAndClear(slot, { kind: 'playtrack', ...rest, ...cut }, eventId)
    }
  }

  /** Saves a play's progress. Call it at the start and every few seconds, so that a power cut loses little of the play. */
  recordProgress(play: PlayInProgress, at: number): void {
    const { eventId } = play
    const slot = this.#slots.get(eventId) ?? this.#freeSlot()
    this.#slots.set(eventId, slot)
    this.#state.write(slot, { eventId, ...toStartedPlay(play), lastHeardAt: Math.max(at, play.startedAt) })
  }

  recordEnd(play: PlayInProgress, end: PlayEnd): PlayOutcome {
    const { durationSeconds } = play.cue.file
    const outcome = validatePlay({ ...play, ...end, secondsPlayed: end.secondsHeard, durationSeconds })
    const until = Math.max(end.endedAt, play.startedAt)
    const secondsPlayed = (until - play.startedAt) / 1000
    const endedAt = iso(until)
    const { result } = outcome
    const why = outcome.why?.slice(0, 200) ?? null
    const ending = { at: endedAt, endedAt, secondsPlayed, result, why }
    const slot = this.#slots.get(play.eventId)
    this.#slots.delete(play.eventId)
    this.#appendAndClear(slot, { kind: 'playtrack', ...toStartedPlay(play), ...ending }, play.eventId)
    return outcome
  }

  /** Logs that playback from a publication's revision starts. Does nothing if the source is still the same. */
  recordSource({ publication }: PlayCue, at: number): void {
    const names = {
      publicationUid: publication.uid,
      playlistUid: publication.playlist.uid,
      playlistName: publication.playlist.name.slice(0, 200),
      revision: publication.revision,
    }
    const source = `${publication.uid}/${publication.revision}`
    this.#recordIfChanged(source, { kind: 'playlist', ...names, status: 'began', why: null, at: iso(at) })
  }

  recordSilence({ because }: SilentCue, at: number): void {
    const none = { publicationUid: null, playlistUid: null, playlistName: null, revision: null }
    this.#recordIfChanged(`silent/${because}`, {
      kind: 'playlist',
      ...none,
      status: 'silent',
      why: because,
      at: iso(at),
    })
  }

  /** Corrects the dates of what the server does not have: the clock was wrong by so much since the start. */
  shiftDates(byMs: number): void {
    this.#events.shiftDates(byMs)
    this.#reportedUntil += byMs
    this.#state.write(REPORTED_UNTIL, this.#reportedUntil)
  }

  debug(level: 'info' | 'warning' | 'error', code: string, message: string): void {
    const at = iso(this.#now())
    this.#events.append({ kind: 'debug', level, code, message: message.slice(0, 1000), at })
  }

  /** Logs what helps to find a fault, if the profile wants it. */
  detail(code: string, message: string): void {
    if (this.isDetailed) this.debug('info', code, message)
  }

  /** Appends the play and clears its progress in one transaction: a crash between the two would report it twice. */
  #appendAndClear(
    slot: string | undefined,
    event: Extract<EventDraft, { kind: 'playtrack' }>,
    id?: string,
  ): void {
    const until = Date.parse(event.endedAt)
    // In a crossfade, the later play may be logged first. An end that is over 30 s later comes from a clock that was wrong.
    const isPast = this.#reportedUntil > until && this.#reportedUntil - until <= REJOIN_AFTER_MS
    if (!isPast) this.#reportedUntil = until
    this.#state.atomically(() => {
      this.#events.append(event, id)
      if (slot !== undefined) this.#state.remove(slot)
      this.#state.write(REPORTED_UNTIL, this.#reportedUntil)
    })
  }

  #freeSlot(): string {
    const taken = new Set(this.#slots.values())
    for (let number = 0; ; number += 1) {
      const slot = `${SLOT}${number}`
      if (!taken.has(slot)) return slot
    }
  }

  #recordIfChanged(source: string, event: EventDraft): void {
    if (source === this.#source) return
    this.#source = source
    this.#events.append(event)
  }
}
