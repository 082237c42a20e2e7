import type { PackedDay, SmartDay, SmartTrack } from '@floorcast/planner/smart-day.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { formatWallTime } from './wall-time.ts'

export const countBlocks = (day: PackedDay): number => day.blockStarts.length

/** One play; times in seconds from the window's start. */
export interface SmartPlay {
  track: SmartTrack
  start: number
}

/** One block of a day; times in seconds from the window's start. */
export interface SmartBlock {
  /** From 0. */
  index: number
  isAd: boolean
  start: number
  duration: number
  plays: SmartPlay[]
}

export function blockOf(day: SmartDay, index: number): SmartBlock | undefined {
  const start = day.blockStarts[index]
  if (start === undefined) return undefined
  const plays: SmartPlay[] = []
  for (let play = day.blockFirst[index] ?? 0; play < (day.blockFirst[index + 1] ?? 0); play += 1) {
    const track = day.tracks[day.playTracks[play] ?? 0]
    if (track) plays.push({ track, start: day.playStarts[play] ?? 0 })
  }
  return { index, isAd: day.blockIsAd[index] === 1, start, duration: day.blockDurations[index] ?? 0, plays }
}

/** Index of the block at a time, or the last one before it; -1 for a day without blocks. */
export function blockAt(day: PackedDay, seconds: number): number {
  let low = 0
  let high = countBlocks(day) - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((day.blockStarts[middle] ?? 0) <= seconds) low = middle
    else high = middle - 1
  }
  return high < 0 ? -1 : low
}

const DAY = 86_400

/** The time of day, in seconds since midnight, of a time in the window. */
export const wallSeconds = (day: Pick<SmartDay, 'startsAtSeconds'>, seconds: number): number =>
  (day.startsAtSeconds + seconds) % DAY

/** A block as text: 'Ads, 09:06:00 to 09:21:02, 12 plays, block 2 of 137'. */
export function describeBlock(
  { t, format }: { t: Translate; format: Format },
  day: SmartDay,
  block: SmartBlock,
): string {
  return t('wizard:ribbon.block', {
    kind: t(`wizard:kinds.${block.isAd ? 'ad' : 'melody'}`),
    from: formatWallTime(wallSeconds(day, block.start)),
    to: formatWallTime(wallSeconds(day, block.start + block.duration)),
    plays: t('wizard:plays', { count: block.plays.length }),
    place: format.number(block.index + 1),
    blocks: format.number(countBlocks(day)),
  })
}
