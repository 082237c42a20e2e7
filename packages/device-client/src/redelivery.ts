import type { Redelivered, Restored } from '@floorcast/contract/redelivery.ts'
import { EVENT_DAYS } from '@floorcast/playback/event-rules.ts'
import type { StateStore } from './state-store.ts'

/** The log of a device that keeps what it has sent. */
export interface SentEvents {
  /** Takes back the marks of events that were sent since: they are sent again. @returns the place of the newest event of the log */
  resendSince: (at: number) => number
  /** Whether the server lacks an event up to a place. */
  hasUnsentUpTo: (place: number) => boolean
  /** The date of the oldest event; null without one. */
  oldestAt: () => number | null
}

export interface RedeliveryParts {
  events: SentEvents
  state: Pick<StateStore, 'read' | 'write' | 'atomically'>
}

interface RedeliveryOptions extends RedeliveryParts {
  now: () => number
  /** From 0 to 1. */
  random: () => number
  /** Called when there are events to send again. */
  wake: () => void
}

/** The epoch of the server's database that the log was opened again for, and the place of its last event at that time. */
const EPOCH_STATE = 'restored-epoch'
const PLACE_STATE = 'restored-place'
/** Clocks of server and device differ, and a batch was under way. */
const MARGIN_MS = 15 * 60_000
const DAY_MS = 86_400_000

/**
 * Sends events again that the server has lost because its database was restored: once for each epoch, at a random moment. When all
 * of them have come, each heartbeat says so.
 */
export class Redelivery {
  readonly #options: RedeliveryOptions
  #timer: { epoch: string; timeout: ReturnType<typeof setTimeout> } | null = null

  constructor(options: RedeliveryOptions) {
    this.#options = options
  }

  note({ epoch, since, withinSeconds }: Restored): void {
    const { state, random } = this.#options
    if (state.read(EPOCH_STATE) === epoch || this.#timer?.epoch === epoch) return
    this.stop()
    const timeout = setTimeout(() => this.#resend(epoch, since), random() * withinSeconds * 1000)
    this.#timer = { epoch, timeout }
  }

  stop(): void {
    clearTimeout(this.#timer?.timeout)
    this.#timer = null
  }

  /** What the server has again; undefined: nothing is to be said, or not yet. */
  answer(): Redelivered | undefined {
    const { events, state, now } = this.#options
    const [epoch, place] = [state.read(EPOCH_STATE), state.read(PLACE_STATE)]
    if (typeof epoch !== 'string' || typeof place !== 'number' || events.hasUnsentUpTo(place)) return
    // Older events are deleted once a day.
    const heldSince = Math.max(events.oldestAt() ?? now(), now() - EVENT_DAYS * DAY_MS)
    return { epoch, heldSince: new Date(heldSince).toISOString() }
  }

  #resend(epoch: string, since: string): void {
    const { events, state, wake } = this.#options
    this.#timer = null
    state.atomically(() => {
      state.write(PLACE_STATE, events.resendSince(Date.parse(since) - MARGIN_MS))
      state.write(EPOCH_STATE, epoch)
    })
    wake()
  }
}
