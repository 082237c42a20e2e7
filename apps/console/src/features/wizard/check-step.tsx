import { Button, SimpleGrid, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconArrowsShuffle } from '@tabler/icons-react'
import { useContext } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { Panel } from '../../ui/panel.tsx'
import { BlockSize } from './block-size.tsx'
import { RenderDayContext } from './render-day.ts'
import type { NameErrors } from './use-finish.ts'
import type { ShownDay } from './use-plan.ts'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface CheckStepProps {
  draft: WizardDraft
  shown: ShownDay | null
  /** The draft has refusals: no day will come. */
  isRefused: boolean
  nameErrors: NameErrors
  change: (change: DraftChange) => void
}

/** The last step: the playlist's name, block sizes, and the day planned from them. */
export function CheckStep({ draft, shown, isRefused, nameErrors, change }: CheckStepProps) {
  const { t } = useTranslate()
  const renderDay = useContext(RenderDayContext)
  return (
    <Stack gap="md">
      <NameFieldsPanel draft={draft} nameErrors={nameErrors} change={change} />
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

function NameFieldsPanel({
  draft,
  nameErrors,
  change,
}: Pick<CheckStepProps, 'draft' | 'nameErrors' | 'change'>) {
  const { t } = useTranslate()
  const format = useFormat()
  const used = (text: string) => format.number([...text.trim()].length)
  return (
    <Panel title={t('wizard:naming')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput
          id="wizard-name"
          label={t('name')}
          description={t('fields:nameHint', { used: used(draft.smartPlName) })}
          required
          autoComplete="off"
          value={draft.smartPlName}
          error={nameErrors.smartPlName}
          onChange={event => {
            const { value } = event.currentTarget
            change(now => ({ ...now, smartPlName: value }))
          }}
        />
        <Textarea
          label={t('description')}
          description={t('fields:descriptionHint', { used: used(draft.smartPlDescr) })}
          autosize
          minRows={1}
          maxRows={4}
          value={draft.smartPlDescr}
          error={nameErrors.smartPlDescr}
          onChange={event => {
            const { value } = event.currentTarget
            change(now => ({ ...now, smartPlDescr: value }))
          }}
        />
      </SimpleGrid>
    </Panel>
  )
}
