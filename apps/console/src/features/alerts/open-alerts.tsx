import type { AlertRow } from '@floorcast/contract/alerts.ts'
import { Button } from '@mantine/core'
import { IconUrgent } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { useMayChange } from '../../platform/session.ts'
import { useNow } from '../../platform/use-now.ts'
import { EndAlert } from './alert-dialogs.ts'
import { nameAlert, nameTarget } from './alert-words.ts'
import styles from './alerts.module.css'

/** Often enough for 'begun 4 minutes ago'. */
const tickMs = 15_000
/** More would push the page out of the window. */
const maxShown = 3

/** The alerts that are on, above every page, drills last: what, where, who began it and since when. */
export function OpenAlerts({ alerts }: { alerts: readonly AlertRow[] }) {
  const { t } = useTranslate()
  const [ending, setEnding] = useState<AlertRow | null>(null)
  const hidden = alerts.length - maxShown
  const realFirst = alerts.toSorted((one, other) => Number(one.isDrill) - Number(other.isDrill))
  return (
    <>
      {alerts.length > 0 && (
        <section className={styles.banner} aria-label={t('alerts:banner.label')}>
          {realFirst.slice(0, maxShown).map(alert => (
            <OpenAlert key={alert.uid} alert={alert} onEnd={() => setEnding(alert)} />
          ))}
          {hidden > 0 && (
            <Link to={`${paths.alerts}?state=open`} className={styles.more}>
              {t('alerts:banner.more', { count: hidden })}
            </Link>
          )}
        </section>
      )}
      {ending && <EndAlert alert={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function OpenAlert({ alert, onEnd }: { alert: AlertRow; onEnd: () => void }) {
  const { t } = useTranslate()
  const format = useFormat()
  const mayChange = useMayChange()
  const now = useNow(tickMs)
  const name = nameAlert(t, alert)
  const target = nameTarget(t, alert.target)
  return (
    <div
      className={styles.open}
      data-drill={alert.isDrill || undefined}
      role={alert.isDrill ? 'status' : 'alert'}
    >
      <IconUrgent size={24} aria-hidden className={styles.icon} />
      <div className={styles.what}>
        <strong>
          {name} · <bdi>{target}</bdi>
        </strong>
        <span>
          {t('alerts:banner.begun', {
            name: alert.beganBy ?? t('alerts:somebody'),
            time: format.relative(alert.beganAt, now),
            at: format.clock(alert.beganAt),
          })}
        </span>
      </div>
      <Button component={Link} to={paths.alert(alert.uid)} variant="white" size="xs">
        {t('alerts:banner.progress')}
      </Button>
      {mayChange && (
        <Button
          variant="white"
          size="xs"
          aria-label={t('alerts:endOf', { alert: name, target })}
          onClick={onEnd}
        >
          {t('alerts:end')}
        </Button>
      )}
    </div>
  )
}
