import { CallError } from '@floorcast/contract/client.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { MAX_EVENTS_PER_BATCH } from '@floorcast/playback/event-rules.ts'
import { retryAfterOf, type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'
import { ChangeNotifier, firstOf } from './wait.ts'

export interface UnsentEvent {
  id: string
  /** The event as the server parses it. */
  body: unknown
}

/** What the server said to a batch. */
export interface Receipt {
  accepted: number
  /** Sent before; the server has them. */
  duplicates: number
  /** Why, by the event's id; a refused event must not be sent again. */
  refused: ReadonlyMap<string, string>
}

/** The device's event log, as far as it is sent from. */
export interface UnsentEvents {
  /** Events that the server has not acknowledged, oldest first. */
  readUnsent: (limit: number) => readonly UnsentEvent[]
  /** The server has these, or refused them; `at` is the device's time in milliseconds since 1970. */
  markSent: (events: readonly UnsentEvent[], receipt: Receipt, at: number) => void
  onAppend: (listener: () => void) => void
}

export interface EventSenderOptions extends RetryParts {
  session: DeviceSession
  events: UnsentEvents
  now: () => number
  onUnauthorized: (refused: string | null) => Promise<void>
  say: (line: string) => void
}

/** A batch was sent and there may be more, nothing was left to send, or it did not get through. */
type Sent = 'some' | 'all' | 'failed'

/** Sends the event log oldest first; an acknowledged or refused event is never sent again. */
export class EventSender {
  readonly #options: EventSenderOptions
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false
  #sending: Promise<Sent> | null = null
  /** Halved when the server finds a call too large. */
  #batchSize = MAX_EVENTS_PER_BATCH

  constructor(options: EventSenderOptions) {
    this.#options = options
    this.#retry = new RetryTimer(options)
    options.events.onAppend(() => this.#changes.notify())
  }

  /** The server may be back: tries now. */
  wake(): void {
    this.#retry.reset()
    this.#changes.notify()
  }
  stop(): void {
    this.#isStopping = true
    this.#changes.notify()
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const seen = this.#changes.count
      const sent = await this.#sendBatch()
      if (sent === 'all') await firstOf([this.#changes.after(seen)], null)
      else if (sent === 'failed') await this.#waitToRetry()
    }
  }

  /** Sends what there is without waiting between tries, at the end. Returns whether all of it was delivered. */
  async flush(): Promise<boolean> {
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

  /** New events do not shorten the wait after a failure; only `wake` and `stop` do. */
  async #waitToRetry(): Promise<void> {
    while (!this.#isStopping && this.#retry.delayMs > 0)
      await firstOf([this.#changes.after(this.#changes.count)], this.#retry.delayMs)
  }

  async #send(): Promise<Sent> {
    const { session, events, onUnauthorized } = this.#options
    const { token, playPointUid } = session
    try {
      const batch = events.readUnsent(this.#batchSize)
      if (batch.length === 0) return 'all'
      if (playPointUid === null || token === null) throw new Error('no session')
      await this.#deliver(batch, playPointUid)
      this.#retry.reset()
      return 'some'
    } catch (error) {
      this.#retry.fail(retryAfterOf(error))
      if (error instanceof CallError && error.status === 413) this.#batchSize = Math.ceil(this.#batchSize / 2)
      if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
      return 'failed'
    }
  }

  async #deliver(batch: readonly UnsentEvent[], playpointid: string): Promise<void> {
    const { session, events, now, say } = this.#options
    const body = batch.map(event => event.body)
    const { accepted, duplicates, refused } = await session.call(sendEvents, {
      params: { playpointid },
      body,
    })
    const reasons = new Map(refused.flatMap(({ id, why }) => (id === null ? [] : [[id, why] as const])))
    for (const [id, why] of reasons) say(`The server refused event ${id}: ${why}`)
    events.markSent(batch, { accepted, duplicates, refused: reasons }, now())
  }
}
