import type { Kind } from '@floorcast/contract/fields.ts'
import type { Reason } from '@floorcast/contract/outcomes.ts'

export interface PublishedPlaylist {
  kind: Kind
  endDate: string | null
  itemCount: number
}

/** True if the kinds fit: an audio group plays audio playlists only, a video group both. */
export function kindsFit(publication: Kind, group: Kind, playlist: Kind): boolean {
  if (playlist === 'video' && group === 'audio') return false
  return publication === 'audio' ? playlist === 'audio' : group === 'video'
}

/** The day in the last zone (UTC−12) at an instant. A day that is over there is over everywhere. */
export const lastZoneDay = (instant: Date) =>
  new Date(instant.getTime() - 12 * 3_600_000).toISOString().slice(0, 10)

/** The reason why a playlist cannot be played from a day on; null if it can. */
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

/** Parses an instant (with Z or an offset) or a wall time. */
export const pickedStartOf = (text: string): PickedStart =>
  /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? { at: new Date(text) } : { wall: text }

/** True if the moment has passed; for a wall time, if it has passed in every zone. */
export function isPast(start: PickedStart, now: Date): boolean {
  if ('at' in start) return start.at <= now
  return Date.parse(`${start.wall}Z`) + 12 * 3_600_000 <= now.getTime()
}

export const startDayOf = (start: PickedStart): string =>
  'at' in start ? lastZoneDay(start.at) : start.wall.slice(0, 10)
