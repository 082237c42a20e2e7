import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import type { RibbonView } from '../../ui/ribbon/ribbon-view.ts'
import { blockAt, countBlocks, wallSeconds } from './smart-blocks.ts'
import { formatWallMinute } from './wall-time.ts'

/** A span of the day that is drawn as one bar, because its blocks are too narrow to be told apart. */
export interface RibbonBar {
  /** Seconds from the window's start. */
  start: number
  end: number
  /** Parts of the span: 0 to 1. The rest is silent. */
  adShare: number
  melodyShare: number
  /** Blocks that begin in it. */
  blocks: number
}

/** In pixels. Below it, single blocks are a bar code. */
const minBlockWidth = 6
/** In pixels: room for a percentage. */
const minBarWidth = 40
/** In seconds; bars begin at round times of day. */
const barLengths = [60, 300, 600, 900, 1800, 3600, 7200, 10_800, 14_400, 21_600] as const
const longestBar = 21_600

/** The length of the bars in seconds; null where single blocks are wide enough. @param pixelsASecond of the zoomed ribbon */
export function barLength(day: SmartDay, pixelsASecond: number): number | null {
  const count = countBlocks(day)
  if (count === 0 || (day.windowSeconds / count) * pixelsASecond >= minBlockWidth) return null
  return barLengths.find(seconds => seconds * pixelsASecond >= minBarWidth) ?? longestBar
}

/** The bars that a view shows, each with the shares of ads and background. @param length seconds of a bar */
export function barsOf(day: SmartDay, view: RibbonView, length: number): RibbonBar[] {
  const first = Math.floor((day.startsAtSeconds + view.from) / length) * length - day.startsAtSeconds
  const bars: RibbonBar[] = []
  for (let start = first; start < Math.min(view.to, day.windowSeconds); start += length)
    bars.push(barOf(day, Math.max(0, start), Math.min(day.windowSeconds, start + length)))
  return bars
}

function barOf(day: SmartDay, start: number, end: number): RibbonBar {
  const bar = { start, end, adShare: 0, melodyShare: 0, blocks: 0 }
  const count = countBlocks(day)
  for (let block = Math.max(0, blockAt(day, start)); block < count; block += 1) {
    const from = day.blockStarts[block] ?? 0
    if (from >= end) break
    const seconds = Math.min(end, from + (day.blockDurations[block] ?? 0)) - Math.max(start, from)
    if (from >= start) bar.blocks += 1
    if (seconds <= 0) continue
    if (day.blockIsAd[block] === 1) bar.adShare += seconds / (end - start)
    else bar.melodyShare += seconds / (end - start)
  }
  return bar
}

/** The bar with a block. */
export function barWith(day: SmartDay, block: number, length: number): RibbonBar | undefined {
  const from = day.blockStarts[block]
  return from === undefined ? undefined : barsOf(day, { from, to: from + 1 }, length)[0]
}

/** A bar as text: '09:00 to 10:00, ads 25%, 48 blocks'. */
export function describeBar(
  { t, format }: { t: Translate; format: Format },
  day: SmartDay,
  bar: RibbonBar,
): string {
  return t('wizard:ribbon.bar', {
    from: formatWallMinute(wallSeconds(day, bar.start)),
    to: formatWallMinute(wallSeconds(day, bar.end)),
    share: format.percent(bar.adShare),
    count: bar.blocks,
  })
}
