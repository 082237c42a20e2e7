import type { PlayEvent } from '@floorcast/contract/events.ts'

/** From each play's end to the next one's start, in ms; below 0 where they overlap. */
export const gapsMsOf = (plays: readonly PlayEvent[]): number[] =>
  plays.slice(1).map((play, index) => Date.parse(play.startedAt) - Date.parse(plays[index]?.endedAt ?? ''))
