import type { sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import type { Context } from '../../context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import { againWhenGivenUp, isValueFault } from '../../platform/database/database-errors.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { SOUND_FAILED, type SoundFailure, storeSoundFailures } from './device-reports-queries.ts'
import { EventDeduplicator, type BatchOutcome, type EventBatch } from './event-deduplicator.ts'
import {
  countRows,
  findStoredIds,
  insertLogs,
  insertPlays,
  lockDevices,
  NO_SUMS,
  saveReceived,
  saveUpdateStates,
  type HistoryCount,
} from './event-queries.ts'
import { checkPlays, type CheckedPlay, endsOf, leaveOverlapsOut } from './play-marks.ts'
import { NamesOfPlays } from './play-names.ts'
import type { EventRow } from './play-rows.ts'
import { type EventCounts, openEventCounts, openRefusals, timeBatches } from './ingest-metrics.ts'
import { EVENT_LIMIT, ReportBudget } from './report-budget.ts'
import { refuseValid, validateEvents, type ValidEvent } from './event-validation.ts'

function playRow({ batch, valid, event, stored }: CheckedPlay): EventRow {
  // Field by field: an object of thirty fields costs less than three that are spread.
  return {
    day: valid.day,
    isClockDoubted: valid.isClockDoubted,
    clientId: batch.device.clientId,
    deviceUid: batch.device.deviceUid,
    deviceName: batch.device.name,
    groupUid: batch.device.groupUid,
    bootUid: event.bootId,
    sequence: event.sequence,
    eventUid: event.id,
    receivedAt: batch.receivedAt,
    publicationUid: stored.publicationUid,
    playlistUid: event.playlistUid,
    playlistName: event.playlistName,
    itemUid: event.itemUid,
    mediaUid: event.mediaUid,
    sha256: event.sha256,
    trackName: event.trackName,
    contentType: event.contentType,
    scheduledAt: event.scheduledAt,
    startedAt: event.startedAt,
    endedAt: event.endedAt,
    secondsPlayed: event.secondsPlayed,
    durationSeconds: stored.durationSeconds,
    result: stored.result,
    why: stored.why,
    leftOut: stored.leftOut,
  }
}

/** The row of an event other than a play; the fields of its kind are in `details`. */
function logRow(batch: EventBatch, valid: ValidEvent): EventRow | null {
  const { event } = valid
  if (event.kind === 'playtrack') return null
  const { kind, id: _, bootId: __, sequence: ___, at, ...details } = event
  return { ...headOf(batch, valid), eventKind: kind, at, details }
}

/** The last step with an update of each device, sorted by device: rows are locked in this order. */
function updateStates(stored: readonly { batch: EventBatch; valid: ValidEvent }[]): EventRow[] {
  const states = new Map<string, EventRow>()
  for (const { batch, valid } of stored) {
    const { event } = valid
    if (event.kind !== 'update') continue
    const { packageUid, version, step, message, at } = event
    const { day, clientId, deviceUid, receivedAt } = headOf(batch, valid)
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
    receivedAt,
  }
}

export interface Events {
  /**
   * Validates a device's events and stores each once, also if it is sent again. Resolves after the commit.
   * @throws ProblemError 429 if the device delivers too many
   */
  receive(device: DeviceIdentity, entries: readonly unknown[]): Promise<AnswerOf<typeof sendEvents>>
  drain(): Promise<void>
}

/** A device that was away sends hundreds of events in one call; heartbeats wait for the event loop meanwhile. */
const MAX_EVENTS_PER_COMMIT = 2000

/** From this number on, events get a second commit while PostgreSQL and the event loop are busy with the first one. */
const MIN_EVENTS_BESIDE = 250

type EventsContext = Pick<Context, 'database' | 'log' | 'metrics' | 'now'>

/** Ingests events of devices. Calls of a few milliseconds are one commit. */
export function openEvents(context: EventsContext): Events {
  const names = new NamesOfPlays()
  const counts = openEventCounts(context.metrics)
  const commit = new Batcher<EventBatch, BatchOutcome>(
    timeBatches(context.metrics, 'events', batches =>
      againWhenGivenUp(() => storeBatches(context, { names, counts }, batches)),
    ),
    {
      maxWaitMs: 0,
      maxBatch: MAX_EVENTS_PER_COMMIT,
      sizeOf: ({ valid }) => Math.max(1, valid.length),
      concurrency: 2,
      minBeside: MIN_EVENTS_BESIDE,
      mayBeItemsFault: isValueFault,
    },
  )
  const budget = new ReportBudget(EVENT_LIMIT)
  const noteRefusal = openRefusals(context.log)
  return {
    receive: async (device, entries) => {
      const receivedAt = context.now()
      try {
        budget.take(device.deviceUid, entries.length, receivedAt)
      } catch (error) {
        counts.countRefused(entries.length)
        noteRefusal(device, { kind: null, reason: 'too many events' }, entries.length)
        throw error
      }
      const { valid, refused } = validateEvents(entries, receivedAt)
      const refusedNumbers = refused.flatMap(({ number }) => number ?? [])
      const batch = { device, receivedAt: receivedAt.toISOString(), valid, refusedNumbers }
      const outcome = await storeOrSplit(commit, batch).catch((error: unknown) => {
        budget.giveBack(device.deviceUid, entries.length)
        throw error
      })
      const all = [...refused, ...outcome.refused]
      if (all[0]) noteRefusal(device, all[0], all.length)
      const answer = answerOf({ ...outcome, refused: all })
      counts.countOthers(answer)
      return answer
    },
    drain: () => commit.drain(),
  }
}

function answerOf({ accepted, duplicates, refused }: BatchOutcome): AnswerOf<typeof sendEvents> {
  return {
    code: refused.length > 0 ? 303 : 200,
    accepted,
    duplicates,
    refused: refused.map(({ id, why }) => ({ id, why })),
  }
}

/** Stores a batch; if PostgreSQL refuses a value, stores it event by event, so that the other events are kept. */
async function storeOrSplit(
  commit: Batcher<EventBatch, BatchOutcome>,
  batch: EventBatch,
): Promise<BatchOutcome> {
  try {
    return await commit.add(batch)
  } catch (error) {
    if (!isValueFault(error) || batch.valid.length === 0) throw error
  }
  const sum: BatchOutcome = { accepted: 0, duplicates: 0, refused: [] }
  const numbers = [...batch.refusedNumbers]
  for (const one of batch.valid) {
    try {
      const stored = await commit.add({ ...batch, valid: [one], refusedNumbers: [] })
      sum.accepted += stored.accepted
      sum.duplicates += stored.duplicates
      sum.refused.push(...stored.refused)
    } catch (error) {
      if (!isValueFault(error)) throw error
      const { bootId, sequence } = one.event
      sum.refused.push(refuseValid(one, 'event: a value cannot be stored', { bootId, sequence }))
      numbers.push({ bootId, sequence })
    }
  }
  if (numbers.length > 0) await commit.add({ ...batch, valid: [], refusedNumbers: numbers })
  return sum
}

async function storeBatches(
  context: EventsContext,
  { names, counts }: { names: NamesOfPlays; counts: EventCounts },
  batches: EventBatch[],
): Promise<BatchOutcome[]> {
  const { ingest } = context.database
  const deduplicator = new EventDeduplicator(batches)
  if (deduplicator.boots.length === 0) return deduplicator.outcomes
  await ingest.ensureDays(batches.flatMap(({ valid }) => valid.map(({ day }) => day)))
  const { outcomes, played } = await ingest.write(async writes => {
    const now = context.now()
    const plays = await checkPlays(writes, batches, { names, now })
    const locked = await lockDevices(writes, { boots: deduplicator.boots, ends: endsOf(plays), at: now })
    deduplicator.open(locked.boots, await findStoredIds(writes, deduplicator.ids))
    const accepted = new Set(deduplicator.accepted.map(({ valid }) => valid))
    const played = plays.filter(({ valid }) => accepted.has(valid))
    await leaveOverlapsOut(writes, played, locked.formerEnds)
    await storeAccepted(writes, deduplicator, played)
    return { outcomes: deduplicator.outcomes, played }
  })
  ingest.notices.add(
    played.map(({ batch: { device } }) => ({
      clientId: device.clientId,
      entity: 'play',
      uid: device.deviceUid,
    })),
  )
  counts.countStored(deduplicator)
  return outcomes
}

/** What a row takes on the disk with its indexes, without its texts: about so much. */
const ROW_BYTES = { plays: 625, device_logs: 375 }

/** Rows and their size by client and day, for the clients' statistics. */
function historyOf(kind: keyof typeof ROW_BYTES, rows: readonly EventRow[]): HistoryCount[] {
  const counts = new Map<string, HistoryCount>()
  for (const row of rows) {
    const { clientId, day } = row
    const key = `${clientId} ${day}`
    const count = counts.get(key) ?? { clientId, kind, day, rowCount: 0, byteCount: 0 }
    count.rowCount += 1
    count.byteCount += ROW_BYTES[kind] + textBytesOf(row)
    counts.set(key, count)
  }
  return [...counts.values()]
}

function textBytesOf({ deviceName, playlistName, trackName, why, details }: EventRow): number {
  let bytes = details ? Buffer.byteLength(JSON.stringify(details)) : 0
  for (const text of [deviceName, playlistName, trackName, why])
    if (typeof text === 'string') bytes += Buffer.byteLength(text)
  return bytes
}

const HOUR_MS = 3_600_000

/** Counted plays by client, group, hour and kind. Counts as `IS_COUNTED`, and rounds as `PLAYED_MS` does. */
function hoursOf(plays: readonly CheckedPlay[]) {
  const hours = new Map<string, Parameters<typeof countRows>[1]['hours'][number]>()
  for (const { batch, valid, event, stored } of plays) {
    if (stored.result === 'failed' || stored.leftOut !== null || valid.isClockDoubted) continue
    const { contentType, secondsPlayed } = event
    const { clientId, groupUid } = batch.device
    const startedAt = Date.parse(event.startedAt)
    const begin = startedAt - (startedAt % HOUR_MS)
    const key = `${clientId} ${groupUid} ${begin} ${contentType}`
    let sum = hours.get(key)
    if (!sum) {
      const hour = new Date(begin).toISOString()
      sum = { clientId, groupUid, hour, contentType, plays: 0, playedMs: 0 }
      hours.set(key, sum)
    }
    sum.plays += 1
    sum.playedMs += Math.floor(secondsPlayed * 1000 + 0.5)
  }
  return [...hours.values()]
}

/** The log entries of devices about alerts that did not play. */
const soundFailures = (accepted: EventDeduplicator['accepted']): SoundFailure[] =>
  accepted.flatMap(({ batch, valid: { event, isClockDoubted } }) => {
    if (event.kind !== 'debug' || event.code !== SOUND_FAILED || isClockDoubted) return []
    const { clientId, deviceUid } = batch.device
    return [{ clientId, deviceUid, at: event.at, message: event.message }]
  })

async function storeAccepted(
  writes: IngestWrites,
  deduplicator: EventDeduplicator,
  played: readonly CheckedPlay[],
): Promise<void> {
  const plays = played.map(playRow)
  const logs = deduplicator.accepted.flatMap(({ batch, valid }) => logRow(batch, valid) ?? [])
  const sums = plays.length > 0 ? await insertPlays(writes, plays) : NO_SUMS
  if (logs.length > 0) await insertLogs(writes, logs)
  const failures = soundFailures(deduplicator.accepted)
  if (failures.length > 0) await storeSoundFailures(writes, failures)
  const updates = updateStates(deduplicator.accepted)
  if (updates.length > 0) await saveUpdateStates(writes, updates)
  await saveReceived(writes, deduplicator.received)
  const history = [...historyOf('plays', plays), ...historyOf('device_logs', logs)]
  await countRows(writes, { history, hours: hoursOf(played), ...sums })
}
