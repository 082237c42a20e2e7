import { expect, it } from 'vitest'
import { columnsOf } from './day-draw.ts'

const from = Date.parse('2026-11-23T00:00:00.000Z')
const at = (minutes: number) => new Date(from + minutes * 60_000).toISOString()
const played = (start: number, end: number, adShare = 0) => ({
  from: at(start),
  until: at(end),
  kind: adShare > 0 ? ('ads' as const) : ('music' as const),
  adShare,
})
const day = { from, until: from + 24 * 3_600_000 }

it('gives the ads of a day of music with half a minute of ads in each quarter of an hour their share', () => {
  const spans = Array.from({ length: 96 }, (_, quarter) => [
    played(quarter * 15, quarter * 15 + 14),
    played(quarter * 15 + 14, quarter * 15 + 15, 0.5),
  ]).flat()
  const { sounding, ads } = columnsOf(spans, { ...day, columns: 900 })
  const sum = (numbers: Float64Array) => numbers.reduce((all, each) => all + each, 0)
  expect(sum(sounding)).toBeCloseTo(86_400, 3)
  expect(sum(ads)).toBeCloseTo(96 * 30, 3)
  // No column of 96 seconds is one of ads.
  expect(Math.max(...ads.map((seconds, column) => seconds / (sounding[column] ?? 1)))).toBeLessThan(0.5)
})

it('counts spans by their parts in the day and in its columns, and nothing that is silent', () => {
  const silent = { from: at(60), until: at(120), kind: 'silent', adShare: 0, because: 'closed' } as const
  const spans = [played(-30, 30, 1), silent, played(1425, 1500)]
  const { sounding, ads } = columnsOf(spans, { ...day, columns: 24 })
  const minutes = (numbers: Float64Array) => [...numbers].map(seconds => seconds / 60)
  expect(minutes(sounding)).toEqual([30, ...Array<number>(22).fill(0), 15])
  expect(minutes(ads)).toEqual([30, ...Array<number>(23).fill(0)])
})
