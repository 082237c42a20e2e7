import type { Redelivered, Restored } from '@floorcast/contract/redelivery.ts'
import { EVENT_DAYS } from '@floorcast/playback/event-rules.ts'
import type { StateStore } from './state-store.ts'

/** The log of a device that keeps what it has sent. */
export interface SentEvents {
  /**
   * Takes back the marks of events that were sent since: they are sent again. Calls `remember` with the place of the newest event of
   * the log, for values that are to be stored together with it.
   */
  resendSince: (at: number, remember: (place: number) => void) => Promise<void>
  /** Whether the server lacks an event up to a place. */
  hasUnsentUpTo: (place: number) => boolean
  /** The date of the oldest event, or since which the log has all of them; null without one. */
  oldestAt: () => number | null
  /** Whether another player may have played for the device before, or events of this one were lost. Missing: no. */
  isPartial?: () => boolean
}

export interface RedeliveryParts {
  events: SentEvents
  state: Pick<StateStore, 'read' | 'write'>
}

interface RedeliveryOptions extends RedeliveryParts {
  now: () => number
  /** From 0 to 1. */
  random: () => number
  /** Called when there are events to send again. */
  wake: () => void
  print: (line: string) => void
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
    if (this.#begun()?.epoch === epoch || this.#timer?.epoch === epoch) return
    this.stop()
    const timeout = setTimeout(
      () => void this.#resend(epoch, since),
      this.#options.random() * withinSeconds * 1000,
    )
    this.#timer = { epoch, timeout }
  }

  stop(): void {
    clearTimeout(this.#timer?.timeout)
    this.#timer = null
  }

  /** What the server has again; undefined: nothing is to be said, or not yet. */
  answer(): Redelivered | undefined {
    const { events, now } = this.#options
    const begun = this.#begun()
    if (!begun || events.hasUnsentUpTo(begun.place)) return
    // Older events are deleted once a day.
    const heldSince = Math.max(events.oldestAt() ?? now(), now() - EVENT_DAYS * DAY_MS)
    return {
      epoch: begun.epoch,
      heldSince: new Date(heldSince).toISOString(),
      ...(events.isPartial?.() && { isPartial: true }),
    }
  }

  /** The epoch that the log was opened again for. A player of an unreleased build wrote no place: it begins once more. */
  #begun(): { epoch: string; place: number } | null {
    const { state } = this.#options
    const [epoch, place] = [state.read(EPOCH_STATE), state.read(PLACE_STATE)]
    return typeof epoch === 'string' && typeof place === 'number' ? { epoch, place } : null
  }

  async #resend(epoch: string, since: string): Promise<void> {
    const { events, state, wake, print } = this.#options
    try {
      await events.resendSince(Date.parse(since) - MARGIN_MS, place => {
        state.write(PLACE_STATE, place)
        state.write(EPOCH_STATE, epoch)
      })
      wake()
    } catch (error) {
      // The answer to the next heartbeat asks again.
      print(`What the server has lost could not be sent again: ${String(error)}`)
    } finally {
      if (this.#timer?.epoch === epoch) this.#timer = null
    }
  }
}
