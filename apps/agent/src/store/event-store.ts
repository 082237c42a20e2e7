import { randomUUID } from 'node:crypto'
import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import type { SentEvents } from '@floorcast/device-client/redelivery.ts'
import { EVENT_DAYS, type EventDraft } from '@floorcast/playback/event-rules.ts'
import type { EventNumber, LastNumber } from './last-number.ts'
import type { Store } from './store.ts'

const DAY_MS = 86_400_000
/** Events that wait in memory for a disk that takes no writes: some ten megabytes, three weeks of a shop. */
const MAX_WAITING = 10_000

const INSERT = 'insert or ignore into event (id, boot_id, sequence, at, body) values (?, ?, ?, ?, ?)'
const insertKey = (id: string) => `event ${id}`
const sentKey = (id: string) => `sent ${id}`

type StoredEvent = EventDraft & EventNumber & { id: string }

const DATES = ['at', 'scheduledAt', 'startedAt', 'endedAt']

const shifted = (event: StoredEvent, byMs: number): StoredEvent => ({
  ...event,
  ...Object.fromEntries(
    Object.entries(event)
      .filter(([field]) => DATES.includes(field))
      .map(([field, date]) => [field, new Date(Date.parse(String(date)) + byMs).toISOString()]),
  ),
})

interface EventStoreOptions {
  bootId?: string
  /** The number of events that wait in memory. */
  maxWaiting?: number
  lastNumber?: LastNumber
}

/**
 * The event log. Sequence numbers run from 1 in each start of the agent. Events that the disk does not take wait in memory,
 * and are sent from there too. Beyond its bound the oldest are dropped: their numbers are missing, which the server sees.
 */
export class EventStore implements UnsentEvents, SentEvents {
  readonly bootId: string
  readonly #store: Store
  readonly #maxWaiting: number
  readonly #lastNumber: LastNumber | undefined
  /** The newest number of the former start. */
  readonly #formerNumber: EventNumber | null
  readonly #listeners: ((draft: EventDraft) => void)[] = []
  #sequence: number | null = null
  /** The newest numbers of former starts that this one has logged events of. */
  readonly #formerSequences = new Map<string, number>()
  /** Events that are in memory only, the oldest first. */
  readonly #waiting = new Map<string, UnsentEvent>()
  #isMuted = false

  constructor(
    store: Store,
    { bootId = randomUUID(), maxWaiting = MAX_WAITING, lastNumber }: EventStoreOptions = {},
  ) {
    this.#store = store
    this.bootId = bootId
    this.#maxWaiting = maxWaiting
    this.#lastNumber = lastNumber
    this.#formerNumber = lastNumber?.read() ?? null
    for (const [id, , , , body] of store.waitingValues(insertKey('')))
      if (typeof id === 'string' && typeof body === 'string')
        this.#waiting.set(id, { id, body: JSON.parse(body) as unknown })
  }

  /**
   * Logs that events of the former start were lost: they were in memory when it was killed. The entry has the former start's next
   * number, so that the server misses the numbers before it.
   */
  recordLost(at: string): void {
    const last = this.#formerNumber
    if (!last || last.sequence <= this.#lastStored(last.bootId)) return
    const message = 'Events were in memory when the agent was ended, because the disk took no writes'
    const lost = { kind: 'debug', level: 'error', code: 'events-lost', message, at } as const
    this.#write({ ...lost, id: randomUUID(), ...this.#numberFormer(last.bootId) })
  }

  /** The next number of a former start. */
  #numberFormer(bootId: string): EventNumber {
    const known = this.#formerNumber?.bootId === bootId ? this.#formerNumber.sequence : 0
    const last = this.#formerSequences.get(bootId) ?? Math.max(known, this.#lastStored(bootId))
    this.#formerSequences.set(bootId, last + 1)
    return { bootId, sequence: last + 1 }
  }

