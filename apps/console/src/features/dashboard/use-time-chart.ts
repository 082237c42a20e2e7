import { type Chart, ChartRange } from '@floorcast/contract/charts.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import type { ChartFormat, ChartSeries } from '../../ui/charts/chart-option.ts'
import { periodOf, toChartFormat, toSeries } from './chart-series.ts'

/** How the figures of a chart are written; must not change between renders. */
export type ChartFigures = Pick<ChartFormat, 'axisValue' | 'value'>

interface TimeChart {
  /** Undefined while it is loading. */
  chart: Chart | undefined
  range: ChartRange
  figures: ChartFigures
  /** The name of a series in the reader's language; must not change between renders. */
  nameOf: (uid: string, name: string) => string
}

/** The input of a chart over time; each part changes only with the answer, so that the chart is drawn no more than needed. */
export function useTimeChart({ chart, range, figures, nameOf }: TimeChart) {
  const format = useFormat()
  const series = useMemo((): ChartSeries[] | undefined => chart && toSeries(chart, nameOf), [chart, nameOf])
  const period = useMemo(() => periodOf(chart, range), [chart, range])
  const chartFormat = useMemo(() => toChartFormat(format, chart, figures), [format, chart, figures])
  return { series, period, format: chartFormat }
}

/** Numbers of plays or devices; a mean may have a fraction. */
export function useCountFigures(): ChartFigures {
  const format = useFormat()
  return useMemo(() => ({ value: value => format.number(value, 1), axisValue: format.compact }), [format])
}

/** The range of the charts, kept in the address. */
export function useChartRange(): [ChartRange, (range: string) => void] {
  const [address, setAddress] = useSearchParams()
  const range = ChartRange.safeParse(address.get('range')).data ?? '24h'
  const setRange = (next: string) =>
    setAddress(
      now => {
        const changed = new URLSearchParams(now)
        changed.set('range', next)
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return [range, setRange]
}
