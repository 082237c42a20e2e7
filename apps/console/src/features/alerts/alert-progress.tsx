import { AlertDeviceState, type AlertCard } from '@floorcast/contract/alert-devices.ts'
import { Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { StateCounts } from '../../ui/state-counts.tsx'
import { nameDeviceState, stateTones } from './alert-words.ts'

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
  return (
    <Panel title={t('alerts:progressTitle')}>
      <Text mb="xs">
        {t('alerts:soundedOn', { sounded: format.number(alert.soundedCount), count: total })}
      </Text>
      <StateCounts
        counts={devices}
        total={total}
        bar={bar}
        states={shown}
        tones={stateTones}
        name={state => nameDeviceState(t, state, alert.endedAt !== null)}
        chosen={chosen}
        choose={choose}
      />
    </Panel>
  )
}
