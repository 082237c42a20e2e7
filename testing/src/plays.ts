import type { PlayEvent } from '@floorcast/contract/events.ts'

/** Milliseconds from each play's end to the next one's start; negative if they overlap. */
export const gapsMsOf = (plays: readonly PlayEvent[]): number[] =>
  plays.slice(1).map((play, index) => Date.parse(play.startedAt) - Date.parse(plays[index]?.endedAt ?? ''))
