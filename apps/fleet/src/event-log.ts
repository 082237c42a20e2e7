import { randomUUID } from 'node:crypto'
import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import type { EventDraft } from '@floorcast/playback/event-rules.ts'
import type { Metrics } from './metrics.ts'

/** The events of one start, in memory until the server has them, oldest first. Those beyond `maxKept` leave a gap in their sequence. */
export class EventLog implements UnsentEvents {
  readonly bootId = randomUUID()
  readonly #metrics: Metrics
  readonly #maxKept: number
  readonly #listeners: (() => void)[] = []
  #sequence = 0
  #unsent: UnsentEvent[] = []

  constructor(metrics: Metrics, maxKept = Number.POSITIVE_INFINITY) {
    this.#metrics = metrics
    this.#maxKept = maxKept
  }

  append(draft: EventDraft): void {
    this.#sequence += 1
    if (this.#unsent.length >= this.#maxKept) {
      this.#metrics.events.lost += 1
      return
    }
    const id = randomUUID()
    this.#unsent.push({ id, body: { ...draft, id, bootId: this.bootId, sequence: this.#sequence } })
    for (const listener of this.#listeners) listener()
  }
  onAppend(listener: () => void): void {
    this.#listeners.push(listener)
  }

  readUnsent(limit: number): UnsentEvent[] {
    const batch = this.#unsent.slice(0, limit)
    this.#metrics.events.sent += batch.length
    return batch
  }
  markSent(events: readonly UnsentEvent[], { accepted, duplicates, refused }: Receipt): void {
    const ids = new Set(events.map(({ id }) => id))
    this.#unsent = this.#unsent.filter(({ id }) => !ids.has(id))
    const { events: counts } = this.#metrics
    counts.accepted += accepted
    counts.duplicates += duplicates
    counts.refused += refused.size
  }
}
