import type { DeviceRow } from '@floorcast/contract/devices.ts'

/** The server may be a moment behind. */
const graceMs = 250

/**
 * The time after which a shown state of a device is no longer true if the device does not report; false: it stays. No change feed
 * tells of it, so the page asks again then.
 * @param devices those of an answer @param minMs the least time between two questions
 */
export function nextChangeMs(
  devices: readonly Pick<DeviceRow, 'changesInSeconds'>[] | undefined,
  minMs: number,
): number | false {
  const seconds = (devices ?? []).flatMap(({ changesInSeconds }) => changesInSeconds ?? [])
  return seconds.length > 0 && Math.max(minMs, Math.min(...seconds) * 1000 + graceMs)
}
