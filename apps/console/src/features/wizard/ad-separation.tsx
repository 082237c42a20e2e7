import { Box, Group, NumberInput, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { emptySeconds, limits, type DraftChange, type WizardDraft } from './wizard-draft.ts'

const units = { seconds: 1, minutes: 60 } as const
type Unit = keyof typeof units

/** Whole minutes are shown as minutes. */
const unitOf = (seconds: number): Unit => (seconds > 0 && seconds % 60 === 0 ? 'minutes' : 'seconds')

interface AdSeparationProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
}

/** The minimum ad separation, in seconds or minutes; 0 for none. */
export function AdSeparation({ draft, change }: AdSeparationProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const { minAdGap } = draft
  const [unit, setUnit] = useState<Unit>(() => unitOf(minAdGap))
  const isEmpty = minAdGap === emptySeconds
  const { min, max } = limits.minAdGap
  return (
    <Box mt="md">
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <NumberInput
          flex={1}
          label={t('wizard:separation.label')}
          min={min}
          max={max / units[unit]}
          step={unit === 'minutes' ? 1 : 10}
          decimalScale={unit === 'minutes' ? 2 : 0}
          allowNegative={false}
          clampBehavior="none"
          error={isEmpty || minAdGap > max}
          value={isEmpty ? '' : minAdGap / units[unit]}
          onChange={value => {
            const wanted = typeof value === 'number' ? value * units[unit] : emptySeconds
            if (wanted !== minAdGap) change(now => ({ ...now, minAdGap: wanted }))
          }}
        />
        <SegmentedControl
          aria-label={t('wizard:separation.unit')}
          value={unit}
          onChange={value => setUnit(value === 'minutes' ? 'minutes' : 'seconds')}
          data={[
            { value: 'seconds', label: t('wizard:separation.seconds') },
            { value: 'minutes', label: t('wizard:separation.minutes') },
          ]}
        />
      </Group>
      <Text size="sm" c="dimmed" mt={4}>
        {minAdGap > 0
          ? t('wizard:separation.hint', { time: format.span(minAdGap) })
          : t('wizard:separation.none')}
      </Text>
    </Box>
  )
}
