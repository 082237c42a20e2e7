import { CallError } from '@floorcast/contract/client.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { backoffOf, MOST_EVENTS_A_BATCH } from '@floorcast/playback/event-rules.ts'
import { Signal } from '../player/signal.ts'
import { firstOf } from '../player/wait.ts'
import type { EventStore, StoredEvent } from '../store/event-store.ts'
import type { ServerLink } from './server-link.ts'

export interface EventSenderParts {
  link: ServerLink
  events: EventStore
  now: () => number
  random: () => number
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** A batch went and there may be more, nothing was left to send, or it did not get through. */
type Sent = 'some' | 'all' | 'failed'

/** Sends the log oldest first; what is acknowledged is never sent again, what is refused is named and not sent again. */
export class EventSender {
  readonly #parts: EventSenderParts
  readonly #changed = new Signal()
  #isStopping = false
  #failures = 0
  #sending: Promise<Sent> | null = null
  /** Halved when the server finds a call too large. */
  #batchSize = MOST_EVENTS_A_BATCH

  constructor(parts: EventSenderParts) {
    this.#parts = parts
    parts.events.onAppend(() => this.#changed.tell())
  }

  /** The server may be back: try now. */
  poke(): void {
    this.#failures = 0
    this.#changed.tell()
  }
  stop(): void {
    this.#isStopping = true
    this.#changed.tell()
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const seen = this.#changed.count
      const sent = await this.#sendBatch()
      if (sent === 'all') await firstOf([this.#changed.after(seen)], null)
      else if (sent === 'failed') await this.#waitToRetry()
    }
  }

  /** Sends what there is without waiting between tries, for a last word. Returns whether all of it was delivered. */
  async sendRest(): Promise<boolean> {
    // A batch on its way may lack the newest events.
    await this.#sending
    let sent: Sent
    do sent = await this.#sendBatch()
    while (sent === 'some')
    return sent === 'all'
  }

  /** One batch at a time, so that none is on its way twice. */
  #sendBatch(): Promise<Sent> {
    this.#sending ??= this.#send().finally(() => (this.#sending = null))
    return this.#sending
  }

  /** New events do not shorten the wait after a failure; only `poke` and `stop` do. */
  async #waitToRetry(): Promise<void> {
    const until = performance.now() + backoffOf(this.#failures, this.#parts.random())
    while (!this.#isStopping && this.#failures > 0 && performance.now() < until)
      await firstOf([this.#changed.after(this.#changed.count)], until - performance.now())
  }

  async #send(): Promise<Sent> {
    const { link, events, onUnauthorized } = this.#parts
    const token = link.token()
    try {
      const batch = events.readUnsent(this.#batchSize)
      if (batch.length === 0) return 'all'
      if (link.playPoint() === null || token === null) throw new Error('no session')
      await this.#deliver(batch)
      this.#failures = 0
      return 'some'
    } catch (error) {
      this.#failures += 1
      if (error instanceof CallError && error.status === 413) this.#batchSize = Math.ceil(this.#batchSize / 2)
      if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
      return 'failed'
    }
  }

  async #deliver(batch: readonly StoredEvent[]): Promise<void> {
    const { link, events, now } = this.#parts
    const body = batch.map(event => JSON.parse(event.body) as unknown)
    const answer = await link.call(sendEvents, { params: { playpointid: link.playPoint() ?? '' }, body })
    const refused = new Map(
      answer.refused.flatMap(({ id, why }) => (id === null ? [] : [[id, why] as const])),
    )
    for (const [id, why] of refused) console.error(`The server refused event ${id}: ${why}`)
    events.markSent(batch, refused, now())
  }
}
