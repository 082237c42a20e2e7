import type { Attention, Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Text } from '@mantine/core'
import { IconChevronRight, IconCircleCheckFilled } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'
import styles from './dashboard.module.css'

const tones: Record<Attention['about'], StatusTone> = {
  expired: 'down',
  linklost: 'down',
  linkdown: 'down',
  late: 'late',
  silent: 'late',
  missingFiles: 'late',
  shortAd: 'late',
  mediaStorage: 'late',
  statisticsStorage: 'late',
  expiring: 'late',
  deviceLimit: 'late',
}

/** The problems that need a person, the worst first, each with the list that it counts; or that there are none. */
export function NeedsAttention({ metrics }: { metrics: QuickMetrics }) {
  const { t } = useTranslate()
  const format = useFormat()
  const history = describeHistory(t, format, metrics)
  return (
    <Panel title={t('dashboard:attention.title')}>
      {metrics.attention.length + history.length === 0 && (
        <Text className={styles.calm}>
          <IconCircleCheckFilled size={20} aria-hidden />
          {t('dashboard:attention.nothing')}
        </Text>
      )}
      <ul className={styles.lines}>
        {metrics.attention.map(attention => (
          <li key={[attention.about, attention.reason, attention.leadsTo?.item?.uid].join()}>
            <Line
              tone={tones[attention.about]}
              to={addressOf(attention)}
              text={describe(t, format, { attention, limits: metrics.limits })}
            />
          </li>
        ))}
        {history.map(({ tone, text }) => (
          <li key={text}>
            <Line tone={tone} to={null} text={text} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Line({ tone, to, text }: { tone: StatusTone; to: string | null; text: string }) {
  const badge = <StatusBadge tone={tone}>{text}</StatusBadge>
  if (to === null) return <div className={styles.line}>{badge}</div>
  return (
    <Link to={to} className={styles.line}>
      {badge}
      <IconChevronRight size={16} className={`fc-points ${styles.more}`} aria-hidden />
    </Link>
  )
}

/** The list that a line counts. */
function addressOf({ about, leadsTo }: Attention): string | null {
  if (about === 'deviceLimit' || about === 'expiring' || about === 'expired') return paths.pricing
  if (!leadsTo) return null
  const { page, item, filter } = leadsTo
  if (page === 'publication' && !item) return null
  if (page === 'proof') return paths.report('proof', filter)
  const path = item && page === 'publication' ? paths.publication(item.uid) : paths.devices
  const query = new URLSearchParams(filter).toString()
  return query === '' ? path : `${path}?${query}`
}

/** A client is told a month before its statistics are full. */
const SOON_FULL_DAYS = 30

/** Warns about the client's history: when its storage will be full, and what is deleted next. */
function describeHistory(
  t: Translate,
  format: Format,
  { limits, attention }: Pick<QuickMetrics, 'limits' | 'attention'>,
): { tone: StatusTone; text: string }[] {
  const { statisticsBytes, statisticsDeletions } = limits
  const { used, limit, fullInDays: days } = statisticsBytes
  const isTold = attention.some(({ about }) => about === 'statisticsStorage')
  const lines: { tone: StatusTone; text: string }[] = []
  if (days !== null && days > 0 && days <= SOON_FULL_DAYS && !isTold) {
    const sizes = { used: format.size(used), limit: format.size(limit) }
    lines.push({ tone: 'late', text: t('dashboard:attention.fullIn', { count: days, ...sizes }) })
  }
  for (const deletion of statisticsDeletions) {
    const dates = { from: format.day(deletion.from), before: format.day(deletion.before) }
    lines.push({ tone: 'waiting', text: t(`dashboard:attention.deletion.${deletion.reason}`, dates) })
  }
  return lines
}

interface Told {
  attention: Attention
  limits: Limits
}

function describe(t: Translate, format: Format, { attention, limits }: Told): string {
  const { about, count, reason, leadsTo, unreportedSeconds } = attention
  const date = format.date(limits.expiresAt)
  const storage = ({ used, limit }: { used: number; limit: number }) => ({
    share: format.percent(count / 100),
    used: format.size(used),
    limit: format.size(limit),
  })
  switch (about) {
    case 'expired':
      return t('dashboard:attention.expired', { date })
    case 'expiring':
      return t('dashboard:attention.expiring', { count, date })
    case 'linklost':
      return t('dashboard:attention.linklost', { count })
    case 'linkdown':
      return t('dashboard:attention.linkdown', { count })
    case 'late':
      return t('dashboard:attention.late', { count, time: format.minutes(unreportedSeconds ?? 0) })
    case 'silent':
      return t('dashboard:attention.silent', {
        count,
        reason: t(`activity:silentReasons.${reason ?? 'unknown'}`),
      })
    case 'missingFiles':
      return t('dashboard:attention.missingFiles', { count, publication: leadsTo?.item?.name ?? '–' })
    case 'shortAd':
      return t('dashboard:attention.shortAd', {
        count,
        ad: leadsTo?.item?.name ?? '–',
        day: format.shortUtcDay(leadsTo?.filter['from'] ?? ''),
      })
    case 'mediaStorage':
      return t('dashboard:attention.mediaStorage', storage(limits.mediaBytes))
    case 'statisticsStorage':
      return t('dashboard:attention.statisticsStorage', storage(limits.statisticsBytes))
    case 'deviceLimit':
      return t('dashboard:attention.deviceLimit', { limit: format.number(limits.devices.limit) })
  }
}
