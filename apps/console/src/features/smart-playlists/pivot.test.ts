import type { PlanInput } from '@floorcast/planner/plan-types.ts'
import { planFreely } from '@floorcast/planner/plan.ts'
import { packDay, toSmartDay } from '@floorcast/planner/smart-day.ts'
import { expect, it } from 'vitest'
import { contentSeconds, countPivot, rowOfTrack, rowOfTracks, shareOfAds } from './pivot.ts'
import { blockAt, blockOf, wallSeconds } from './smart-blocks.ts'

const track = (uid: string, duration: number, weight = 1) => ({ uid, name: uid, duration, weight })
const melodies = Array.from({ length: 7 }, (_, n) => track(`m${n}`, 150 + n * 7.25))
const ads = [track('a', 20, 3), track('b', 30), track('c', 25.5)]

const input: PlanInput = {
  type: 'audio-smart',
  startDay: '21:30',
  endDay: '02:15',
  melTime: 360,
  adsTime: 120,
  melMode: 'auto',
  adsMode: 'manual',
  melList: melodies,
  adsList: ads,
  seed: 5,
}
const planned = planFreely(input)

const day = toSmartDay(packDay(planned.blocks, input), { ...input, melList: melodies, adsList: ads })

it('a packed day holds the plan, block by block', () => {
  planned.blocks.forEach(({ kind, start, duration, items }, index) => {
    const block = blockOf(day, index)
    expect(block).toMatchObject({ index, isAd: kind === 'ad', start, duration })
    expect(block?.plays.map(play => [play.track.uid, play.start])).toEqual(
      items.map(({ uid, start: at }) => [uid, at]),
    )
  })
  expect(blockOf(day, planned.blocks.length)).toBeUndefined()
})

it('a packed day tells the block of a moment', () => {
  planned.blocks.forEach(({ start, duration }, index) => {
    expect(blockAt(day, start)).toBe(index)
    expect(blockAt(day, start + duration - 0.001)).toBe(index)
  })
  expect(blockAt(day, day.windowSeconds)).toBe(planned.blocks.length - 1)
  expect(blockAt(packDay([], input), 5)).toBe(-1)
})

it('a packed day runs over midnight', () => {
  expect(wallSeconds(day, 0)).toBe(77_400)
  expect(wallSeconds(day, 3 * 3600)).toBe(1800)
})

const pivot = countPivot(day)

it('the pivot table has a column for each wall hour that the window touches', () => {
  expect(pivot.hours).toEqual([21, 22, 23, 0, 1, 2])
})

it('the pivot table counts each play once, in the hour where it begins', () => {
  planned.summary.tracks.forEach(({ plays }, place) => {
    expect(rowOfTrack(pivot, place, 'plays').total).toBe(plays)
  })
  const first = planned.blocks.flatMap(({ items }) => items).filter(({ start }) => start < 1800)
  const whole = rowOfTracks(pivot, { from: 0, to: day.tracks.length }, 'plays')
  expect(whole.figures[0]).toBe(first.length)
  expect(whole.total).toBe(planned.summary.plays)
})

it('the pivot table splits a play’s seconds at the hour', () => {
  const all = rowOfTracks(pivot, { from: 0, to: day.tracks.length }, 'seconds')
  expect(all.total).toBeCloseTo(contentSeconds(day), 6)
  // No silence before the end, so that each whole hour is full.
  expect(all.figures[0]).toBeCloseTo(1800, 6)
  expect(all.figures[2]).toBeCloseTo(3600, 6)
  const kinds = [
    rowOfTracks(pivot, { from: 0, to: day.melodies }, 'seconds'),
    rowOfTracks(pivot, { from: day.melodies, to: day.tracks.length }, 'seconds'),
  ]
  expect(kinds.map(({ total }) => total).reduce((a, b) => a + b)).toBeCloseTo(all.total, 6)
})

it('what each ad gets is what the planner says', () => {
  const expected = planned.summary.tracks.filter(({ kind }) => kind === 'ad')
  const shares = shareOfAds(day)
  expect(shares).toHaveLength(expected.length)
  shares.forEach((share, n) => {
    expect(share.plays).toBe(expected[n]?.plays)
    expect(share.playsAnHour).toBeCloseTo(expected[n]?.playsAnHour ?? 0, 6)
    expect(share.share).toBeCloseTo(expected[n]?.share ?? 0, 6)
    expect(share.nearestSeconds).toBeCloseTo(expected[n]?.shortestGapSeconds ?? 0, 6)
  })
})

it('what each ad gets has no distance for an ad that is heard once', () => {
  const [block] = planned.blocks.filter(({ kind }) => kind === 'ad')
  const blocks = block ? [{ ...block, items: block.items.slice(0, 1) }] : []
  const once = { ...day, ...packDay(blocks, input), windowSeconds: 3600, startsAtSeconds: 0 }
  expect(shareOfAds(once).map(({ nearestSeconds }) => nearestSeconds)).toEqual([null, null, null])
  expect(shareOfAds(once).reduce((sum, { plays }) => sum + plays, 0)).toBe(1)
})