  onAppend(listener: (draft: EventDraft) => void): void {
    this.#listeners.push(listener)
  }
  /** Stops logging: another player reports for this device. */
  mute(): void {
    this.#isMuted = true
  }

  /** `bootId` is that of a former start; null: of the one before this, if it is known. */
  append(draft: EventDraft, id: string = randomUUID(), bootId: string | null = this.bootId): void {
    if (this.#isMuted) return
    const former = bootId ?? this.#formerNumber?.bootId ?? this.bootId
    // The former start has logged it, and the disk took only its play's progress.
    if (former !== this.bootId && this.#isLogged(id)) return
    const number = former === this.bootId ? this.#numberOwn() : this.#numberFormer(former)
    this.#write({ ...draft, id, ...number })
    // After the commit that it is part of. The disk tells the number of what it has; the first one names the start.
    this.#store.afterwards(() => {
      if (number.bootId === this.bootId && (number.sequence === 1 || !this.isStored(id)))
        this.#lastNumber?.write(number)
    })
    this.#boundWaiting()
    for (const listener of this.#listeners) listener(draft)
  }

  #numberOwn(): EventNumber {
    this.#sequence = (this.#sequence ?? this.#lastStored(this.bootId)) + 1
    return { bootId: this.bootId, sequence: this.#sequence }
  }

  /** Whether an event is on the disk, or needs it no more. */
  isStored(id: string): boolean {
    return !this.#store.isWaiting(insertKey(id))
  }

  /** Corrects the dates of a start's events that the server does not have: its clock was wrong by `byMs`. */
  shiftDates(byMs: number, bootId = this.bootId): void {
    this.#store.flushAll()
    this.#boundWaiting()
    const sql = 'select id, body from event where boot_id = ? and sent_at is null'
    const stored = this.#store.all(sql, bootId)
    this.#store.together(() => {
      for (const body of [...this.#waiting.values()].map(each => each.body as StoredEvent))
        if (body.bootId === bootId) this.#write(shifted(body, byMs))
      for (const row of stored) {
        const event = shifted(JSON.parse(String(row['body'])) as StoredEvent, byMs)
        if (this.#waiting.has(event.id)) continue
        const values = [Date.parse(event.at), JSON.stringify(event), event.id] as const
        this.#store.write(`date ${event.id}`, 'update event set at = ?, body = ? where id = ?', ...values)
      }
    })
  }

  /** The newest date of a former start's events on the disk that the server does not have; null without one. */
  newestUnsentOf(bootId: string): number | null {
    this.#store.flushAll()
    const sql = 'select max(at) as newest from event where boot_id = ? and sent_at is null'
    const newest = this.#store.get(sql, bootId)?.['newest']
    return typeof newest === 'number' ? newest : null
  }

  /** Events that the server has not acknowledged, oldest first. */
  readUnsent(limit: number): UnsentEvent[] {
    const unmarked = this.#unmarked
    const stored = this.#store
      .all('select id, body from event where sent_at is null order by place limit ?', limit + unmarked.size)
      .map(row => ({ id: String(row['id']), body: JSON.parse(String(row['body'])) as unknown }))
      .filter(({ id }) => !unmarked.has(id))
    this.#boundWaiting()
    return [...stored, ...this.#waiting.values()].slice(0, limit)
  }

  /** Events that the server has, but whose mark waits in memory. */
  #sent = new Set<string>()
  get #unmarked(): ReadonlySet<string> {
    for (const id of this.#sent) if (!this.#store.isWaiting(sentKey(id))) this.#sent.delete(id)
    return this.#sent
  }

  /**
   * Marks events as acknowledged or refused, with the next commit: one whose mark a kill loses is sent again, and the server has it
   * already. They stay in the log.
   */
  markSent(events: readonly UnsentEvent[], { refused }: Receipt, at: number): void {
    this.#store.together(() => {
      for (const { id } of events) {
        // An event that was in memory only needs the disk no more.
        if (this.#waiting.delete(id) && this.#store.isWaiting(insertKey(id))) {
          this.#store.forget(insertKey(id))
          continue
        }
        this.#sent.add(id)
        const why = refused.get(id) ?? null
        this.#store.writeLater(
          sentKey(id),
          'update event set sent_at = ?, refused = ? where id = ?',
          at,
          why,
          id,
        )
      }
    })
  }

