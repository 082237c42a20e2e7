import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import type { PlayEvents } from '@floorcast/device-client/play-log.ts'
import type { SentEvents } from '@floorcast/device-client/redelivery.ts'
import { EVENT_DAYS, type EventDraft } from '@floorcast/playback/event-rules.ts'
import type { PlayerDatabase } from './player-database.ts'

const EVENT = 'event/'
const DAY_MS = 86_400_000
/** Some months of a shop; so many that are sent, and so many that are not. */
const MAX_EVENTS = 100_000
/** The starts of the page whose events are in the log, the newest last. */
const RUNS = 'log/runs'
const MAX_RUNS = 1000
/** The moment since which the log has every event of the device; `NEXT`: not known before the server takes events. */
const WHOLE_SINCE = 'log/whole-since'
const NEXT = 'next'
const DATES = ['at', 'scheduledAt', 'startedAt', 'endedAt'] as const

type LoggedEvent = EventDraft & { id: string; bootId: string; sequence: number }

const eventKey = (place: number) => EVENT + String(place).padStart(12, '0')
/** In the archive, events are in the order in which they were sent. */
const sentKey = (at: number, place = '') =>
  `${String(Math.max(0, Math.round(at))).padStart(14, '0')}/${place}`
const placeOf = (key: string) => Number(key.slice(key.lastIndexOf('/') + 1))

/**
 * The event log of a page. Each event is in IndexedDB before it is sent. What the server has is archived for 90 days: one that was
 * restored asks for it again.
 */
export class EventLog implements UnsentEvents, PlayEvents, SentEvents {
  /** One for each load of the page. */
  readonly bootId = crypto.randomUUID()
  readonly #database: PlayerDatabase
  readonly #onStored: (() => void)[] = []
  readonly #onLogged: ((draft: EventDraft) => void)[] = []
  #sequence = 0
  /** The place of the newest event. */
  #place: number
  #isMuted = false
  /** The places of plays that a former load of the page began, and of what is sent again: no correction of the clock moves their dates. */
  readonly #former = new Set<string>()
  #hasSession = false
  #purgedAt = 0
  /** When the log became whole, by the present clock. */
  #wholeSince: (() => number) | null = null

