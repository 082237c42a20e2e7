import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts'
import type { GridComponentOption, TooltipComponentOption } from 'echarts/components'
import type { ComposeOption } from 'echarts/core'
import type { ChartLook } from './chart-look.ts'

/** Figures over time, with a name of their own. */
export interface ChartSeries {
  id: string
  name: string
  /** The state that it counts, which gives it its color. */
  tone?: keyof ChartLook['states'] | undefined
  /** Tells it from the other series of its color. */
  isStriped?: boolean
  /** Its place among the colors, where it is not its order: so that a kind keeps its color. */
  place?: number | undefined
  /** Instants in ms since the epoch, or hours of the day, ascending, and their figures; null: not known. */
  points: readonly (readonly [at: number, value: number | null])[]
}

/** Figures over time as they are drawn. */
export interface ChartData {
  /** Bars and areas stand on each other; lines break where a figure is not known. */
  form: 'areas' | 'bars' | 'lines'
  series: readonly ChartSeries[]
  /** The ids of series that the user has hidden. */
  hidden: ReadonlySet<string>
  /** The period of the time axis of lines and areas, in ms since the epoch. */
  period: readonly [fromMs: number, untilMs: number]
  /** The end of the value axis, for shares. */
  max?: number | undefined
  format: ChartFormat
}

export interface ChartFormat {
  /** A figure with its unit. */
  value: (value: number) => string
  /** The same, short, for the axis. */
  axisValue: (value: number) => string
  /** An instant, short, for the axis. */
  tick: (at: number) => string
  /** An instant in full, for tooltip and table. */
  moment: (at: number) => string
}

export type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption
>

/** The figures of one instant, by series. */
export interface ChartRow {
  at: number
  values: readonly (number | null)[]
}

const dayMs = 86_400_000
const dashes = ['solid', 'dashed', 'dotted'] as const

/** The series that are shown, with their place among all: it decides their color. */
export const shownSeries = ({ series, hidden }: Pick<ChartData, 'series' | 'hidden'>) =>
  series.map((one, order) => ({ ...one, place: one.place ?? order })).filter(({ id }) => !hidden.has(id))

/** The color of a series by its state, or else by its place. */
export const colorOf = (
  look: ChartLook,
  { place, tone }: { place: number; tone?: ChartSeries['tone'] },
): string => (tone ? look.states[tone] : (look.series[place % look.series.length] ?? look.text))

/** The background of a series' mark in the legend and the tooltip. */
export const markOf = (
  look: ChartLook,
  one: { place: number } & Pick<ChartSeries, 'tone' | 'isStriped'>,
): string =>
  one.isStriped
    ? `repeating-linear-gradient(135deg, ${colorOf(look, one)} 0 3px, ${look.panel} 3px 6px)`
    : colorOf(look, one)

/** The figures of the shown series by instant, ascending: the rows of the table and of the tooltip. */
export function toRows(data: Pick<ChartData, 'series' | 'hidden'>): ChartRow[] {
  const shown = shownSeries(data).map(({ points }) => new Map(points))
  const instants = new Set(shown.flatMap(points => [...points.keys()]))
  return [...instants]
    .toSorted((a, b) => a - b)
    .map(at => ({ at, values: shown.map(points => points.get(at) ?? null) }))
}

/** Whether there is a figure to draw. */
export const hasFigures = (series: readonly ChartSeries[]): boolean =>
  series.some(({ points }) => points.some(([, value]) => value !== null))

/** Keeps the order of a text whose language runs from right to left: the canvas runs from left to right. */
const directed = (look: ChartLook, text: string) => (look.isRtl ? `\u2067${text}\u2069` : text)

