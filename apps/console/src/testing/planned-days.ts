import type { PlanBlock } from '@floorcast/planner/plan-types.ts'
import { packDay, toSmartDay, type SmartDay, type SmartTrack } from '@floorcast/planner/smart-day.ts'

const track = (uid: string, duration: number): SmartTrack => ({
  uid,
  name: `Track ${uid}`,
  duration,
  weight: 1,
})
const music = track('music', 240)
const ad = track('ad', 30)

interface Span {
  kind: 'ad' | 'melody'
  /** Seconds from the window's start. */
  start: number
  duration: number
}

/** A day of these blocks, each with one play. */
export function dayOf(blocks: readonly Span[], hours: { startDay: string; endDay: string }): SmartDay {
  const lists = { melList: [music], adsList: [ad] }
  const planned = blocks.map(({ kind, start, duration }): PlanBlock => ({
    kind,
    start,
    duration,
    items: [{ uid: kind === 'ad' ? ad.uid : music.uid, start, duration }],
  }))
  return toSmartDay(packDay(planned, lists), { ...lists, ...hours })
}

export const HOUR = 3600
/** Blocks of `seconds` in turn, the first one music. */
export function inTurn(seconds: number, { melody, ad: ads }: { melody: number; ad: number }): Span[] {
  const blocks: Span[] = []
  for (let start = 0; start < seconds;) {
    const kind = blocks.length % 2 === 0 ? 'melody' : 'ad'
    const duration = Math.min(kind === 'ad' ? ads : melody, seconds - start)
    blocks.push({ kind, start, duration })
    start += duration
  }
  return blocks
}
export const shopHours = { startDay: '08:00', endDay: '20:00' }
/** Music but for ads from 12:00 to 13:00, for 5 seconds at 15:00, and from 19:30 to the end at 20:00. */
export const calmDay = dayOf(
  [
    { kind: 'melody', start: 0, duration: 4 * HOUR },
    { kind: 'ad', start: 4 * HOUR, duration: HOUR },
    { kind: 'melody', start: 5 * HOUR, duration: 2 * HOUR },
    { kind: 'ad', start: 7 * HOUR, duration: 5 },
    { kind: 'melody', start: 7 * HOUR + 5, duration: 4.5 * HOUR - 5 },
    { kind: 'ad', start: 11.5 * HOUR, duration: 0.5 * HOUR },
  ],
  shopHours,
)
export const crowdedDay = dayOf(inTurn(12 * HOUR, { melody: 45, ad: 15 }), shopHours)
