import { isAd } from '@floorcast/contract/media.ts'
import type { PlaylistItem } from '@floorcast/contract/playlists.ts'

type Played = Pick<PlaylistItem, 'durationSeconds' | 'repeatCount' | 'replaySeconds'>
type Timed = Played & Pick<PlaylistItem, 'startTime' | 'contentType'>

/** How often an item is played in a row: its count, or the whole plays that fit its replay duration, at least one. */
export function countPlays({ durationSeconds, repeatCount, replaySeconds }: Played): number {
  if (replaySeconds === null) return repeatCount ?? 1
  return durationSeconds > 0 ? Math.max(1, Math.floor(replaySeconds / durationSeconds)) : 1
}

/** Where an item stands in one round of the list. */
export interface ItemTimes {
  /** Seconds from the start of the round; null for an item that has a time of day instead. */
  startSeconds: number | null
  /** All its plays, in seconds. */
  playSeconds: number
}

export interface RoundTimes {
  items: readonly ItemTimes[]
  /** One round of the loop, in seconds, crossfades taken off. */
  totalSeconds: number
}

/**
 * Running start times of a list. Items with a time of day are due once a day and are no part of the round.
 * The next play starts before the last has ended by the crossfade, but never over an ad.
 */
export function timeRound(items: readonly Timed[], crossfadeSeconds: number): RoundTimes {
  let atSeconds = 0
  let previous: Timed | null = null
  const times = items.map((item): ItemTimes => {
    const plays = countPlays(item)
    const within = (plays - 1) * overlapOf(item, item, crossfadeSeconds)
    const playSeconds = plays * item.durationSeconds - within
    if (item.startTime !== null) return { startSeconds: null, playSeconds }
    if (previous) atSeconds -= overlapOf(previous, item, crossfadeSeconds)
    const startSeconds = atSeconds
    atSeconds += playSeconds
    previous = item
    return { startSeconds, playSeconds }
  })
  return { items: times, totalSeconds: atSeconds }
}

function overlapOf(one: Timed, next: Timed, crossfadeSeconds: number): number {
  if (isAd(one.contentType) || isAd(next.contentType)) return 0
  return Math.min(crossfadeSeconds, one.durationSeconds, next.durationSeconds)
}
