import type { Redelivered, RestoredPlays, RestoredRange } from '@floorcast/contract/redelivery.ts'
import type { Context } from '../../context.ts'
import {
  type AwaitedDevices,
  readAwaitedDevices,
  type RestoredDays,
  storeAnswer,
} from './redeliveries-queries.ts'

export { findRestoredPlays, listRestoredDays, type RestoredDays } from './redeliveries-queries.ts'

export interface Redeliveries {
  /** Stores what a device says with each heartbeat: once, until this server starts again. */
  receive(deviceUid: string, redelivered: Redelivered): Promise<void>
}

/** What devices deliver again after a restore. A database is restored while no server runs, so the awaited ones are read once. */
export function openRedeliveries({ database, log }: Pick<Context, 'database' | 'log'>): Redeliveries {
  const writes = database.ingest.statements
  let awaited: Promise<AwaitedDevices> | null = null
  const findAwaited = () =>
    (awaited ??= readAwaitedDevices(writes).catch((error: unknown) => {
      awaited = null
      throw error
    }))
  return {
    receive: async (deviceUid, redelivered) => {
      // The heartbeat is stored. A device says it again with the next one.
      try {
        const { epoch, deviceUids } = await findAwaited()
        // A device answers a former restore until it has learned of the newest.
        if (redelivered.epoch !== epoch || !deviceUids.has(deviceUid)) return
        await storeAnswer(writes, deviceUid, redelivered)
        deviceUids.delete(deviceUid)
      } catch (error) {
        log.warn({ err: error, deviceUid }, 'a redelivery was not noted')
      }
    },
  }
}

/** The days of a period that are not whole since a restore: of awaited devices, and of those that hold no more what was lost. */
export function summarizeRestored(rows: readonly RestoredDays[]): RestoredPlays | null {
  const [awaited, lost] = [rangeOf(rows, false), rangeOf(rows, true)]
  return rows.length === 0 ? null : { ...(awaited && { awaited }), ...(lost && { lost }) }
}

function rangeOf(all: readonly RestoredDays[], isLost: boolean): RestoredRange | null {
  const rows = all.filter(row => row.isLost === isLost)
  const [first] = rows
  if (!first) return null
  return {
    from: rows.reduce((day, { from }) => (from < day ? from : day), first.from),
    to: rows.reduce((day, { to }) => (to > day ? to : day), first.to),
    devices: new Set(rows.map(({ deviceUid }) => deviceUid)).size,
  }
}
