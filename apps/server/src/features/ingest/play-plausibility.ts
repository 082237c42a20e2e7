import type { PlayEvent } from '@floorcast/contract/events.ts'

/** No medium is longer than a week. */
const MAX_MEDIUM_SECONDS = 7 * 86_400
/** A player that stalls, or whose clock is corrected during a play, reports a longer play than the medium has. */
const MAX_STALL_SECONDS = 60
const MAX_CLOCK_ERROR = 0.01
const MAX_AHEAD_MS = 86_400_000

/**
 * Why no player can have played this; null if one can. The length of the medium is the one that the device had in its manifest: a
 * play may arrive after the medium was replaced or deleted.
 */
export function whyNotPlayed(play: PlayEvent, receivedAt: Date): string | null {
  const { durationSeconds, secondsPlayed } = play
  const [startedAt, endedAt] = [Date.parse(play.startedAt), Date.parse(play.endedAt)]
  if (durationSeconds > MAX_MEDIUM_SECONDS) return 'durationSeconds: longer than a week'
  if (endedAt < startedAt) return 'endedAt: before startedAt'
  const longest = durationSeconds * (1 + MAX_CLOCK_ERROR) + MAX_STALL_SECONDS
  if (secondsPlayed > longest) return 'secondsPlayed: longer than the medium'
  if ((endedAt - startedAt) / 1000 > longest) return 'endedAt: later than the medium is long'
  if (Math.max(startedAt, endedAt) - receivedAt.getTime() > MAX_AHEAD_MS)
    return 'endedAt: over a day in the future'
  return null
}
