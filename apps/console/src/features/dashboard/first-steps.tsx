import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { IconCircleCheckFilled, IconCircleDashed } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useWords } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { Panel } from '../../ui/panel.tsx'
import styles from './dashboard.module.css'

/** For a new client: the way from nothing to the first sound in a shop, with what is done already. */
export function FirstSteps({ metrics }: { metrics: QuickMetrics }) {
  const { t } = useWords()
  const steps = [
    { key: 'device', to: paths.devices, isDone: false },
    { key: 'media', to: paths.media('melodies'), isDone: metrics.media.items > 0 },
    { key: 'playlist', to: paths.playlists, isDone: false },
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
