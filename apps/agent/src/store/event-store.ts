import { randomUUID } from 'node:crypto'
import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import { EVENT_DAYS, type EventDraft } from '@floorcast/playback/event-rules.ts'
import { inTransaction, type Store } from './store.ts'

const DAY_MS = 86_400_000

/** The event log. Sequence numbers run from 1 in each start of the agent, without gaps, because the database assigns them. */
export class EventStore implements UnsentEvents {
  readonly bootId: string
  readonly #store: Store
  readonly #listeners: ((draft: EventDraft) => void)[] = []
  /** Events that could not be written because the disk was full. */
  readonly #waiting: { draft: EventDraft; id: string }[] = []
  #isMuted = false

  constructor(store: Store, bootId: string = randomUUID()) {
    this.#store = store
    this.bootId = bootId
  }

  onAppend(listener: (draft: EventDraft) => void): void {
    this.#listeners.push(listener)
  }
  /** Stops logging: another player reports for this device. */
  mute(): void {
    this.#isMuted = true
  }

  /** Logs an event. If the disk is full, the event stays in memory and is written with the next one. */
  append(draft: EventDraft, id: string = randomUUID()): void {
    if (this.#isMuted) return
    this.#waiting.push({ draft, id })
    try {
      for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
        this.#insert(next)
        this.#waiting.shift()
      }
    } catch (error) {
      console.error(
        `The event log cannot be written (${String(error)}); ${this.#waiting.length} wait in memory`,
      )
    }
    for (const listener of this.#listeners) listener(draft)
  }

  /** Events that the server has not acknowledged, oldest first. */
  readUnsent(limit: number): UnsentEvent[] {
    return this.#store
      .prepare('select id, body from event where sent_at is null order by place limit ?')
      .all(limit)
      .map(row => ({ id: String(row['id']), body: JSON.parse(String(row['body'])) as unknown }))
  }

  /** Marks events as acknowledged or refused. They stay in the log and are never sent again. */
  markSent(events: readonly UnsentEvent[], { refused }: Receipt, at: number): void {
    const mark = this.#store.prepare('update event set sent_at = ?, refused = ? where id = ?')
    inTransaction(this.#store, () => {
      for (const { id } of events) mark.run(at, refused.get(id) ?? null, id)
    })
  }

  /** Marks all unsent events as refused, because they belong to another device than this player's current one. */
  abandon(why: string, at: number): void {
    this.#store.prepare('update event set sent_at = ?, refused = ? where sent_at is null').run(at, why)
  }

  /** Deletes events that are older than 90 days. */
  purge(now: number): void {
    this.#store.prepare('delete from event where at < ?').run(now - EVENT_DAYS * DAY_MS)
  }

  /** The whole log, oldest first. */
  *readAll(): Generator<unknown> {
    for (const row of this.#store.prepare('select body from event order by place').iterate())
      yield JSON.parse(String(row['body'])) as unknown
  }

  #insert({ draft, id }: { draft: EventDraft; id: string }): void {
    const last = this.#store
      .prepare('select coalesce(max(sequence), 0) as last from event where boot_id = ?')
      .get(this.bootId)
    const sequence = Number(last?.['last']) + 1
    const event = { ...draft, id, bootId: this.bootId, sequence }
    this.#store
      .prepare('insert into event (id, boot_id, sequence, at, body) values (?, ?, ?, ?, ?)')
      .run(event.id, this.bootId, sequence, Date.parse(draft.at), JSON.stringify(event))
  }
}
