import { PlayResult } from '@floorcast/contract/events.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import type { PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import { type EventDraft, validatePlay, type PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** The event log that plays are written to. */
export interface PlayEvents {
  /** One start of the program. */
  readonly bootId: string
  /** `bootId` is that of a former start; null: of the one before this. */
  append: (draft: EventDraft, id?: string, bootId?: string | null) => void
  /** False while an event is in memory only. */
  isStored: (id: string) => boolean
  /** Logs that events of the former start were lost. */
  recordLost: (at: string) => void
  /** Corrects the dates of what the server does not have. */
  shiftDates: (byMs: number) => void
}

/** The plays in progress, on the disk by the ids of their events. */
export interface PlayProgress {
  readAll: () => { id: string; play: unknown }[]
  write: (id: string, play: object) => void
  remove: (id: string) => void
}

/** Without a place of their own, plays in progress are in the state. */
export interface PlayStorage extends StateStore {
  progress?: PlayProgress
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
  /** The start of the program in which it began; former releases have none. */
  bootId: z.uuid().optional(),
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
  /** Set for a play that has ended, and whose event is in memory only. */
  ending: z.object({ result: PlayResult, why: z.string().nullable(), secondsPlayed: z.number() }).optional(),
})
type StartedPlay = z.infer<typeof StartedPlay>

