import type { EventBatch } from './event-batch.ts'
import type { ValidEvent } from './event-validation.ts'
import type { EventRow } from './event-queries.ts'

/** The row of a play, with the names of its time; null for any other event. */
export function playRow(batch: EventBatch, judged: ValidEvent): EventRow | null {
  const { event } = judged
  if (event.kind !== 'playtrack') return null
  const { kind: _, id: __, bootId: ___, at: ____, ...play } = event
  const { groupUid, groupName } = batch.device
  return { ...headOf(batch, judged), groupUid, groupName, ...play }
}

/** The row of an event that is no play; what is its kind's own goes to `details`. */
export function logRow(batch: EventBatch, judged: ValidEvent): EventRow | null {
  const { event } = judged
  if (event.kind === 'playtrack') return null
  const { kind, id: _, bootId: __, sequence: ___, at, ...details } = event
  return { ...headOf(batch, judged), eventKind: kind, at, details }
}

/** The last step with an update of each device; in the order of devices, in which their rows are locked. */
export function updateStates(stored: readonly { batch: EventBatch; judged: ValidEvent }[]): EventRow[] {
  const states = new Map<string, EventRow>()
  for (const { batch, judged } of stored) {
    const { event } = judged
    if (event.kind !== 'update') continue
    const { packageUid, version, step, message, at } = event
    const { day, clientId, deviceUid, receivedAt } = headOf(batch, judged)
    const row = { day, clientId, deviceUid, receivedAt, packageUid, version, step, message, at }
    states.set(deviceUid, row)
  }
  return [...states.values()].toSorted((a, b) => (a.deviceUid < b.deviceUid ? -1 : 1))
}

function headOf({ device, receivedAt }: EventBatch, { event, day, isClockDoubted }: ValidEvent) {
  return {
    day,
    isClockDoubted,
    clientId: device.clientId,
    deviceUid: device.deviceUid,
    deviceName: device.name,
    bootUid: event.bootId,
    sequence: event.sequence,
    eventUid: event.id,
    receivedAt: receivedAt.toISOString(),
  }
}
