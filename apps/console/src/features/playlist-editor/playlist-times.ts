import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { overlapOf } from '@floorcast/playback/media.ts'

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
 * Running start times of a list, as devices play it. Items with a time of day are due once a day and are no part of
 * the round. The next play starts before the last has ended by the crossfade, the first after the last too, but never
 * over an ad.
 */
export function timeRound(items: readonly Timed[], crossfadeSeconds: number): RoundTimes {
  const loop = items.filter(({ startTime }) => startTime === null)
  const starts = new Map<Timed, number>()
  let atSeconds = 0
  loop.forEach((item, index) => {
    starts.set(item, atSeconds)
    const next = loop[index + 1] ?? loop[0] ?? item
    atSeconds += playedFor(item, crossfadeSeconds) - overlap(item, next, crossfadeSeconds)
  })
  const times = items.map(item => ({
    startSeconds: starts.get(item) ?? null,
    playSeconds: playedFor(item, crossfadeSeconds),
  }))
  return { items: times, totalSeconds: atSeconds }
}

/** All plays of an item, one fading into the next. */
function playedFor(item: Timed, crossfadeSeconds: number): number {
  const plays = countPlays(item)
  return plays * item.durationSeconds - (plays - 1) * overlap(item, item, crossfadeSeconds)
}

/** In seconds, by the same rule that devices play by. */
const overlap = (one: Timed, next: Timed, crossfadeSeconds: number) =>
  overlapOf(one, next, crossfadeSeconds) / 1000
