import type { PlayEvent } from '@floorcast/contract/events.ts'

/** No medium is longer than a week. */
const MAX_MEDIUM_SECONDS = 7 * 86_400
/** A player that stalls, or whose clock is corrected during a play, reports a longer play than the medium has. */
const MAX_STALL_SECONDS = 60
const MAX_CLOCK_ERROR = 0.01

/**
 * Why no player can have played this; null if one can. The length of the medium is the one that the device had in its manifest: a
 * play may arrive after the medium was replaced or deleted. When it was is no reason: a play with a wrong clock is stored with a flag.
 */
export function whyNotPlayed(play: PlayEvent): string | null {
  const { durationSeconds, secondsPlayed } = play
  const [startedAt, endedAt] = [Date.parse(play.startedAt), Date.parse(play.endedAt)]
  if (durationSeconds > MAX_MEDIUM_SECONDS) return 'durationSeconds: longer than a week'
  if (endedAt < startedAt) return 'endedAt: before startedAt'
  const longest = durationSeconds * (1 + MAX_CLOCK_ERROR) + MAX_STALL_SECONDS
  if (secondsPlayed > longest) return 'secondsPlayed: longer than the medium'
  if ((endedAt - startedAt) / 1000 > longest) return 'endedAt: later than the medium is long'
  return null
}
