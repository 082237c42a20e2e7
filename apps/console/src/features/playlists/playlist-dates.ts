import type { PlaylistRow } from '@floorcast/contract/playlists.ts'
import type { Format } from '../../platform/format.ts'
import type { Words } from '../../platform/i18n.ts'

/** When a playlist may play, in words. Days have no zone: each device reads them by its own. */
export function describeDates(
  { t, format }: { t: Words; format: Format },
  { startDate, endDate }: Pick<PlaylistRow, 'startDate' | 'endDate'>,
): string {
  // A day's noon falls on that day wherever the reader is; midnight in UTC does not.
  const day = (date: string) => format.date(`${date}T12:00:00`)
  if (startDate && endDate) return t('playlists:fromTo', { from: day(startDate), to: day(endDate) })
  if (startDate) return t('playlists:from', { from: day(startDate) })
  if (endDate) return t('playlists:to', { to: day(endDate) })
  return t('playlists:always')
}
