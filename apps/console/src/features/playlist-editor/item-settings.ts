import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { TimeOfDay } from '@floorcast/contract/fields.ts'
import type { editPlaylist, PlaylistItem } from '@floorcast/contract/playlists.ts'

/** What stands in the fields of an item's settings. */
export interface ItemValues {
  by: 'count' | 'time'
  count: number | string
  minutes: number | string
  /** HH:MM, or empty: part of the loop. */
  startTime: string
}

type ItemSettings = NonNullable<BodyOf<typeof editPlaylist>['items']>[number]

/** Fields that break a rule; the server's own limits. */
export type ItemFault = 'count' | 'minutes' | 'startTime'

/** The fields as the item is now. */
export function fillItemValues(item: PlaylistItem): ItemValues {
  const { repeatCount, replaySeconds, startTime, durationSeconds } = item
  return {
    by: replaySeconds === null ? 'count' : 'time',
    count: repeatCount ?? 1,
    minutes: Math.round((replaySeconds ?? Math.max(60, durationSeconds)) / 6) / 10,
    startTime: startTime ?? '',
  }
}

/** What the fields ask for, or which of them is wrong. */
export function readItemValues(uid: string, values: ItemValues): ItemSettings | ItemFault {
  const startTime = values.startTime === '' ? null : values.startTime
  if (startTime !== null && !TimeOfDay.safeParse(startTime).success) return 'startTime'
  if (values.by === 'count') {
    const repeatCount = Number(values.count)
    const isWhole = Number.isInteger(repeatCount) && repeatCount >= 1 && repeatCount <= 1000
    return isWhole ? { uid, repeatCount, replaySeconds: null, startTime } : 'count'
  }
  const replaySeconds = Math.round(Number(values.minutes) * 60)
  const isDay = replaySeconds > 0 && replaySeconds <= 86_400
  return isDay ? { uid, repeatCount: null, replaySeconds, startTime } : 'minutes'
}
