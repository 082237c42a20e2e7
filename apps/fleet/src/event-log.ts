import { randomUUID } from 'node:crypto'
import type { DeviceEvent } from '@floorcast/contract/events.ts'
import { MOST_EVENTS_A_BATCH } from '@floorcast/playback/event-rules.ts'

type Draft<E> = E extends DeviceEvent ? Omit<E, 'id' | 'bootId' | 'sequence'> : never

/** One boot's events in memory, oldest first, until the server has them. */
export class EventLog {
  readonly bootId = randomUUID()
  #sequence = 0
  #unsent: DeviceEvent[] = []

  get waiting(): number {
    return this.#unsent.length
  }

  append(draft: Draft<DeviceEvent>): void {
    this.#sequence += 1
    this.#unsent.push({ ...draft, id: randomUUID(), bootId: this.bootId, sequence: this.#sequence })
  }

  /** The oldest that wait; they stay until `drop`. */
  peek(): readonly DeviceEvent[] {
    return this.#unsent.slice(0, MOST_EVENTS_A_BATCH)
  }

  /** Forgets these and all before them: the server has them, or refused them for good. */
  drop(sent: readonly DeviceEvent[]): void {
    const last = sent.at(-1)?.sequence ?? 0
    this.#unsent = this.#unsent.filter(event => event.sequence > last)
  }
}
