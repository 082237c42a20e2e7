import { randomUUID } from 'node:crypto'
import type { Receipt, UnsentEvent, UnsentEvents } from '@floorcast/device-client/event-sender.ts'
import type { SentEvents } from '@floorcast/device-client/redelivery.ts'
import type { EventDraft } from '@floorcast/playback/event-rules.ts'
import type { Metrics } from './metrics.ts'

interface LoggedEvent extends UnsentEvent {
  place: number
  at: number
}

interface EventLogOptions {
  /** Unsent events beyond it leave a gap in their sequence. */
  maxKept?: number
  /** Keeps also what the server has: a restored one asks for it again. */
  keepsSent?: boolean
}

/** The events of one start, in memory until the server has them, oldest first. */
export class EventLog implements UnsentEvents, SentEvents {
  readonly bootId = randomUUID()
  readonly #metrics: Metrics
  readonly #maxKept: number
  readonly #listeners: (() => void)[] = []
  readonly #keepsSent: boolean
  #sequence = 0
  #unsent: LoggedEvent[] = []
  #sent: { event: LoggedEvent; sentAt: number }[] = []

  constructor(
    metrics: Metrics,
    { maxKept = Number.POSITIVE_INFINITY, keepsSent = false }: EventLogOptions = {},
  ) {
    this.#metrics = metrics
    this.#maxKept = maxKept
    this.#keepsSent = keepsSent
  }

  append(draft: EventDraft): void {
    this.#sequence += 1
    if (this.#unsent.length >= this.#maxKept) {
      this.#metrics.events.lost += 1
      return
    }
    const id = randomUUID()
    const body = { ...draft, id, bootId: this.bootId, sequence: this.#sequence }
    this.#unsent.push({ id, body, place: this.#sequence, at: Date.parse(draft.at) })
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
    if (this.#keepsSent)
      for (const event of this.#unsent)
        if (ids.has(event.id) && !refused.has(event.id)) this.#sent.push({ event, sentAt: Date.now() })
    this.#unsent = this.#unsent.filter(({ id }) => !ids.has(id))
    const { events: counts } = this.#metrics
    counts.accepted += accepted
    counts.duplicates += duplicates
    counts.refused += refused.size
  }

  /** By the machine's clock, which is the server's too. */
  resendSince(at: number, remember: (place: number) => void): Promise<void> {
    const again = this.#sent.filter(({ sentAt }) => sentAt >= at).map(({ event }) => event)
    this.#sent = this.#sent.filter(({ sentAt }) => sentAt < at)
    this.#unsent = [...again, ...this.#unsent].toSorted((a, b) => a.place - b.place)
    remember(this.#sequence)
    return Promise.resolve()
  }

  hasUnsentUpTo(place: number): boolean {
    return this.#unsent.some(event => event.place <= place)
  }

  oldestAt(): number | null {
    const all = [...this.#sent.map(({ event }) => event.at), ...this.#unsent.map(event => event.at)]
    return all.length === 0 ? null : all.reduce((oldest, at) => Math.min(oldest, at))
  }

  isPartial(): boolean {
    return !this.#keepsSent
  }
}

/** The state of a device whose machine is never off. */
export class StateInMemory {
  readonly #values = new Map<string, unknown>()
  read(name: string): unknown {
    return this.#values.get(name) ?? null
  }
  write(name: string, value: unknown): boolean {
    this.#values.set(name, value)
    return true
  }
}
