import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import type { ClientScope, Writes } from '../../platform/database/client-scope.ts'
import { changePlays } from '../archive/archive.ts'
import { correctQuarters, deleteQuarters } from './delivered-quarters-queries.ts'
import { deleteFoldedDays, endFold, foldRows, listUnfoldedDays } from './heartbeat-fold-queries.ts'
import { addDays, SINGLE_HEARTBEAT_DAYS } from './statistics-forecast.ts'
import {
  type CountedDay,
  deleteRows,
  deleteSums,
  deleteTransitions,
  listDevicesWithRows,
  listDevicesWithSums,
  listSumDays,
  removeEmptyCount,
  removeSumDay,
  SUM_BYTES,
} from './statistics-retention-queries.ts'

/* How the rows of a client's history go: by day, the oldest first, some devices in a transaction. */

/** Rows of one transaction: about a third of a second. */
const ROWS_A_BATCH = 10_000
/** Batches wait as long as they took, so that deletion takes at most half of a disk, but no longer than this. */
const MAX_PAUSE_MS = 500

/** A client's statistics on a day. */
export interface Look {
  scope: ClientScope
  now: Date
  today: string
  isStopping: () => boolean
}

/**
 * Folds a client's heartbeats of the days before the last eight, the oldest day first: a day's last heartbeats are named by the next row.
 * Each transaction folds some devices' day, so that an interrupted fold goes on where it stopped. docs/decisions/0352.
 * @returns the rows that went, and whether none is left
 */
export async function foldHeartbeats(
  look: Look,
  maxMs: number,
): Promise<{ folded: number; isComplete: boolean }> {
  const { scope, today } = look
  const { clientId } = scope
  const until = performance.now() + maxMs
  const isStopping = () => look.isStopping() || performance.now() >= until
  let folded = 0
  const before = addDays(today, -SINGLE_HEARTBEAT_DAYS)
  for (const { day, rowCount: rows } of await listUnfoldedDays(scope.reads, before)) {
    const devices = await listDevicesWithRows(scope.reads, { kind: 'heartbeats', day })
    folded += await inBatches({ ...look, isStopping }, { devices, rows }, (writes, some) =>
      foldRows(writes, { clientId, day }, some),
    )
    if (isStopping()) return { folded, isComplete: false }
    await scope.write(writes => endFold(writes, day))
  }
  return { folded, isComplete: true }
}

/** Deletes the folded days before `before`. @returns how many */
export async function deleteOldFoldedDays({ scope, isStopping }: Look, before: string): Promise<number> {
  let sum = 0
  for (let rows = ROWS_A_BATCH; rows === ROWS_A_BATCH && !isStopping(); sum += rows)
    rows = await scope.write(writes => deleteFoldedDays(writes, before, ROWS_A_BATCH))
  return sum
}

/** Deletes the rows of a day, some devices at a time. Reports of devices wait for none of it. */
export async function deleteDay(look: Look, counted: CountedDay): Promise<number> {
  const { scope, isStopping } = look
  const devices = await listDevicesWithRows(scope.reads, counted)
  const rows = await inBatches(look, { devices, rows: counted.rowCount }, (writes, some) =>
    deleteRows(writes, counted, some),
  )
  if (!isStopping()) await scope.write(writes => removeEmptyCount(writes, counted))
  return rows
}

/** Deletes the sums of the local days before `before`, the oldest first. */
export async function deleteOldSums(look: Look, before: string): Promise<number> {
  const { scope, isStopping } = look
  let sum = 0
  for (const { day, bytes } of await listSumDays(scope.reads)) {
    if (day >= before || isStopping()) return sum
    const devices = await listDevicesWithSums(scope.reads, day)
    sum += await inBatches(look, { devices, rows: bytes / SUM_BYTES }, (writes, some) =>
      deleteSums(writes, day, some),
    )
    if (!isStopping()) await scope.write(writes => removeSumDay(writes, day))
  }
  return sum
}

/** Delivered plays are known as long as their rows. A play that began before `keptFrom` may be scheduled on that day. */
export async function deleteOldQuarters(
  context: Pick<Context, 'database' | 'files' | 'log'>,
  { scope, isStopping }: Look,
  keptFrom: string,
): Promise<number> {
  let sum = 0
  for (let rows = ROWS_A_BATCH; rows === ROWS_A_BATCH && !isStopping(); sum += rows)
    rows = await scope.write(writes => deleteQuarters(writes, keptFrom, ROWS_A_BATCH))
  if (!isStopping()) await changePlays(context, scope.clientId, writes => correctQuarters(writes, keptFrom))
  return sum
}

export async function deleteOldTransitions({ scope, isStopping }: Look, before: string): Promise<number> {
  let sum = 0
  for (let rows = ROWS_A_BATCH; rows === ROWS_A_BATCH && !isStopping(); sum += rows)
    rows = await scope.write(writes => deleteTransitions(writes, new Date(before), ROWS_A_BATCH))
  return sum
}

/** Goes through a day's rows of devices in transactions of about ten thousand rows, with pauses. @returns the sum of what `work` did */
async function inBatches(
  { scope, isStopping }: Look,
  { devices, rows }: { devices: readonly string[]; rows: number },
  work: (writes: Writes, deviceUids: readonly string[]) => Promise<number>,
): Promise<number> {
  const rowsADevice = Math.max(1, rows / Math.max(1, devices.length))
  const some = Math.max(1, Math.floor(ROWS_A_BATCH / rowsADevice))
  let gone = 0
  for (let from = 0; from < devices.length && !isStopping(); from += some) {
    const begun = performance.now()
    gone += await scope.write(writes => work(writes, devices.slice(from, from + some)))
    await pause(Math.min(MAX_PAUSE_MS, performance.now() - begun))
  }
  return gone
}
