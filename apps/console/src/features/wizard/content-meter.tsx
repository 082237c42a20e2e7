import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { listOf, secondsOf, timeOf, type WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface ContentMeterProps {
  kind: PlanKind
  draft: WizardDraft
  /** Seconds that the day has room for; null until it is known. */
  air: number | null
}

/** What was chosen against what one block takes and what the day has room for. */
export function ContentMeter({ kind, draft, air }: ContentMeterProps) {
  const { t } = useWords()
  const format = useFormat()
  const tracks = listOf(draft, kind)
  const content = useMemo(() => secondsOf(tracks), [tracks])
  const block = timeOf(draft, kind)
  const isBeyond = air !== null && content > air
  return (
    <div className={styles.meter}>
      <Text fw={600} className="fc-figures" role="status">
        {t(`wizard:content.${kind}`, { count: tracks.length, time: format.duration(content) })}
      </Text>
      <div className={styles.gauge} aria-hidden data-beyond={isBeyond || undefined}>
        <span style={{ inlineSize: `${Math.min(100, air ? (content / air) * 100 : 0)}%` }} />
      </div>
      <Text size="sm" c="dimmed" className="fc-figures">
        {air === null
          ? t('wizard:needsBlock', { block: format.duration(block) })
          : air === 0
            ? t(`wizard:noRoom.${kind}`)
            : t('wizard:needs', { block: format.duration(block), air: format.duration(air) })}
      </Text>
    </div>
  )
}
