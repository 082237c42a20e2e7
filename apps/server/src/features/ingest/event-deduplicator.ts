import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { MAX_RANGES, addNumbers, hasNumber, type NumberRanges } from './event-numbers.ts'
import { MAX_BOOTS, type Boot, type EventId, type LockedBoot } from './event-queries.ts'
import { type EventNumber, type RefusedEvent, refuseValid, type ValidEvent } from './event-validation.ts'

/** The events of one call. */
export interface EventBatch {
  device: DeviceIdentity
  /** ISO 8601. */
  receivedAt: string
  valid: readonly ValidEvent[]
  /** Numbers of refused events. They arrived, so they are no gaps. */
  refusedNumbers: readonly EventNumber[]
}

/** The outcome of a batch. */
export interface BatchOutcome {
  accepted: number
  duplicates: number
  /** Events beyond the limits of a device; not stored. */
  refused: RefusedEvent[]
}

interface OpenBoot {
  deviceUid: string
  bootUid: string
  received: NumberRanges
  /** Numbers that arrived with these batches. */
  fresh: Set<number>
  /** The highest possible number of ranges now. */
  rangeCount: number
}

const TOO_MANY_GAPS = `sequence: this boot has ${MAX_RANGES} gaps already`
const TOO_MANY_BOOTS = `bootId: this device has ${MAX_BOOTS} boots already`

/**
 * Decides which events of some batches are new and which were received before. The boots must be locked.
 *
 * An event's id is stored once too, whatever its number: ids are compared with the rows of the event's day.
 *
 * The received numbers of a boot are one multirange. It decides whether an event is new, after the lock, so the same
 * batch sent three times at once is stored once. The number of a refused event counts as received if it is readable: the
 * event arrived, so it is not a gap, and must not be sent again.
 *
 * A boot may have a thousand ranges and a device ten thousand boots; a number beyond that is refused. Without the
 * limits, a device that sends only odd numbers would let its row grow with each event, and one with a new boot in each
 * event would add rows without end. A device that works as specified sends in order and has one range for each boot; a
 * restart every thirteen minutes for ninety days makes ten thousand boots. Maintenance removes the numbers of a boot
 * that was silent for 121 days, a month longer than devices keep events.
 */
export class EventDeduplicator {
  /** Every boot of the batches, once. */
  readonly boots: readonly Boot[]
  /** The ids of all events of the batches. */
  readonly ids: readonly EventId[]
  readonly #batches: readonly EventBatch[]
  readonly #open = new Map<string, OpenBoot>()
  /** The events that are stored, or are to be stored of these batches. */
  readonly #stored = new Set<string>()
  /** The new events, each with its batch. */
  readonly accepted: { batch: EventBatch; valid: ValidEvent }[] = []
  /** The outcome of each batch. */
  readonly outcomes: BatchOutcome[]

  constructor(batches: readonly EventBatch[]) {
    this.#batches = batches
    this.boots = bootsOf(batches)
    this.ids = idsOf(batches)
    this.outcomes = batches.map(() => ({ accepted: 0, duplicates: 0, refused: [] }))
  }

  /** Compares the batches with the numbers that were received before, and with the ids that are stored. */
  open(locked: readonly LockedBoot[], stored: readonly Pick<EventId, 'id' | 'deviceUid'>[]): void {
    for (const event of stored) this.#stored.add(keyOfEvent(event))
    for (const boot of locked)
      this.#open.set(keyOf(boot), { ...boot, fresh: new Set(), rangeCount: boot.received.length })
    for (const [index, batch] of this.#batches.entries()) {
      for (const valid of batch.valid) this.#take(index, batch, valid)
      for (const { bootId, sequence } of batch.refusedNumbers) {
        const boot = this.#bootOf(batch, bootId)
        if (boot && mayCount(boot, sequence)) boot.fresh.add(sequence)
      }
    }
  }

  /** The received numbers of every boot after these batches. */
  get received(): LockedBoot[] {
    return [...this.#open.values()].map(({ deviceUid, bootUid, received, fresh }) => ({
      deviceUid,
      bootUid,
      received: addNumbers(received, fresh),
    }))
  }

  #take(index: number, batch: EventBatch, valid: ValidEvent): void {
    const { id, bootId, sequence } = valid.event
    const boot = this.#bootOf(batch, bootId)
    const outcome = this.outcomes[index]
    if (!outcome) throw new RangeError('a batch without an outcome')
    if (boot && isCounted(boot, sequence)) outcome.duplicates += 1
    else if (!boot || !mayCount(boot, sequence))
      outcome.refused.push(refuseValid(valid, boot ? TOO_MANY_GAPS : TOO_MANY_BOOTS))
    else if (this.#stored.has(keyOfEvent({ id, deviceUid: batch.device.deviceUid }))) {
      // Sent again with another number. The number arrived, so it is not a gap.
      boot.fresh.add(sequence)
      outcome.duplicates += 1
    } else {
      boot.fresh.add(sequence)
      this.#stored.add(keyOfEvent({ id, deviceUid: batch.device.deviceUid }))
      outcome.accepted += 1
      this.accepted.push({ batch, valid })
    }
  }

  /** Undefined for a boot beyond the limit. */
  #bootOf(batch: EventBatch, bootUid: string): OpenBoot | undefined {
    return this.#open.get(keyOf({ deviceUid: batch.device.deviceUid, bootUid }))
  }
}

const isCounted = ({ fresh, received }: OpenBoot, sequence: number): boolean =>
  fresh.has(sequence) || hasNumber(received, sequence)

/** True unless the number adds a range beyond the limit. A number beside a received one adds no range. */
function mayCount(boot: OpenBoot, sequence: number): boolean {
  if (isCounted(boot, sequence - 1) || isCounted(boot, sequence + 1)) return true
  if (boot.rangeCount >= MAX_RANGES) return false
  boot.rangeCount += 1
  return true
}

const keyOfEvent = ({ id, deviceUid }: Pick<EventId, 'id' | 'deviceUid'>) =>
  `${deviceUid} ${id.toLowerCase()}`

function idsOf(batches: readonly EventBatch[]): EventId[] {
  return batches.flatMap(({ device, valid }) =>
    valid.map(({ event, day }) => ({
      id: event.id,
      deviceUid: device.deviceUid,
      day,
      isPlay: event.kind === 'playtrack',
    })),
  )
}

const keyOf = ({ deviceUid, bootUid }: { deviceUid: string; bootUid: string }) =>
  `${deviceUid} ${bootUid.toLowerCase()}`

function bootsOf(batches: readonly EventBatch[]): Boot[] {
  const boots = new Map<string, Boot>()
  for (const { device, valid, refusedNumbers } of batches) {
    for (const { bootId } of [...valid.map(({ event }) => event), ...refusedNumbers]) {
      const boot = { clientId: device.clientId, deviceUid: device.deviceUid, bootUid: bootId.toLowerCase() }
      boots.set(keyOf(boot), boot)
    }
  }
  return [...boots.values()]
}
