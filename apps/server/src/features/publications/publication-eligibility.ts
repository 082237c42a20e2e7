import type { Kind } from '@floorcast/contract/fields.ts'
import type { Reason } from '@floorcast/contract/outcomes.ts'

export interface PublishedPlaylist {
  kind: Kind
  endDate: string | null
  itemCount: number
}

/** An audio group takes audio playlists only, a video group either; a publication is of the group's or playlist's kind. */
export function kindsFit(publication: Kind, group: Kind, playlist: Kind): boolean {
  if (playlist === 'video' && group === 'audio') return false
  return publication === 'audio' ? playlist === 'audio' : group === 'video'
}

/** The day that the last zone on earth has (UTC−12) at an instant: what is over there is over everywhere. */
export const lastZoneDay = (instant: Date) =>
  new Date(instant.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)

/** Why a playlist cannot be put on the air from a day on; null when it can. */
export function whyNotFit(
  kinds: { publication: Kind; group: Kind },
  playlist: PublishedPlaylist,
  startDay: string,
): Reason | null {
  if (!kindsFit(kinds.publication, kinds.group, playlist.kind)) return 'kind-does-not-fit'
  if (playlist.itemCount === 0) return 'playlist-empty'
  if (playlist.endDate !== null && playlist.endDate < startDay) return 'outside-dates'
  return null
}

/** A picked start: one instant, or a wall time in each device's zone. */
export type PickedStart = { at: Date } | { wall: string }

/** With Z or an offset an instant, else a wall time. */
export const pickedStartOf = (text: string): PickedStart =>
  /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? { at: new Date(text) } : { wall: text }

/** The moment is past; a wall time once it is past in every zone. */
export function isPast(start: PickedStart, now: Date): boolean {
  if ('at' in start) return start.at <= now
  return Date.parse(`${start.wall}Z`) + 12 * 3_600_000 <= now.getTime()
}

export const startDayOf = (start: PickedStart): string =>
  'at' in start ? lastZoneDay(start.at) : start.wall.slice(0, 10)
