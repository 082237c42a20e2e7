import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowsShuffle } from '@tabler/icons-react'
import { useContext } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { BlockSize } from './block-size.tsx'
import { RenderDayContext } from './render-day.ts'
import type { ShownDay } from './use-plan.ts'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface CheckStepProps {
  draft: WizardDraft
  shown: ShownDay | null
  /** The draft has refusals: no day will come. */
  isRefused: boolean
  change: (change: DraftChange) => void
}

/** The last step: block sizes, and the day planned from them. The foot asks for the name. */
export function CheckStep({ draft, shown, isRefused, change }: CheckStepProps) {
  const { t } = useTranslate()
  const renderDay = useContext(RenderDayContext)
  return (
    <Stack gap="md">
      <Panel
        title={t('wizard:size.title')}
        end={
          <Button
            variant="default"
            leftSection={<IconArrowsShuffle size={16} aria-hidden />}
            onClick={() => change(now => ({ ...now, seed: now.seed + 1 }))}
          >
            {t('wizard:shuffle')}
          </Button>
        }
      >
        <div className={styles.sizes}>
          {(['ad', 'melody'] as const).map(kind => (
            <div key={kind}>
              <Text className={styles.sizeLabel}>{t(`wizard:size.${kind}`)}</Text>
              <BlockSize kind={kind} draft={draft} change={change} />
            </div>
          ))}
        </div>
      </Panel>
      {shown &&
        renderDay({
          ...shown,
          isVideo: draft.playlistType === 'video-smart',
          minAdGap: Math.max(0, draft.minAdGap),
        })}
      {!shown && !isRefused && <Skeleton height={200} aria-busy />}
    </Stack>
  )
}
