import { HoldingState, type Readiness } from '@floorcast/contract/publications.ts'
import { Progress, Text, UnstyledButton } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { AnimatedNumber } from '../../ui/animated-number.tsx'
import { Panel } from '../../ui/panel.tsx'
import { StatusBadge, type StatusTone } from '../../ui/status-badge.tsx'
import { describeReadiness } from './publication-readiness.ts'
import styles from './publications.module.css'

const tones: Record<HoldingState, StatusTone> = { missing: 'late', neverReported: 'none', holding: 'good' }

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
  const { devices, holding, missing } = readiness
  const share = (count: number) => (count / devices) * 100
  return (
    <Panel title={t('publications:readiness')}>
      <Text mb="xs">{describeReadiness({ t, format }, readiness)}</Text>
      <Progress.Root size="lg">
        <Progress.Section
          value={share(holding)}
          color="green"
          aria-label={t('publications:holding.holding')}
        />
        <Progress.Section
          value={share(missing)}
          color="amber"
          aria-label={t('publications:holding.missing')}
        />
      </Progress.Root>
      <ul className={styles.counts}>
        {HoldingState.options.map(state => (
          <li key={state}>
            <UnstyledButton
              className={styles.count}
              aria-pressed={chosen === state}
              onClick={() => choose(chosen === state ? null : state)}
            >
              <span className={styles.countNumber}>
                <AnimatedNumber value={readiness[state]} format={count => format.number(Math.round(count))} />
              </span>
              <StatusBadge tone={readiness[state] === 0 ? 'none' : tones[state]}>
                {t(`publications:holding.${state}`)}
              </StatusBadge>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
