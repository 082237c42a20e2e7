import { CallError } from '@floorcast/contract/client.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { MAX_EVENTS_PER_BATCH } from '@floorcast/playback/event-rules.ts'
import { retryAfterOf, type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'
import { ChangeNotifier, firstOf } from './wait.ts'

export interface UnsentEvent {
  id: string
  /** The event in the server's format. */
  body: unknown
}

/** The server's answer to a batch. */
export interface Receipt {
  accepted: number
  /** Events that the server already had. */
  duplicates: number
  /** The reasons by event id. A refused event must not be sent again. */
  refused: ReadonlyMap<string, string>
}

/** The sending side of the device's event log. */
export interface UnsentEvents {
  /** Events that the server has not acknowledged, oldest first. */
  readUnsent: (limit: number) => readonly UnsentEvent[]
  /** Marks events that the server accepted or refused; `at` is the device's time in milliseconds since 1970. */
  markSent: (events: readonly UnsentEvent[], receipt: Receipt, at: number) => void
  onAppend: (listener: () => void) => void
}

export interface EventSenderOptions extends RetryParts {
  session: DeviceSession
  events: UnsentEvents
  now: () => number
  /** New events wait a random part of it: the devices of a large group end their tracks at the same moment. */
  spreadMs: () => number
  onUnauthorized: (refused: string | null) => Promise<void>
  print: (line: string) => void
}

/** The result of a batch: sent, with possibly more to send; nothing left to send; or failed. */
type Sent = 'some' | 'all' | 'failed'

/** Sends the event log, oldest first. It never sends an acknowledged or refused event again. */
export class EventSender {
  readonly #options: EventSenderOptions
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false
  #sending: Promise<Sent> | null = null
  /** Halved after HTTP 413. */
  #batchSize = MAX_EVENTS_PER_BATCH

  constructor(options: EventSenderOptions) {
    this.#options = options
    this.#retry = new RetryTimer(options)
    options.events.onAppend(() => this.#changes.notify())
  }

  /** The time for which the server wants no events; 0 if it takes them. */
  get retryAfterMs(): number {
    return this.#retry.retryAfterMs
  }

  /** Retries now, because the server may answer again. */
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
      if (sent === 'all') await this.#waitForEvents(seen)
      else if (sent === 'failed') await this.#waitToRetry()
    }
  }

  /** Sends all events without a wait between batches, unless the server wants none now. Returns whether it has all of them. */
  async flush(): Promise<boolean> {
    // A pending batch may lack the newest events.
    await this.#sending
    if (this.retryAfterMs > 0) return false
    let sent: Sent
    do sent = await this.#sendBatch()
    while (sent === 'some')
    return sent === 'all'
  }

  /** Sends one batch at a time, so that no event is sent twice at once. */
  #sendBatch(): Promise<Sent> {
    this.#sending ??= this.#send().finally(() => (this.#sending = null))
    return this.#sending
  }

  async #waitForEvents(seen: number): Promise<void> {
    const { steady, random, spreadMs } = this.#options
    await firstOf([this.#changes.after(seen)], null)
    const dueAt = steady() + random() * spreadMs()
    while (!this.#isStopping && steady() < dueAt)
      await firstOf([this.#changes.after(this.#changes.count)], dueAt - steady())
  }

  /** Only `wake` and `stop` shorten the wait after a failure; new events do not. */
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
    const { session, events, now, print } = this.#options
    const body = batch.map(event => event.body)
    const { accepted, duplicates, refused } = await session.call(sendEvents, {
      params: { playpointid },
      body,
    })
    const reasons = new Map(refused.flatMap(({ id, why }) => (id === null ? [] : [[id, why] as const])))
    for (const [id, why] of reasons) print(`The server refused event ${id}: ${why}`)
    events.markSent(batch, { accepted, duplicates, refused: reasons }, now())
  }
}
