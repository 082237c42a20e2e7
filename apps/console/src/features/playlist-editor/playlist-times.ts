import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { overlapMsOf } from '@floorcast/playback/media.ts'

type Played = Pick<PlaylistItem, 'durationSeconds' | 'repeatCount' | 'replaySeconds'>
type Timed = Played & Pick<PlaylistItem, 'startTime' | 'contentType'>

/** Plays of an item in a row: its count, or the whole plays that fit into its replay duration, at least one. */
export function countPlays({ durationSeconds, repeatCount, replaySeconds }: Played): number {
  if (replaySeconds === null) return repeatCount ?? 1
  return durationSeconds > 0 ? Math.max(1, Math.floor(replaySeconds / durationSeconds)) : 1
}

/** The times of an item in one round of the list. */
export interface ItemTimes {
  /** Seconds from the start of the round; null for an item with a time of day. */
  startSeconds: number | null
  /** All its plays, in seconds. */
  playSeconds: number
}

/**
 * Running start times of a list, as devices play it. Items with a time of day play once a day and are not part of the
 * round. Each play starts before the end of the last one by the crossfade, also the first of a round, but never over an ad.
 */
export function computeItemTimes(items: readonly Timed[], crossfadeSeconds: number): ItemTimes[] {
  const loop = items.filter(({ startTime }) => startTime === null)
  const starts = new Map<Timed, number>()
  let atSeconds = 0
  loop.forEach((item, index) => {
    starts.set(item, atSeconds)
    const next = loop[index + 1] ?? loop[0] ?? item
    atSeconds += playSecondsOf(item, crossfadeSeconds) - overlap(item, next, crossfadeSeconds)
  })
  return items.map(item => ({
    startSeconds: starts.get(item) ?? null,
    playSeconds: playSecondsOf(item, crossfadeSeconds),
  }))
}

/** All plays of an item, with crossfades between them. */
function playSecondsOf(item: Timed, crossfadeSeconds: number): number {
  const plays = countPlays(item)
  return plays * item.durationSeconds - (plays - 1) * overlap(item, item, crossfadeSeconds)
}

/** In seconds, by the rule of the devices. */
const overlap = (one: Timed, next: Timed, crossfadeSeconds: number) =>
  overlapMsOf(one, next, crossfadeSeconds) / 1000
