import { HoldingState, type Readiness } from '@floorcast/contract/publications.ts'
import { Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { StateCounts } from '../../ui/state-counts.tsx'
import type { StatusTone } from '../../ui/status-badge.tsx'
import { describeReadiness } from './publication-readiness.ts'

const tones: Record<HoldingState, StatusTone> = { missing: 'late', neverReported: 'none', holding: 'good' }
const bar = [
  ['holding', 'green'],
  ['missing', 'amber'],
] as const

interface ReadinessPanelProps {
  readiness: Readiness
  /** The state that the list below is filtered by. */
  chosen: HoldingState | null
  choose: (state: HoldingState | null) => void
}

/** The readiness as a bar and as counts; a count filters the list of devices by its state. */
export function ReadinessPanel({ readiness, chosen, choose }: ReadinessPanelProps) {
  const { t } = useTranslate()
  const format = useFormat()
  return (
    <Panel title={t('publications:readiness')}>
      <Text mb="xs">{describeReadiness({ t, format }, readiness)}</Text>
      <StateCounts
        counts={readiness}
        total={readiness.devices}
        bar={bar}
        states={HoldingState.options}
        tones={tones}
        name={state => t(`publications:holding.${state}`)}
        chosen={chosen}
        choose={choose}
      />
    </Panel>
  )
}
