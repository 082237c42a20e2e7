import type { EventBatch } from './event-batch.ts'
import type { JudgedEvent } from './event-judge.ts'
import { addNumbers, hasNumber, type NumberRanges } from './event-numbers.ts'
import type { Boot } from './event-queries.ts'

interface OpenBoot {
  deviceUid: string
  bootUid: string
  received: NumberRanges
  /** Numbers that came with these batches. */
  fresh: Set<number>
}

/** Decides, once the boots are locked, which events of some batches are new and which came before. */
export class EventLedger {
  /** Every boot that the batches speak of, once. */
  readonly boots: readonly Boot[]
  readonly #batches: readonly EventBatch[]
  readonly #open = new Map<string, OpenBoot>()
  /** The new events, with the batch each came in. */
  readonly accepted: { batch: EventBatch; judged: JudgedEvent }[] = []
  /** How many of each batch were new, and how many came before. */
  readonly counts: { accepted: number; duplicates: number }[]

  constructor(batches: readonly EventBatch[]) {
    this.#batches = batches
    this.boots = bootsOf(batches)
    this.counts = batches.map(() => ({ accepted: 0, duplicates: 0 }))
  }

  /** Takes what was received before of every boot. */
  open(locked: readonly { deviceUid: string; bootUid: string; received: NumberRanges }[]): void {
    for (const boot of locked) this.#open.set(keyOf(boot), { ...boot, fresh: new Set() })
    for (const [index, batch] of this.#batches.entries()) {
      for (const judged of batch.judged) this.#take(index, batch, judged)
      for (const { bootId, sequence } of batch.refusedNumbers) this.#bootOf(batch, bootId).fresh.add(sequence)
    }
  }

  /** What is received of every boot now. */
  get received(): { deviceUid: string; bootUid: string; received: NumberRanges }[] {
    return [...this.#open.values()].map(({ fresh, ...boot }) => ({
      ...boot,
      received: addNumbers(boot.received, fresh),
    }))
  }

  #take(index: number, batch: EventBatch, judged: JudgedEvent): void {
    const { bootId, sequence } = judged.event
    const boot = this.#bootOf(batch, bootId)
    const count = this.counts[index]
    if (!count) throw new RangeError('a batch without a count')
    if (boot.fresh.has(sequence) || hasNumber(boot.received, sequence)) {
      count.duplicates += 1
      return
    }
    boot.fresh.add(sequence)
    count.accepted += 1
    this.accepted.push({ batch, judged })
  }

  #bootOf(batch: EventBatch, bootUid: string): OpenBoot {
    const boot = this.#open.get(keyOf({ deviceUid: batch.device.deviceUid, bootUid }))
    if (!boot) throw new RangeError('a boot that was not locked')
    return boot
  }
}

const keyOf = ({ deviceUid, bootUid }: { deviceUid: string; bootUid: string }) =>
  `${deviceUid} ${bootUid.toLowerCase()}`

function bootsOf(batches: readonly EventBatch[]): Boot[] {
  const boots = new Map<string, Boot>()
  for (const { device, judged, refusedNumbers } of batches) {
    for (const { bootId } of [...judged.map(({ event }) => event), ...refusedNumbers]) {
      const boot = { clientId: device.clientId, deviceUid: device.deviceUid, bootUid: bootId.toLowerCase() }
      boots.set(keyOf(boot), boot)
    }
  }
  return [...boots.values()]
}
