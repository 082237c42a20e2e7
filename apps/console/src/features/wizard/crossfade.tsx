import { NumberInput, Text } from '@mantine/core'
import { useFormat } from '../../platform/format.ts'
import { useWords } from '../../platform/i18n.ts'
import { limits } from './limits.ts'
import { noCrossfade, type DraftChange, type WizardDraft } from './wizard-draft.ts'

interface CrossfadeProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
}

/** Seconds in which one background track fades into the next. */
export function Crossfade({ draft, change }: CrossfadeProps) {
  const { t } = useWords()
  const format = useFormat()
  const { crossfade, melList } = draft
  const isEmpty = crossfade === noCrossfade
  // The planner's own rule: no three tracks sound at once.
  const most = melList.reduce((least, { duration }) => Math.min(least, duration / 2), Infinity)
  return (
    <>
      <NumberInput
        mt="md"
        maw={240}
        label={t('playlists:crossfadeSeconds')}
        description={t('playlists:crossfadeHint')}
        {...limits.crossfade}
        step={0.5}
        decimalScale={1}
        allowNegative={false}
        clampBehavior="none"
        error={isEmpty || crossfade > limits.crossfade.max}
        value={isEmpty ? '' : crossfade}
        onChange={value => {
          const wanted = typeof value === 'number' ? value : noCrossfade
          if (wanted !== crossfade) change(now => ({ ...now, crossfade: wanted }))
        }}
      />
      {crossfade > most && (
        <Text size="sm" c="dimmed" mt={4} role="status">
          {t('wizard:crossfadeLess', { seconds: format.number(most, 1) })}
        </Text>
      )}
    </>
  )
}
