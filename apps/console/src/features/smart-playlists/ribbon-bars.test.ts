import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { expect, it } from 'vitest'
import { barLength, barsOf, barWith } from './ribbon-bars.ts'

/** A day of `hours` from 08:30: blocks of ads and background in turn, of these seconds. */
function denseDay(hours: number, { ad, melody }: { ad: number; melody: number }): SmartDay {
  const windowSeconds = hours * 3600
  const starts: number[] = []
  const lengths: number[] = []
  const isAd: number[] = []
  for (let at = 0, n = 0; at < windowSeconds; n += 1) {
    const length = n % 2 === 0 ? melody : ad
    starts.push(at)
    lengths.push(Math.min(length, windowSeconds - at))
    isAd.push(n % 2)
    at += length
  }
  return {
    startsAtSeconds: 8.5 * 3600,
    windowSeconds,
    tracks: [],
    melodies: 0,
    blockStarts: Float64Array.from(starts),
    blockDurations: Float64Array.from(lengths),
    blockIsAd: Uint8Array.from(isAd),
    blockFirst: new Uint32Array(starts.length + 1),
    playTracks: new Uint32Array(),
    playStarts: new Float64Array(),
  }
}

const day = denseDay(12, { ad: 15, melody: 45 })
const whole = { from: 0, to: day.windowSeconds }

it('the bars of a dense day stand for round times of day, and are wide enough to be read', () => {
  const length = barLength(day, 1100 / day.windowSeconds) ?? 0
  expect(length).toBe(1800)
  expect(barLength(day, 330 / day.windowSeconds)).toBe(7200)
  const [first, second] = barsOf(day, whole, 3600)
  // The window begins at 08:30, the second bar at 09:00.
  expect([first?.start, first?.end, second?.start, second?.end]).toEqual([0, 1800, 1800, 5400])
  expect(barsOf(day, whole, 3600)).toHaveLength(13)
})

it('the bars of a dense day have the shares of ads and background', () => {
  for (const { adShare, melodyShare, blocks, start, end } of barsOf(day, whole, 3600)) {
    expect(adShare).toBeCloseTo(0.25, 9)
    expect(melodyShare).toBeCloseTo(0.75, 9)
    expect(blocks).toBe((end - start) / 30)
  }
})

it('the bars of a dense day are those of the visible part, and that of a block', () => {
  const part = barsOf(day, { from: 4000, to: 9100 }, 3600)
  expect(part.map(({ start }) => start)).toEqual([1800, 5400, 9000])
  expect(barWith(day, 200, 3600)).toEqual(barsOf(day, whole, 3600)[2])
  expect(barWith(day, 1e6, 3600)).toBeUndefined()
})

it('the bars of a dense day count a block over their edge in both, and silence in none', () => {
  const halved = denseDay(1, { ad: 1800, melody: 1800 })
  const silent: SmartDay = { ...halved, blockDurations: Float64Array.from([1800, 900]) }
  expect(barsOf(silent, { from: 0, to: 3600 }, 3600)).toEqual([
    { start: 0, end: 1800, adShare: 0, melodyShare: 1, blocks: 1 },
    { start: 1800, end: 3600, adShare: 0.5, melodyShare: 0, blocks: 1 },
  ])
  const over = denseDay(2, { ad: 3600, melody: 3600 })
  expect(barsOf(over, { from: 0, to: 7200 }, 3600).map(({ adShare }) => adShare)).toEqual([0, 0.5, 1])
})

it('the bars of a dense day give way to blocks that are wide enough', () => {
  expect(barLength(denseDay(12, { ad: 900, melody: 360 }), 1100 / 43_200)).toBeNull()
  expect(barLength(day, (32 * 1100) / 43_200)).toBeNull()
  expect(barLength({ ...day, blockStarts: new Float64Array() }, 1)).toBeNull()
})
