import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Anchor, Text } from '@mantine/core'
import { IconChevronRight, IconCircleCheckFilled } from '@tabler/icons-react'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { useFormat, type Format } from '../../platform/format.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useNow } from '../../platform/use-now.ts'
import { ConnectivityBadge } from '../../ui/connectivity-badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'
import { findAttention, type Attention } from './attention.ts'
import styles from './dashboard.module.css'

const minuteMs = 60_000

const tones: Record<Attention['about'], StatusTone> = {
  expired: 'down',
  expiring: 'late',
  down: 'down',
  storage: 'late',
  deviceLimit: 'late',
  delayed: 'waiting',
}

/** The problems that need attention, or a message that there are none. */
export function NeedsAttention({ metrics, limits }: { metrics: QuickMetrics; limits: Limits }) {
  const { t } = useTranslate()
  const format = useFormat()
  const nowMs = useNow(minuteMs)
  const found = findAttention(metrics, limits, nowMs)
  return (
    <Panel title={t('dashboard:attention.title')}>
      {found.length === 0 && (
        <Text className={styles.calm}>
          <IconCircleCheckFilled size={20} aria-hidden />
          {t('dashboard:attention.nothing')}
        </Text>
      )}
      <ul className={styles.lines}>
        {found.map(attention => (
          <Fragment key={attention.about}>
            <li className={styles.line}>
              <StatusBadge tone={tones[attention.about]}>{describe(t, format, attention)}</StatusBadge>
              {attention.about === 'down' && (
                <Anchor
                  component={Link}
                  to={`${paths.devices}?connectivity=linkdown`}
                  size="sm"
                  className={styles.more}
                >
                  {t('dashboard:attention.showDown')}
                </Anchor>
              )}
            </li>
            {attention.about === 'down' &&
              metrics.down.map(device => <DownDevice key={device.uid} device={device} nowMs={nowMs} />)}
          </Fragment>
        ))}
      </ul>
    </Panel>
  )
}

function DownDevice({ device, nowMs }: { device: QuickMetrics['down'][number]; nowMs: number }) {
  const format = useFormat()
  return (
    <li className={styles.line}>
      <Link to={paths.device(device.uid)} className={styles.downDevice}>
        <span className={styles.deviceName}>{device.name}</span>
        <ConnectivityBadge state={device.connectivity} />
        <span className={styles.when}>
          {device.lastContactAt && format.relative(device.lastContactAt, nowMs)}
        </span>
        <IconChevronRight size={16} className="fc-points" aria-hidden />
      </Link>
    </li>
  )
}

function describe(t: Translate, format: Format, attention: Attention): string {
  switch (attention.about) {
    case 'expired':
      return t('dashboard:attention.expired', { date: format.date(attention.expiresAt) })
    case 'expiring':
      return t('dashboard:attention.expiring', {
        count: attention.days,
        date: format.date(attention.expiresAt),
      })
    case 'down':
      return t('dashboard:attention.down', { count: attention.count })
    case 'storage':
      return t('dashboard:attention.storage', {
        share: format.percent(attention.share),
        used: format.size(attention.used),
        limit: format.size(attention.limit),
      })
    case 'deviceLimit':
      return t('dashboard:attention.deviceLimit', { limit: format.number(attention.limit) })
    case 'delayed':
      return t('dashboard:attention.delayed', { count: attention.count })
  }
}
