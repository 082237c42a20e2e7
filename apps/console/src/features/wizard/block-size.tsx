import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { Group, NumberInput, SegmentedControl, Slider, Stack, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { modeOf, timeOf, withMode, withTime, type DraftChange, type WizardDraft } from './wizard-draft.ts'

const MINUTE = 60
/** The range of the slider; the field beside it takes any length. */
const sliderMinutes = { min: 1, max: 60, step: 0.5 }

interface BlockSizeProps {
  kind: PlanKind
  draft: WizardDraft
  change: (change: DraftChange) => void
}

/** The length of the blocks of a kind: automatic, or set by hand. */
export function BlockSize({ kind, draft, change }: BlockSizeProps) {
  const { t } = useTranslate()
  const format = useFormat()
  const mode = modeOf(draft, kind)
  const seconds = timeOf(draft, kind)
  const minutes = seconds / MINUTE
  const label = t(`wizard:size.${kind}`)
  const length = format.span(seconds)
  return (
    <Stack gap="xs">
      <SegmentedControl
        fullWidth
        aria-label={label}
        value={mode}
        onChange={value => change(withMode(kind, value === 'manual' ? 'manual' : 'auto'))}
        data={[
          { value: 'auto', label: t('wizard:size.auto') },
          { value: 'manual', label: t('wizard:size.manual') },
        ]}
      />
      <Group gap="xs" wrap="nowrap">
        <Slider
          disabled={mode === 'auto'}
          me="xs"
          flex={1}
          {...sliderMinutes}
          label={null}
          thumbLabel={label}
          value={Math.min(sliderMinutes.max, minutes)}
          onChange={value => change(withTime(kind, value * MINUTE))}
        />
        <NumberInput
          disabled={mode === 'auto'}
          w={88}
          aria-label={t(`wizard:size.minutes.${kind}`)}
          value={minutes}
          min={0.1}
          max={1440}
          step={1}
          decimalScale={2}
          clampBehavior="none"
          onChange={value => {
            const wanted = typeof value === 'number' ? value * MINUTE : 0
            if (wanted !== seconds) change(withTime(kind, wanted))
          }}
        />
        <Text size="sm" c="dimmed" aria-hidden>
          {t('wizard:size.unit')}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {mode === 'auto'
          ? t(`wizard:size.autoHint.${kind}`, { length })
          : t('wizard:size.manualHint', { length })}
      </Text>
    </Stack>
  )
}
