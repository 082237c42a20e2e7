import type { ChartRange } from '@floorcast/contract/charts.ts'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import { latestOf } from './chart-series.ts'
import { chartQuery } from './dashboard-data.ts'
import { useTimeChart } from './use-time-chart.ts'

/** The load averages of each server over 1, 5 and 15 minutes. */
export function LoadChart({ range }: { range: ChartRange }) {
  const { t } = useTranslate()
  const format = useFormat()
  const one = useQuery(chartQuery('load1', range))
  const five = useQuery(chartQuery('load5', range))
  const fifteen = useQuery(chartQuery('load15', range))
  const chart = useMemo(() => {
    if (!one.data || !five.data || !fifteen.data) return undefined
    const averages = [one.data, five.data, fifteen.data]
    const series = averages.flatMap((answer, place) =>
      answer.series.map(line => ({ ...line, uid: `${place} ${line.name}` })),
    )
    return { ...one.data, series }
  }, [one.data, five.data, fifteen.data])
  const isAlone = one.data?.series.length === 1
  const nameOf = useCallback(
    (uid: string, server: string) => {
      const minutes = t('dashboard:charts.minutes', { count: [1, 5, 15][Number(uid[0])] ?? 1 })
      return isAlone ? minutes : `${server} · ${minutes}`
    },
    [t, isAlone],
  )
  const figures = useMemo(() => {
    const value = (load: number) => format.number(load, 2)
    return { value, axisValue: value }
  }, [format])
  const drawn = useTimeChart({ chart, range, figures, nameOf })
  const latest = latestOf(drawn.series?.[0])
  return (
    <Chart
      {...drawn}
      title={t('dashboard:charts.load')}
      form="lines"
      headline={{
        figure: latest === null ? null : format.number(latest, 2),
        note: t('dashboard:charts.loadNow'),
      }}
      empty={t('dashboard:charts.noSamples')}
      error={[one, five, fifteen].find(({ error, data }) => error && !data)?.error}
      retry={() => [one, five, fifteen].forEach(({ refetch }) => void refetch())}
    />
  )
}

/** The free space of each server's disk. */
export function FreeSpaceChart({ range }: { range: ChartRange }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { data, error, refetch } = useQuery(chartQuery('freeSpace', range))
  const nameOf = useCallback((_uid: string, name: string) => name, [])
  const figures = useMemo(() => ({ value: format.size, axisValue: format.size }), [format])
  const drawn = useTimeChart({ chart: data, range, figures, nameOf })
  const latest = latestOf(drawn.series?.[0])
  return (
    <Chart
      {...drawn}
      title={t('dashboard:charts.freeSpace')}
      form="lines"
      headline={{
        figure: latest === null ? null : format.size(latest),
        note: t('dashboard:charts.freeNow'),
      }}
      empty={t('dashboard:charts.noSamples')}
      error={error}
      retry={() => void refetch()}
    />
  )
}
