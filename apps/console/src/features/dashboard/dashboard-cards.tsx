import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { RestoredMark } from '../../ui/restored/restored-mark.tsx'
import { namePlan } from '../../ui/plan-name.ts'
import { sumOf } from './chart-series.ts'
import { chartQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'

/** The plays and publications of the system state of docs/specification.md#2-screens-and-routes; the fleet bar has the devices. */
export function StateCards({ metrics }: { metrics: QuickMetrics }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { active, delayed, disabled } = metrics.publications
  // The figure of the chart below, which another call answers at another moment.
  const { data: plays } = useQuery(chartQuery('plays', '24h'))
  return (
    <>
      <FigureCard
        label={t('dashboard:cards.played')}
        figure={
          <AnimatedNumber value={plays ? sumOf(plays.series) : metrics.playedCount} format={format.number} />
        }
        note={t('dashboard:cards.playedNote')}
        mark={<RestoredMark restored={metrics.playedRestored} />}
      />
      <FigureCard
        label={t('dashboard:cards.publications')}
        figure={<AnimatedNumber value={active} format={format.number} />}
        note={t('dashboard:cards.publicationsNote', {
          delayed: format.number(delayed),
          disabled: format.number(disabled),
        })}
        to={`${paths.publications}?state=active`}
      />
    </>
  )
}

const shareOf = ({ used, limit }: { used: number; limit: number }) => (limit === 0 ? 0 : used / limit)

/** Device count, media volume, database size and subscription (docs/specification.md#2-screens-and-routes). */
export function PlanCards({ metrics: { limits, media } }: { metrics: QuickMetrics }) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <>
      <FigureCard
        label={t('dashboard:cards.devices')}
        figure={<AnimatedNumber value={limits.devices.used} format={format.number} />}
        share={shareOf(limits.devices)}
        note={t('dashboard:cards.devicesNote', { limit: format.number(limits.devices.limit) })}
        to={paths.devices}
      />
      <FigureCard
        label={t('dashboard:cards.media')}
        figure={<AnimatedNumber value={limits.mediaBytes.used} format={format.size} />}
        share={shareOf(limits.mediaBytes)}
        note={t('dashboard:cards.mediaNote', {
          count: media.items,
          limit: format.size(limits.mediaBytes.limit),
        })}
      />
      <FigureCard
        label={t('dashboard:cards.statistics')}
        figure={<AnimatedNumber value={limits.statisticsBytes.used} format={format.size} />}
        share={shareOf(limits.statisticsBytes)}
        note={t('dashboard:cards.statisticsNote', { limit: format.size(limits.statisticsBytes.limit) })}
      />
      <FigureCard
        label={t('dashboard:cards.subscription')}
        figure={namePlan(t, limits.plan)}
        note={t('dashboard:cards.subscriptionNote', { date: format.date(limits.expiresAt) })}
        to={paths.pricing}
      />
    </>
  )
}

interface FigureCardProps {
  label: string
  figure: ReactNode
  /** The limit or the parts of the figure. */
  note?: string
  /** Says that the figure may change. */
  mark?: ReactNode
  /** The share of the limit, 0 to 1. */
  share?: number
  /** The page that lists the counted items. */
  to?: string
}

/** One figure of the dashboard. */
function FigureCard({ label, figure, note, mark, share, to }: FigureCardProps) {
  const body = (
    <>
      <span className={styles.label}>{label}</span>
      <span className={styles.figure} data-name={typeof figure === 'string' || undefined}>
        {figure}
      </span>
      {share !== undefined && (
        <Progress
          value={Math.min(100, share * 100)}
          size={4}
          color={share >= 0.9 ? 'amber' : 'gray'}
          aria-label={label}
        />
      )}
      {note !== undefined && <span className={styles.note}>{note}</span>}
      {mark}
    </>
  )
  if (to === undefined) return <div className={styles.card}>{body}</div>
  return (
    <Link to={to} className={styles.card} data-link>
      {body}
    </Link>
  )
}
