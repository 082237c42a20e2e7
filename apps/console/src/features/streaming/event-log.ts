import type { UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import type { PlayEvents } from '@floorcast/device-client/play-log.ts'
import { EVENT_DAYS, type EventDraft } from '@floorcast/playback/event-rules.ts'
import type { PlayerDatabase } from './player-database.ts'

const EVENT = 'event/'
const DAY_MS = 86_400_000
/** Some months of a shop. */
const MAX_EVENTS = 100_000
const DATES = ['at', 'scheduledAt', 'startedAt', 'endedAt'] as const

type LoggedEvent = EventDraft & { id: string; bootId: string; sequence: number }

/** The events that the server does not have. Each is in IndexedDB before it is sent, and until the server has answered. */
export class EventLog implements UnsentEvents, PlayEvents {
  /** One for each load of the page. */
  readonly bootId = crypto.randomUUID()
  readonly #database: PlayerDatabase
  readonly #onStored: (() => void)[] = []
  readonly #onLogged: ((draft: EventDraft) => void)[] = []
  #sequence = 0
  /** The place of the newest event. */
  #place: number
  #isMuted = false
  /** The places of plays that a former load of the page began: no correction of this one's clock moves their dates. */
  readonly #former = new Set<string>()

  constructor(database: PlayerDatabase) {
    this.#database = database
    this.#place = Number(database.keys(EVENT).at(-1)?.slice(EVENT.length) ?? 0)
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
    const key = EVENT + String(this.#place).padStart(12, '0')
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

  markSent(events: readonly UnsentEvent[]): void {
    const done = new Set(events.map(({ id }) => id))
    for (const [key, { id }] of this.#all()) if (done.has(id)) this.#database.remove(key)
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

  /** Removes events that are older than 90 days, and the oldest beyond the bound. */
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

  #all(): [string, LoggedEvent][] {
    return this.#database.keys(EVENT).map(key => [key, this.#database.get(key) as LoggedEvent])
  }
}