function toStartedPlay({
  cue,
  startedAt,
}: PlayInProgress): Omit<StartedPlay, 'lastHeardAt' | 'eventId' | 'bootId' | 'ending'> {
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

/** Keeps the plays in progress in the state. */
export function makeStateProgress(state: StateStore): PlayProgress {
  /** The slots of plays by their event ids. A play may begin before the end of that before it is logged. */
  const slots = new Map<string, string>()
  const freeSlot = () => {
    const taken = new Set(slots.values())
    for (let number = 0; ; number += 1) if (!taken.has(SLOT + number)) return SLOT + number
  }
  return {
    readAll: () =>
      state.names(SLOT).map(slot => {
        slots.set(slot, slot)
        return { id: slot, play: state.read(slot) }
      }),
    write(id, play) {
      const slot = slots.get(id) ?? freeSlot()
      slots.set(id, slot)
      state.write(slot, play)
    },
    remove(id) {
      const slot = slots.get(id)
      if (slot !== undefined) state.remove(slot)
      slots.delete(id)
    },
  }
}

/** Logs plays, the publication that they belong to, and silence. */
export class PlayLog {
  readonly #events: PlayEvents
  readonly #state: StateStore
  readonly #now: () => number
  /** Whether details are logged, as the profile says. */
  isDetailed = false
  #source = ''
  #reportedUntil: number
  /** Whether this start has reported until then. */
  #isOwnUntil = false
  readonly #progress: PlayProgress
  /** The plays in progress by their event ids. */
  readonly #playing = new Map<string, StartedPlay>()

  constructor(events: PlayEvents, state: PlayStorage, now: () => number) {
    this.#now = now
    this.#events = events
    this.#state = state
    this.#progress = state.progress ?? makeStateProgress(state)
    this.#reportedUntil = z.number().catch(-Infinity).parse(state.read(REPORTED_UNTIL))
  }

  /** The reported end of the last logged sound, also of an earlier start of the agent. */
  get reportedUntil(): number {
    return this.#reportedUntil
  }

  /** Logs the plays that a kill or a power cut interrupted, as cut at their last progress, and that it lost events. */
  recoverInterrupted(): void {
    this.#events.recordLost(iso(this.#now()))
    for (const { id, play: saved } of this.#progress.readAll()) {
      const play = StartedPlay.safeParse(saved).data
      if (!play) continue
      const { lastHeardAt, eventId, bootId = null, ending, ...rest } = play
      const secondsPlayed = (lastHeardAt - Date.parse(play.startedAt)) / 1000
      const endedAt = iso(lastHeardAt)
      const cut = ending ?? { secondsPlayed, result: 'cut' as const, why: 'agent-stopped' }
      // Its dates are of its own start's clock, and no correction of this start's moves them.
      this.#appendAndClear(
        id,
        { kind: 'playtrack', ...rest, at: endedAt, endedAt, ...cut },
        { id: eventId, bootId },
      )
    }
  }

  /** Saves a play's progress. Call it at the start and every few seconds, so that a power cut loses little of the play. */
  recordProgress(play: PlayInProgress, at: number): void {
    const { eventId } = play
    const lastHeardAt = Math.max(at, play.startedAt)
    this.#save(eventId, { eventId, bootId: this.#events.bootId, ...toStartedPlay(play), lastHeardAt })
  }

  #save(eventId: string, play: StartedPlay): void {
    this.#playing.set(eventId, play)
    this.#progress.write(eventId, play)
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
    this.#playing.delete(play.eventId)
    const started = toStartedPlay(play)
    if (
      this.#appendAndClear(play.eventId, { kind: 'playtrack', ...started, ...ending }, { id: play.eventId })
    )
      return outcome
    // A disk that takes no commits may take what is written over in its place.
    const { eventId } = play
    const rest = { lastHeardAt: until, ending: { result, why, secondsPlayed } }
    this.#progress.write(eventId, { eventId, bootId: this.#events.bootId, ...started, ...rest })
    return outcome
  }

  /** Logs a play that was to be and was not. */
  recordSkipped(cue: PlayCue, at: number, why: string): void {
    const play = { eventId: '', cue, entry: 'start', offsetSeconds: 0, startedAt: at } as const
    const nothing = { at: iso(at), endedAt: iso(at), secondsPlayed: 0, result: 'failed', why } as const
    this.#events.append({ kind: 'playtrack', ...toStartedPlay(play), ...nothing })
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

  /** Corrects the dates of what the server does not have: the clock was wrong by `byMs` since the start. */
  shiftDates(byMs: number): void {
    this.#state.atomically(() => {
      this.#events.shiftDates(byMs)
      // A former start's end has dates of its own clock.
      if (!this.#isOwnUntil) return
      this.#reportedUntil += byMs
      this.#state.write(REPORTED_UNTIL, this.#reportedUntil)
    })
    const moved = (date: string) => iso(Date.parse(date) + byMs)
    for (const [eventId, play] of this.#playing)
      this.#save(eventId, {
        ...play,
        scheduledAt: moved(play.scheduledAt),
        startedAt: moved(play.startedAt),
        lastHeardAt: play.lastHeardAt + byMs,
      })
  }

  debug(level: 'info' | 'warning' | 'error', code: string, message: string): void {
    const at = iso(this.#now())
    this.#events.append({ kind: 'debug', level, code, message: message.slice(0, 1000), at })
  }

  /** Logs what helps to find a fault, if the profile wants it. */
  detail(code: string, message: string): void {
    if (this.isDetailed) this.debug('info', code, message)
  }

  /**
   * Appends the play, and clears its progress when it is on the disk. After a crash between the two it is appended again by the
   * same id, which the log takes once. Returns whether it is on the disk.
   */
  #appendAndClear(
    progressId: string,
    event: Extract<EventDraft, { kind: 'playtrack' }>,
    { id, bootId }: { id?: string | undefined; bootId?: string | null },
  ): boolean {
    const until = Date.parse(event.endedAt)
    // In a crossfade, the later play may be logged first. An end that is over 30 s later comes from a clock that was wrong.
    const isPast = this.#reportedUntil > until && this.#reportedUntil - until <= REJOIN_AFTER_MS
    if (!isPast) {
      this.#reportedUntil = until
      this.#isOwnUntil = bootId === undefined
    }
    this.#state.atomically(() => {
      this.#events.append(event, id, bootId)
      this.#state.write(REPORTED_UNTIL, this.#reportedUntil)
    })
    const isStored = id === undefined || this.#events.isStored(id)
    if (isStored) this.#progress.remove(progressId)
    return isStored
  }

  #recordIfChanged(source: string, event: EventDraft): void {
    if (source === this.#source) return
    this.#source = source
    this.#events.append(event)
  }
}