/** The options for ECharts. The axis of a right-to-left language runs from right to left. */
export function buildChartOption(
  data: ChartData,
  look: ChartLook,
  tooltip: (dataIndex: number) => HTMLElement,
): ChartOption {
  const label = { color: look.dimmed, fontFamily: look.font, fontSize: 12 }
  const rows = toRows(data)
  return {
    animation: !look.isStill,
    animationDuration: 250,
    animationDurationUpdate: 250,
    // The newer `outerBounds` leaves half of an inverted axis empty where it is narrow (6.1.0).
    grid: { top: 12, bottom: 4, left: 4, right: 4, ...roomForLastTick(data, look), containLabel: true },
    textStyle: { fontFamily: look.font },
    tooltip: {
      trigger: 'axis',
      confine: true,
      transitionDuration: 0,
      backgroundColor: look.panel,
      borderColor: look.hairline,
      padding: 12,
      textStyle: { color: look.text, fontFamily: look.font, fontSize: 13 },
      axisPointer: {
        type: data.form === 'bars' ? 'shadow' : 'line',
        lineStyle: { color: look.dimmed, type: 'solid' },
        shadowStyle: { color: look.dimmed, opacity: 0.12 },
      },
      formatter: params => tooltip(indexOfTooltip(params, rows)),
    },
    xAxis: timeAxis(data, look, { label, rows }),
    yAxis: {
      type: 'value',
      position: look.isRtl ? 'right' : 'left',
      min: 0,
      ...(data.max === undefined ? {} : { max: data.max, interval: data.max / 4 }),
      splitNumber: 4,
      axisLabel: { ...label, formatter: (value: number) => directed(look, data.format.axisValue(value)) },
      splitLine: { lineStyle: { color: look.hairline } },
    },
    series: shownSeries(data).map(one => drawSeries(data.form, one, { look, rows })),
  }
}

/** A tick at the end of a time axis stands half beyond it. */
const roomForLastTick = ({ form }: ChartData, { isRtl }: ChartLook) =>
  form === 'bars' ? {} : { [isRtl ? 'left' : 'right']: 24 }

/** The place of the pointer as an index of `rows`: bars give the index of their category, lines their instant. */
function indexOfTooltip(params: unknown, rows: readonly ChartRow[]): number {
  const [first] = (Array.isArray(params) ? params : [params]) as { value?: unknown; dataIndex?: number }[]
  const value = first?.value
  if (!Array.isArray(value)) return first?.dataIndex ?? 0
  return rows.findIndex(({ at }) => at === value[0])
}

interface AxisParts {
  label: { color: string; fontFamily: string; fontSize: number }
  rows: readonly ChartRow[]
}

function timeAxis({ form, format, period }: ChartData, look: ChartLook, { label, rows }: AxisParts) {
  const common = {
    inverse: look.isRtl,
    axisLine: { lineStyle: { color: look.hairline } },
    axisTick: { show: false },
    splitLine: { show: false },
  }
  if (form === 'bars')
    return {
      ...common,
      type: 'category' as const,
      data: rows.map(({ at }) => String(at)),
      axisLabel: {
        ...label,
        hideOverlap: true,
        formatter: (text: string) => directed(look, format.tick(Number(text))),
      },
    }
  const [min, max] = period
  return {
    ...common,
    type: 'time' as const,
    min,
    max,
    // A tick at noon would repeat the name of the day.
    ...(max - min > 2 * dayMs ? { minInterval: dayMs } : {}),
    axisLabel: { ...label, hideOverlap: true, formatter: (at: number) => directed(look, format.tick(at)) },
  }
}

type Placed = ReturnType<typeof shownSeries>[number]

interface Drawing {
  look: ChartLook
  rows: readonly ChartRow[]
}

function drawSeries(form: ChartData['form'], one: Placed, { look, rows }: Drawing) {
  if (form === 'bars') return bars(one, look, rows)
  if (form === 'lines') return line(one, look)
  return { ...line(one, look), stack: 'all', areaStyle: { opacity: one.isStriped ? 0.08 : 0.24 } }
}

function bars(one: Placed, look: ChartLook, rows: readonly ChartRow[]): BarSeriesOption {
  const values = new Map(one.points)
  return {
    type: 'bar',
    id: one.id,
    name: one.name,
    stack: 'all',
    barMaxWidth: 32,
    barCategoryGap: '20%',
    // The seam tells stacked bars apart where their colors do not.
    itemStyle: {
      color: colorOf(look, one),
      borderColor: look.panel,
      borderWidth: rows.length > 60 ? 0 : 1,
    },
    emphasis: { disabled: true },
    data: rows.map(({ at }) => values.get(at) ?? null),
  }
}

function line(one: Placed, look: ChartLook): LineSeriesOption {
  const known = one.points.filter(([, value]) => value !== null)
  return {
    type: 'line',
    id: one.id,
    name: one.name,
    // A lone figure has no line.
    showSymbol: known.length === 1,
    symbol: 'circle',
    symbolSize: 7,
    color: colorOf(look, one),
    lineStyle: {
      width: 2,
      type: one.isStriped
        ? 'dashed'
        : (dashes[Math.floor(one.place / look.series.length) % dashes.length] ?? 'solid'),
    },
    emphasis: { disabled: true },
    data: one.points.map(([at, value]) => [at, value]),
  }
}
