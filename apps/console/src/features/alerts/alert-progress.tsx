import { AlertDeviceState, type AlertCard } from '@floorcast/contract/alert-devices.ts'
import { Progress, Text, UnstyledButton } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { nameDeviceState, stateTones } from './alert-words.ts'
import styles from './alerts.module.css'

interface AlertProgressProps {
  alert: AlertCard
  /** The state that the list below is filtered by. */
  chosen: AlertDeviceState | null
  choose: (state: AlertDeviceState | null) => void
}

/** In the order in which a device passes them. */
const shown = ['sounding', 'received', 'not-reached', 'failed', 'ended'] as const
/** The states that the bar shows, with their colors. */
const bar = [
  ['ended', 'gray'],
  ['sounding', 'green'],
  ['received', 'amber'],
  ['failed', 'red'],
] as const

/** How many devices have received, played and ended it; a number filters the list of devices. */
export function AlertProgress({ alert, chosen, choose }: AlertProgressProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { devices } = alert
  const total = AlertDeviceState.options.reduce((sum, state) => sum + devices[state], 0)
  const hasEnded = alert.endedAt !== null
  const name = (state: AlertDeviceState) => nameDeviceState(t, state, hasEnded)
  return (
    <Panel title={t('alerts:progressTitle')}>
      <Text mb="xs">
        {t('alerts:soundedOn', { sounded: format.number(alert.soundedCount), count: total })}
      </Text>
      <Progress.Root size="lg">
        {bar.map(([state, color]) => (
          <Progress.Section
            key={state}
            value={total === 0 ? 0 : (devices[state] / total) * 100}
            color={color}
            aria-label={name(state)}
          />
        ))}
      </Progress.Root>
      <ul className={styles.counts}>
        {shown.map(state => (
          <li key={state}>
            <UnstyledButton
              className={styles.count}
              aria-pressed={chosen === state}
              onClick={() => choose(chosen === state ? null : state)}
            >
              <span className={styles.countNumber}>
                <AnimatedNumber value={devices[state]} format={count => format.number(Math.round(count))} />
              </span>
              <StatusBadge tone={devices[state] === 0 ? 'none' : stateTones[state]}>
                {name(state)}
              </StatusBadge>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
