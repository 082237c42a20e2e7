import { ChartRange } from '@floorcast/contract/charts.ts'
import { Group, SegmentedControl, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Chart } from '../../ui/charts/chart.tsx'
import { busiestHour, kinds, latestOf, meanOf, sumOf, toHourSeries } from './chart-series.ts'
import { availabilityQuery, chartQuery, playsByHourQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'
import { useChartRange, useCountFigures, useTimeChart } from './use-time-chart.ts'

/** Figures over time: plays and devices. */
export function ChartsSection() {
  const { t } = useTranslate()
  const [range, setRange] = useChartRange()
  return (
    <section aria-label={t('dashboard:charts.title')} className={styles.section}>
      <Group justify="space-between" gap="xs">
        <Title order={2}>{t('dashboard:charts.title')}</Title>
        <SegmentedControl
          aria-label={t('dashboard:charts.range')}
          value={range}
          onChange={setRange}
          data={ChartRange.options.map(value => ({ value, label: t(`dashboard:ranges.${value}`) }))}
        />
      </Group>
      <div className={styles.charts}>
        <PlaysChart range={range} />
        <HoursChart range={range} />
        <DevicesChart range={range} />
        <AvailabilityChart range={range} />
      </div>
    </section>
  )
}

interface RangeProps {
  range: ChartRange
}

/** Names a series by its media type. */
function useKindName() {
  const { t } = useTranslate()
  return useCallback(
    (uid: string, name: string) => {
      const kind = kinds.find(known => known === uid)
      return kind ? t(`routes:${kind}`) : name
    },
    [t],
  )
}

function PlaysChart({ range }: RangeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { data, error, refetch } = useQuery(chartQuery('plays', range))
  const drawn = useTimeChart({ chart: data, range, figures: useCountFigures(), nameOf: useKindName() })
  return (
    <Chart
      {...drawn}
      title={t('dashboard:charts.plays')}
      form="bars"
      headline={{ figure: format.number(sumOf(drawn.series ?? [])), note: t(`dashboard:last.${range}`) }}
      restored={data?.restored}
      empty={t('dashboard:charts.noPlays')}
      error={error}
      retry={() => void refetch()}
    />
  )
}

const hoursOfDay = [0, 23] as const

function HoursChart({ range }: RangeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const figures = useCountFigures()
  const nameOf = useKindName()
  const shown = range === '1h' ? '24h' : range
  const zone = useMemo(() => new Intl.DateTimeFormat().resolvedOptions().timeZone, [])
  const { data, error, refetch } = useQuery(playsByHourQuery(shown, zone))
  const series = useMemo(() => data && toHourSeries(data, nameOf), [data, nameOf])
  const hourFormat = useMemo(
    () => ({ ...figures, tick: format.hourOfDay, moment: format.hourOfDay }),
    [figures, format],
  )
  const busiest = busiestHour(series ?? [])
  const note = t('dashboard:charts.busiest', { range: t(`dashboard:last.${shown}`), zone: format.zone })
  return (
    <Chart
      title={t('dashboard:charts.hours')}
      form="bars"
      series={series}
      period={hoursOfDay}
      format={hourFormat}
      headline={{ figure: busiest === null ? null : format.hourOfDay(busiest), note }}
      restored={data?.restored}
      empty={t('dashboard:charts.noPlays')}
      error={error}
      retry={() => void refetch()}
    />
  )
}

const connectivities = ['online', 'linkdown', 'linklost', 'neverup'] as const

function DevicesChart({ range }: RangeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { data, error, refetch } = useQuery(chartQuery('devices', range))
  const nameOf = useCallback(
    (uid: string, name: string) => {
      const state = connectivities.find(known => known === uid)
      return state ? t(`activity:connectivity.${state}`) : name
    },
    [t],
  )
  const drawn = useTimeChart({ chart: data, range, figures: useCountFigures(), nameOf })
  const online = latestOf(drawn.series?.find(({ id }) => id === 'online'))
  return (
    <Chart
      {...drawn}
      title={t('dashboard:charts.devices')}
      form="areas"
      headline={{
        figure: online === null ? null : format.number(online),
        note: t('dashboard:charts.onlineNow'),
      }}
      empty={t('dashboard:charts.noDevices')}
      error={error}
      retry={() => void refetch()}
    />
  )
}

function AvailabilityChart({ range }: RangeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const shown = range === '45d' ? '45d' : '7d'
  const { data, error, refetch } = useQuery(availabilityQuery(shown))
  const figures = useMemo(
    () => ({
      value: (value: number) => format.percent(value / 100, 1),
      axisValue: (value: number) => format.percent(value / 100),
    }),
    [format],
  )
  const nameOf = useCallback(() => t('dashboard:charts.availability'), [t])
  const drawn = useTimeChart({ chart: data, range: shown, figures, nameOf })
  const mean = meanOf(drawn.series ?? [])
  return (
    <Chart
      {...drawn}
      title={t('dashboard:charts.availability')}
      form="bars"
      max={100}
      headline={{
        figure: mean === null ? null : format.percent(mean / 100, 1),
        note: t('dashboard:charts.mean', { range: t(`dashboard:last.${shown}`) }),
      }}
      empty={t('dashboard:charts.noContact')}
      error={error}
      retry={() => void refetch()}
    />
  )
}
