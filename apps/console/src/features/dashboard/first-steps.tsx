import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Panel } from '../../ui/panel.tsx'
import { playlistCountQuery } from './dashboard-data.ts'
import styles from './dashboard.module.css'

/** For a new client: the way from nothing to the first sound in a shop, with what is done already. */
export function FirstSteps({ metrics, limits }: { metrics: QuickMetrics; limits: Limits }) {
  const { t } = useWords()
  const playlists = useQuery(playlistCountQuery())
  const steps = [
    { key: 'device', to: paths.devices, isDone: limits.devices.used > 0 },
    { key: 'media', to: paths.media('melodies'), isDone: metrics.media.items > 0 },
    { key: 'playlist', to: paths.playlists, isDone: (playlists.data ?? 0) > 0 },
    { key: 'publication', to: paths.publications, isDone: metrics.publications.active > 0 },
  ] as const
  return (
    <Panel title={t('dashboard:first.title')}>
      <ol className={styles.steps}>
        {steps.map(step => (
          <li key={step.key}>
            <Link to={step.to} className={styles.step} data-done={step.isDone || undefined}>
              {step.isDone ? (
                <IconCircleCheckFilled size={20} aria-hidden />
              ) : (
                <IconCircleDashed size={20} aria-hidden />
              )}
              {t(`dashboard:first.${step.key}`)}
            </Link>
          </li>
        ))}
      </ol>
    </Panel>
  )
}
