import type { Chart } from '@floorcast/contract/charts.ts'
import { expect, it } from 'vitest'
import { createFormat } from '../../platform/format.ts'
import {
  busiestHour,
  latestOf,
  meanOf,
  periodOf,
  sumOf,
  toChartFormat,
  toHourSeries,
  toSeries,
} from './chart-series.ts'

const noon = '2026-11-21T12:00:00Z'
const chart: Chart = {
  asOf: noon,
  unit: 'plays',
  stepSeconds: 3600,
  series: [
    { uid: 'ads', name: 'ads', points: [[noon, 2]] },
    { uid: 'melodies', name: 'melodies', points: [[noon, null], ['2026-11-21T13:00:00Z', 4]] }, // prettier-ignore
  ],
}
const figures = { value: String, axisValue: String }

it('gives media types their own order and color, and states theirs', () => {
  const series = toSeries(chart, uid => uid.toUpperCase())
  expect(series.map(({ name, place }) => [name, place])).toEqual([
    ['MELODIES', 0],
    ['ADS', 1],
  ])
  expect(series[1]?.points).toEqual([[Date.parse(noon), 2]])
  const [online] = toSeries({ ...chart, series: [{ uid: 'online', name: '', points: [] }] }, uid => uid)
  expect(online).toMatchObject({ tone: 'good', place: undefined })
})

it('sums up a chart in one figure', () => {
  const series = toSeries(chart, uid => uid)
  expect(sumOf(series)).toBe(6)
  expect(meanOf(series)).toBe(3)
  expect(meanOf([])).toBeNull()
  expect(latestOf(series[0])).toBe(4)
  expect(latestOf(undefined)).toBeNull()
})

it('finds the busiest hour of day over all kinds', () => {
  const hours = { asOf: noon, unit: 'plays' as const }
  const series = [
    { uid: 'ads', name: '', points: [[8, 3], [9, 2]] as [number, number][] }, // prettier-ignore
    { uid: 'melodies', name: '', points: [[8, 0], [9, 2]] as [number, number][] }, // prettier-ignore
  ]
  expect(busiestHour(toHourSeries({ ...hours, series }, uid => uid))).toBe(9)
  expect(busiestHour([])).toBeNull()
})

it('writes steps of a day as days of UTC, long periods as days, and short ones as times', () => {
  const format = createFormat('en-GB-u-nu-latn')
  const tick = (given: Chart) =>
    toChartFormat(format, given, figures).tick(Date.parse('2026-11-21T00:00:00Z'))
  expect(tick({ ...chart, stepSeconds: 86_400 })).toBe('21\u00a0Nov')
  expect(tick(chart)).toMatch(/^\d\d:\d\d$/)
  const week = { uid: 'a', name: '', points: [[noon, 1], ['2026-11-28T12:00:00Z', 1]] as [string, number][] } // prettier-ignore
  expect(tick({ ...chart, series: [week] })).toMatch(/^2[01]\u00a0Nov$/)
})

it('shows the whole range up to the time of the figures', () => {
  expect(periodOf(chart, '1h')).toEqual([Date.parse(noon) - 3_600_000, Date.parse(noon)])
  expect(periodOf(undefined, '1h')).toEqual([0, 1])
})