  /** Marks all unsent events as refused, because they belong to another device than this player's current one. */
  abandon(why: string, at: number): void {
    for (const id of this.#waiting.keys()) this.#store.forget(insertKey(id))
    this.#waiting.clear()
    this.#store.write('abandon', 'update event set sent_at = ?, refused = ? where sent_at is null', at, why)
  }

  /**
   * Takes back the marks of events that the server has acknowledged since: it has lost them. Refused ones stay refused.
   * @param remember is called within the transaction, with the place of the newest event on the disk
   */
  resendSince(at: number, remember: (place: number) => void): Promise<void> {
    this.#store.together(() => {
      this.#store.flushAll()
      const sql = 'update event set sent_at = null where sent_at >= ? and refused is null'
      this.#store.write(`resend ${at}`, sql, at)
      remember(Number(this.#store.get('select coalesce(max(place), 0) as newest from event')?.['newest']))
    })
    return Promise.resolve()
  }

  /** Whether the server has not acknowledged an event up to a place. */
  hasUnsentUpTo(place: number): boolean {
    const unmarked = this.#unmarked
    return this.#store
      .all('select id from event where sent_at is null and place <= ? limit ?', place, unmarked.size + 1)
      .some(({ id }) => !unmarked.has(String(id)))
  }

  /** The date of the oldest event on the disk; null without one. */
  oldestAt(): number | null {
    const oldest = this.#store.get('select min(at) as oldest from event')?.['oldest']
    return typeof oldest === 'number' ? oldest : null
  }

  /** Deletes events that are older than 90 days. */
  purge(now: number): void {
    this.#store.write('purge', 'delete from event where at < ?', now - EVENT_DAYS * DAY_MS)
  }

  /** The whole log on the disk, oldest first. */
  *readAll(): Generator<unknown> {
    for (const row of this.#store.iterate('select body from event order by place'))
      yield JSON.parse(String(row['body'])) as unknown
  }

  /** The newest events, each as its JSON, the newest first. */
  readNewest(limit: number): string[] {
    const waiting = [...this.#waiting.values()].toReversed().map(({ body }) => JSON.stringify(body))
    const stored = this.#store.all('select body from event order by place desc limit ?', limit)
    return [...new Set([...waiting, ...stored.map(row => String(row['body']))])].slice(0, limit)
  }

  /** Forgets what has come to the disk since, and drops the oldest beyond the bound. */
  #boundWaiting(): void {
    for (const id of this.#waiting.keys()) {
      if (this.#store.isWaiting(insertKey(id)) && this.#waiting.size <= this.#maxWaiting) continue
      if (this.#store.isWaiting(insertKey(id))) this.#store.forget(insertKey(id))
      this.#waiting.delete(id)
    }
  }

  #write(event: StoredEvent): void {
    const { id, bootId, sequence, at } = event
    this.#waiting.set(id, { id, body: event })
    const values = [id, bootId, sequence, Date.parse(at), JSON.stringify(event)] as const
    this.#store.write(insertKey(id), INSERT, ...values)
  }

  #isLogged(id: string): boolean {
    return this.#waiting.has(id) || this.#store.get('select 1 from event where id = ?', id) !== undefined
  }

  #lastStored(bootId: string): number {
    const sql = 'select coalesce(max(sequence), 0) as last from event where boot_id = ?'
    const waiting = [...this.#waiting.values()].map(({ body }) => body as StoredEvent)
    const numbers = waiting.flatMap(event => (event.bootId === bootId ? event.sequence : []))
    return Math.max(Number(this.#store.get(sql, bootId)?.['last']), ...numbers)
  }
}
