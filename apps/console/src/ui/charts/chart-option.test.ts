import { expect, it } from 'vitest'
import { chartColors } from './chart-look.ts'
import { buildChartOption, colorOf, hasFigures, markOf, toRows, type ChartData } from './chart-option.ts'

const hour = 3_600_000
const format = { value: String, axisValue: String, tick: String, moment: String }
const data: ChartData = {
  form: 'bars',
  series: [
    { id: 'ads', name: 'Ads', points: [[0, 3], [hour, 4]] }, // prettier-ignore
    { id: 'music', name: 'Music', points: [[hour, 10], [2 * hour, null]] }, // prettier-ignore
  ],
  hidden: new Set(),
  period: [0, 3 * hour],
  format,
}
const look = { ...chartColors.light, isRtl: false, isStill: false }
const build = (some: Partial<ChartData> = {}, isRtl = false) =>
  JSON.parse(
    JSON.stringify(
      buildChartOption({ ...data, ...some }, { ...look, isRtl }, () => document.createElement('p')),
    ),
  ) as Record<string, Record<string, unknown>> & { series: Record<string, unknown>[] }

it('gives the table one row an instant, with a gap where a series has no figure', () => {
  expect(toRows(data)).toEqual([
    { at: 0, values: [3, null] },
    { at: hour, values: [4, 10] },
    { at: 2 * hour, values: [null, null] },
  ])
  expect(toRows({ ...data, hidden: new Set(['ads']) })).toEqual([
    { at: hour, values: [10] },
    { at: 2 * hour, values: [null] },
  ])
})

it('stacks bars by instant and hides what the legend hides, without a change of colors', () => {
  const [ads, music] = build().series
  expect(ads).toMatchObject({ type: 'bar', stack: 'all', data: [3, 4, null] })
  expect(music).toMatchObject({ data: [null, 10, null], itemStyle: { color: colorOf(look, { place: 1 }) } })
  const shown = build({ hidden: new Set(['ads']) }).series
  expect(shown).toHaveLength(1)
  expect(shown[0]).toMatchObject({ id: 'music', itemStyle: { color: colorOf(look, { place: 1 }) } })
})

it('draws lines over the whole period, broken where nothing is known', () => {
  const option = build({ form: 'lines' })
  expect(option['xAxis']).toMatchObject({ type: 'time', min: 0, max: 3 * hour, inverse: false })
  expect(option.series[1]).toMatchObject({ type: 'line', showSymbol: true, data: [[hour, 10], [2 * hour, null]] }) // prettier-ignore
})

it('stacks areas in the colors of their states', () => {
  const series = [{ id: 'online', name: 'Online', tone: 'good' as const, points: [[0, 2]] as const }]
  expect(build({ form: 'areas', series }).series).toMatchObject([
    { type: 'line', stack: 'all', color: look.states.good },
  ])
})

it('tells two series of one color apart by dashes and stripes', () => {
  const one = { id: 'linkdown', name: 'Offline', tone: 'down' as const, points: [[0, 2]] as const }
  const [striped, solid] = [
    { ...one, isStriped: true },
    { ...one, id: 'linklost' },
  ]
  expect(build({ form: 'areas', series: [striped, solid] }).series).toMatchObject([
    { color: look.states.down, lineStyle: { type: 'dashed' } },
    { color: look.states.down, lineStyle: { type: 'solid' } },
  ])
  expect(markOf(look, { ...striped, place: 0 })).toContain('repeating-linear-gradient')
  expect(markOf(look, { ...solid, place: 1 })).toBe(look.states.down)
})

it('runs from right to left in a language that does', () => {
  expect(build({}, true)['xAxis']).toMatchObject({ inverse: true })
  expect(build({}, true)['yAxis']).toMatchObject({ position: 'right' })
})

it('knows a chart without figures', () => {
  expect(hasFigures(data.series)).toBe(true)
  expect(hasFigures([{ id: 'a', name: 'A', points: [[0, null]] }])).toBe(false)
})

/** Relative luminance of a `#rrggbb` color by WCAG 2.2. */
function luminance(color: string): number {
  const channel = (from: number) => {
    const value = Number.parseInt(color.slice(from, from + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
}

it.each(['light', 'dark'] as const)('keeps every color of series and states 3:1 from the panel: %s', mode => {
  const { panel, series, states } = chartColors[mode]
  for (const color of [...series, ...Object.values(states)]) {
    const [high = 0, low = 0] = [luminance(color), luminance(panel)].toSorted((a, b) => b - a)
    expect((high + 0.05) / (low + 0.05), color).toBeGreaterThanOrEqual(3)
  }
})