  private constructor(database: PlayerDatabase, place: number) {
    this.#database = database
    this.#place = place
    database.put(RUNS, [...this.#runs, this.bootId].slice(-MAX_RUNS))
  }

  static async open(database: PlayerDatabase): Promise<EventLog> {
    const places = [database.keys(EVENT).at(-1), await database.lastArchived()]
    return new EventLog(database, Math.max(0, ...places.map(key => (key === undefined ? 0 : placeOf(key)))))
  }

  /** Called when an event can be sent. */
  onAppend(listener: () => void): void {
    this.#onStored.push(listener)
  }
  /** Called at once, also before the event is stored. */
  onLogged(listener: (draft: EventDraft) => void): void {
    this.#onLogged.push(listener)
  }
  /** Stops logging: another player reports for this device. */
  mute(): void {
    this.#isMuted = true
  }

  append(draft: EventDraft, id: string = crypto.randomUUID(), bootId?: string | null): void {
    if (this.#isMuted) return
    this.#sequence += 1
    this.#place += 1
    const key = eventKey(this.#place)
    if (bootId !== undefined) this.#former.add(key)
    this.#database.put(key, { ...draft, id, bootId: this.bootId, sequence: this.#sequence })
    for (const listener of this.#onLogged) listener(draft)
    void this.#database.written().then(() => {
      for (const listener of this.#onStored) listener()
    })
  }

  /** A page keeps no event in memory only, except where the disk takes nothing: then a gap in the numbers tells the server. */
  recordLost(): void {}
  /** Always true: writes keep their order on the disk. */
  isStored(): boolean {
    return true
  }

  readUnsent(limit: number): UnsentEvent[] {
    const keys = this.#database.keys(EVENT).slice(0, limit)
    const stored = keys.filter(key => this.#database.isStored(key))
    return stored.map(key => {
      const body = this.#database.get(key) as LoggedEvent
      return { id: body.id, body }
    })
  }

  markSent(events: readonly UnsentEvent[], { refused }: Receipt, at: number): void {
    const done = new Set(events.map(({ id }) => id))
    let isKept = true
    for (const [key, event] of this.#all()) {
      if (!done.has(event.id)) continue
      this.#database.remove(key)
      this.#former.delete(key)
      if (refused.has(event.id)) continue
      isKept = this.#database.archive(sentKey(at, key.slice(EVENT.length)), event) && isKept
    }
    if (!isKept) this.#beginAgain(null)
    else if (this.#database.get(WHOLE_SINCE) === NEXT)
      this.#database.put(WHOLE_SINCE, this.#wholeSince?.() ?? at)
    if (at - this.#purgedAt > DAY_MS) void this.#purgeSent(at)
  }

  /**
   * Notes which player has reported for the device before this session. If it was another one, or nobody knows, the log is whole only
   * since `now`.
   * @param formerRun null: the server knows of none, which one that was restored may say wrongly
   */
  noteFormerRun(formerRun: string | null, now: () => number): void {
    const runs = this.#runs
    const isOwn = formerRun === null ? this.#hasSession || runs.length > 1 : runs.includes(formerRun)
    this.#hasSession = true
    if (!isOwn) this.#beginAgain(now)
  }

  async resendSince(at: number, remember: (place: number) => void): Promise<void> {
    const sent = await this.#database.readArchive(sentKey(at))
    for (const [key, event] of sent) {
      this.#place += 1
      this.#former.add(eventKey(this.#place))
      this.#database.put(eventKey(this.#place), event)
      this.#database.unarchive(key)
    }
    remember(this.#place)
  }

  hasUnsentUpTo(place: number): boolean {
    const [oldest] = this.#database.keys(EVENT)
    return oldest !== undefined && placeOf(oldest) <= place
  }

  oldestAt(): number | null {
    const since = this.#database.get(WHOLE_SINCE)
    return typeof since === 'number' ? since : null
  }

  /** Anyone who signs in as the streamer plays for the device, in any browser. */
  isPartial(): boolean {
    return true
  }

  shiftDates(byMs: number): void {
    for (const [key, event] of this.#all()) {
      if (event.bootId !== this.bootId || this.#former.has(key)) continue
      const moved = { ...event } as Record<string, unknown>
      for (const field of DATES)
        if (typeof moved[field] === 'string')
          moved[field] = new Date(Date.parse(moved[field]) + byMs).toISOString()
      this.#database.put(key, moved)
    }
  }

  /** Removes unsent events that are older than 90 days, and the oldest beyond the bound. */
  purge(now: number): void {
    const all = this.#all()
    all.forEach(([key, { at }], index) => {
      const isOld = Date.parse(at) < now - EVENT_DAYS * DAY_MS
      if (isOld || index < all.length - MAX_EVENTS) this.#database.remove(key)
    })
  }

  /** How many events wait for the server. */
  get unsent(): number {
    return this.#database.keys(EVENT).length
  }

  get #runs(): string[] {
    return (this.#database.get(RUNS) as string[] | undefined) ?? []
  }

  /** Events are missing in the log, or may be: it is whole from now on. */
  #beginAgain(now: (() => number) | null): void {
    this.#wholeSince = now
    this.#database.put(WHOLE_SINCE, NEXT)
  }

  async #purgeSent(now: number): Promise<void> {
    this.#purgedAt = now
    const dropped = await this.#database
      .purgeArchive(sentKey(now - EVENT_DAYS * DAY_MS), MAX_EVENTS)
      .catch(() => undefined)
    const since = this.oldestAt()
    if (dropped !== undefined && since !== null)
      this.#database.put(WHOLE_SINCE, Math.max(since, Number.parseInt(dropped, 10) + 1))
  }

  #all(): [string, LoggedEvent][] {
    return this.#database.keys(EVENT).map(key => [key, this.#database.get(key) as LoggedEvent])
  }
}
