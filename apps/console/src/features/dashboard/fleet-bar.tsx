import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import { Link } from 'react-router'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { Panel } from '../../ui/panel.tsx'
import styles from './dashboard.module.css'

const states: readonly { key: keyof QuickMetrics['devices'] & StateKey; filter: string }[] = [
  { key: 'playing', filter: 'silent=none' },
  { key: 'silent', filter: 'silent=any' },
  { key: 'late', filter: 'connectivity=late' },
  { key: 'linkdown', filter: 'connectivity=linkdown' },
  { key: 'linklost', filter: 'connectivity=linklost' },
  { key: 'neverup', filter: 'connectivity=neverup' },
]
type StateKey = 'playing' | 'silent' | 'late' | 'linkdown' | 'linklost' | 'neverup'

/** All devices by state in one bar; each part leads to its devices. */
export function FleetBar({ metrics }: { metrics: QuickMetrics }) {
  const { t } = useTranslate()
  const format = useFormat()
  const { devices } = metrics
  const unavailable = devices.linkdown + devices.linklost
  const total = devices.online + unavailable + devices.neverup
  return (
    <Panel
      title={t('dashboard:fleet.title')}
      end={
        <span className={styles.totals}>
          <Total filter="online" label={t('dashboard:cards.active')} count={devices.online} />
          <Total filter="linkdown,linklost" label={t('dashboard:cards.unavailable')} count={unavailable} />
        </span>
      }
    >
      <div className={styles.fleet} aria-hidden>
        {states.map(({ key }) =>
          devices[key] > 0 ? (
            <Link
              key={key}
              to={addressOf(key)}
              tabIndex={-1}
              data-state={key}
              style={{ flexGrow: devices[key] }}
              title={t('labeled', { label: t(`dashboard:fleet.${key}`), value: format.number(devices[key]) })}
            />
          ) : null,
        )}
      </div>
      <ul className={styles.fleetKeys}>
        {states.map(({ key }) => (
          <li key={key}>
            <Link to={addressOf(key)} className={styles.fleetKey}>
              <i data-state={key} aria-hidden />
              {t(`dashboard:fleet.${key}`)}
              <b>{format.number(devices[key])}</b>
              <small>{total > 0 && format.percent(devices[key] / total)}</small>
            </Link>
          </li>
        ))}
      </ul>
      {metrics.silent.length > 0 && (
        <p className={styles.reasons}>
          {t('dashboard:fleet.because')}
          {sentenceGap()}
          {metrics.silent.map(({ reason, devices: count }) => (
            <Link key={reason} to={`${paths.devices}?silent=${reason}`} className={styles.reason}>
              {t(`activity:silentReasons.${reason}`)} <b>{format.number(count)}</b>
            </Link>
          ))}
        </p>
      )}
    </Panel>
  )
}

/** A sum of parts of the bar, which the system state of docs/specification.md#2-screens-and-routes has. */
function Total({ filter, label, count }: { filter: string; label: string; count: number }) {
  const format = useFormat()
  return (
    <Link to={`${paths.devices}?connectivity=${filter}`} className={styles.reason}>
      {label} <b>{format.number(count)}</b>
    </Link>
  )
}

const addressOf = (key: StateKey) => `${paths.devices}?${states.find(state => state.key === key)?.filter}`
