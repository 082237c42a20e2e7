import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { z } from 'zod'
import type { EventStore } from './event-store.ts'

/** A start of the agent whose time the server has not confirmed. */
const UnconfirmedStart = z.object({
  bootId: z.string(),
  /** The start of the machine; null if the system does not tell it. */
  machineStart: z.string().nullable(),
  /** The agent's time minus the machine's time since its start. */
  sinceUpMs: z.number(),
  /** The agent's time minus the machine's clock. */
  offsetMs: z.number(),
})
type UnconfirmedStart = z.infer<typeof UnconfirmedStart>

const NAME = 'unconfirmed-starts'
/** The oldest events are 90 days old; a machine that starts more often without a server loses nothing but a correction. */
const MAX_STARTS = 200
/** The time since the machine's start is read to 10 ms. */
const MIN_CHANGE_MS = 50

/** The machine's sources of time, in milliseconds. */
export interface MachineTime {
  /** Identifies this start of the machine; null if the system does not tell it. */
  startId: () => string | null
  upMs: () => number
  clockMs: () => number
}

export const machineTime: MachineTime = {
  startId() {
    try {
      return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    } catch {
      return null
    }
  },
  upMs: () => uptime() * 1000,
  clockMs: () => Date.now(),
}

interface UnconfirmedStartsParts {
  state: StateStore
  events: EventStore
  log: PlayLog
  clock: Clock
  machine: MachineTime
}

/**
 * Keeps the dates of events right that were logged while the agent's clock was wrong. Until the server has confirmed the time,
 * each correction of the clock moves the dates of this start's events. A start that ends before leaves a note of its clock, by
 * which a later one corrects its events:
 *
 * - If the machine has run on, its time since its own start tells the correction to 10 ms.
 * - If it was started again, its clock is taken to have run on, wrong by as much as it is now. Dates that would then lie after
 *   the agent's start are moved before it, and the log says that they are uncertain.
 */
export class UnconfirmedStarts {
  readonly #parts: UnconfirmedStartsParts
  readonly #machineStart: string | null
  /** The agent's own start by its steady clock. */
  readonly #startedAt: number
  #saved: UnconfirmedStart | null = null

  constructor(parts: UnconfirmedStartsParts) {
    this.#parts = parts
    const { state, log, clock, machine } = parts
    this.#machineStart = machine.startId()
    this.#startedAt = clock.steady()
    this.save()
    clock.onMove((byMs, isCorrection) => {
      if (!isCorrection) return
      state.atomically(() => {
        log.shiftDates(byMs)
        this.save()
      })
    })
    clock.onConfirmed(() => this.#confirm())
  }

  /** Notes this start's clock. Call it periodically: the machine's clock may be set, and sleep. */
  save(): void {
    const { events, clock, machine } = this.#parts
    if (clock.isReportable) return
    const now = clock.now()
    const start = {
      bootId: events.bootId,
      machineStart: this.#machineStart,
      sinceUpMs: Math.round(now - machine.upMs()),
      offsetMs: Math.round(now - machine.clockMs()),
    }
    if (this.#saved && differ(this.#saved, start) <= MIN_CHANGE_MS) return
    this.#saved = start
    this.#write([...this.#read().filter(({ bootId }) => bootId !== start.bootId), start].slice(-MAX_STARTS))
  }

  #confirm(): void {
    const { state, events } = this.#parts
    const former = this.#read().filter(({ bootId }) => bootId !== events.bootId)
    state.atomically(() => {
      for (const start of former) this.#correct(start)
      this.#write([])
    })
  }

  #correct(start: UnconfirmedStart): void {
    const { events, log, clock, machine } = this.#parts
    const now = clock.now()
    if (start.machineStart !== null && start.machineStart === this.#machineStart)
      return events.shiftDates(Math.round(now - machine.upMs() - start.sinceUpMs), start.bootId)
    const newest = events.newestUnsentOf(start.bootId)
    if (newest === null) return
    const byMs = Math.round(now - machine.clockMs() - start.offsetMs)
    const latest = clock.instantOf(this.#startedAt)
    events.shiftDates(Math.min(byMs, latest - newest), start.bootId)
    log.debug(
      'warning',
      'dates-uncertain',
      `No server had confirmed the time when the machine was started again: the dates of start ${start.bootId} are by the machine's clock`,
    )
  }

  #read(): UnconfirmedStart[] {
    return z.array(UnconfirmedStart).catch([]).parse(this.#parts.state.read(NAME))
  }
  #write(starts: UnconfirmedStart[]): void {
    if (starts.length === 0) this.#parts.state.remove(NAME)
    else this.#parts.state.write(NAME, starts)
  }
}

const differ = (a: UnconfirmedStart, b: UnconfirmedStart): number =>
  Math.max(Math.abs(a.sinceUpMs - b.sinceUpMs), Math.abs(a.offsetMs - b.offsetMs))
