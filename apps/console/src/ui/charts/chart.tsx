import type { RestoredPlays } from '@floorcast/contract/redelivery.ts'
import { ActionIcon, Button, Group, Skeleton, Text, UnstyledButton } from '@mantine/core'
import { IconChartLine, IconTable } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { loadPart } from '../../platform/load-part.ts'
import { describeFailure } from '../../platform/outcomes.ts'
import { Tooltip } from '../overlay/overlays.tsx'
import { Panel } from '../panel.tsx'
import { RestoredMark } from '../restored/restored-mark.tsx'
import { useChartLook } from './chart-look.ts'
import { colorOf, hasFigures, markOf, shownSeries, toRows, type ChartData } from './chart-option.ts'
import styles from './chart.module.css'

/** ECharts comes with the first chart. */
const ChartCanvas = lazy(() => loadPart(() => import('./chart-canvas.tsx')))

interface ChartProps extends Omit<ChartData, 'series' | 'hidden'> {
  title: string
  /** Undefined while it is loading. */
  series: ChartData['series'] | undefined
  /** The one figure that sums the chart up, and what it is. Null: not known. */
  headline: { figure: string | null; note: string }
  /** What plays may lack since a restore of the server. */
  restored?: RestoredPlays | undefined
  /** Said in place of a chart without figures. */
  empty: string
  /** Why the figures could not be loaded. */
  error?: unknown
  retry: () => void
}

/** Figures over time as a chart or as a table, with a legend that hides and shows series. Its height never changes. */
export function Chart({ title, series, headline, restored, empty, error, retry, ...rest }: ChartProps) {
  const { t } = useTranslate()
  const [isTable, setIsTable] = useState(false)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { form, period, max, format } = rest
  const data = useMemo(
    () => series && { form, series, hidden, period, max, format },
    [form, series, hidden, period, max, format],
  )
  const toggle = (id: string) => setHidden(before => toggled(before, id))
  const toggleLabel = t(isTable ? 'charts:chart.asChart' : 'charts:chart.asTable')
  return (
    <Panel
      title={title}
      end={
        <Tooltip label={toggleLabel}>
          <ActionIcon
            aria-label={t('labeled', { label: title, value: toggleLabel })}
            disabled={!series || !hasFigures(series)}
            onClick={() => setIsTable(!isTable)}
          >
            {isTable ? <IconChartLine size={20} aria-hidden /> : <IconTable size={20} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      }
    >
      <div className={styles.top}>
        <span className={styles.headline}>
          {series ? (headline.figure ?? '–') : ''} <small>{headline.note}</small>
        </span>
        <RestoredMark restored={restored} />
      </div>
      <div className={styles.stage}>
        {data ? (
          <Figures title={title} data={data} empty={empty} isTable={isTable} />
        ) : error ? (
          <div className={styles.failed} role="alert">
            <Text c="dimmed">{describeFailure(t, error)}</Text>
            <Group justify="center">
              <Button variant="default" size="xs" onClick={retry}>
                {t('tryAgain')}
              </Button>
            </Group>
          </div>
        ) : (
          <Skeleton height="100%" aria-busy />
        )}
      </div>
      <div className={styles.foot}>
        {data && data.series.length > 1 && hasFigures(data.series) && (
          <Legend title={title} data={data} toggle={toggle} />
        )}
      </div>
    </Panel>
  )
}

function toggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(before)
  if (!next.delete(id)) next.add(id)
  return next
}

interface FiguresProps {
  title: string
  data: ChartData
  empty: string
  isTable: boolean
}

function Figures({ title, data, empty, isTable }: FiguresProps) {
  const { t } = useTranslate()
  if (!hasFigures(data.series)) return <div className={styles.none}>{empty}</div>
  if (isTable) return <FigureTable title={title} data={data} />
  return (
    <Suspense fallback={<Skeleton height="100%" aria-busy />}>
      <ChartCanvas label={title} hint={t('charts:chart.hint')} data={data} />
    </Suspense>
  )
}

/** The same figures as text, the newest first. */
function FigureTable({ title, data }: { title: string; data: ChartData }) {
  const { t } = useTranslate()
  const rows = useMemo(() => toRows(data).toReversed(), [data])
  return (
    <div className={styles.figures} tabIndex={0} role="region" aria-label={title}>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('charts:chart.time')}</th>
            {shownSeries(data).map(({ id, name }) => (
              <th key={id} scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ at, values }) => (
            <tr key={at}>
              <th scope="row">{data.format.moment(at)}</th>
              {values.map((value, column) => (
                <td key={shownSeries(data)[column]?.id}>{value === null ? '–' : data.format.value(value)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface LegendProps {
  title: string
  data: ChartData
  toggle: (id: string) => void
}

function Legend({ title, data, toggle }: LegendProps) {
  const { t } = useTranslate()
  const look = useChartLook()
  return (
    <div className={styles.legend} role="group" aria-label={t('charts:chart.legend', { chart: title })}>
      {data.series.map(({ id, name, ...one }, order) => {
        const placed = { ...one, place: one.place ?? order }
        return (
          <UnstyledButton
            key={id}
            className={styles.key}
            aria-pressed={!data.hidden.has(id)}
            onClick={() => toggle(id)}
          >
            <i style={{ background: markOf(look, placed), borderColor: colorOf(look, placed) }} aria-hidden />
            <bdi>{name}</bdi>
          </UnstyledButton>
        )
      })}
    </div>
  )
}
