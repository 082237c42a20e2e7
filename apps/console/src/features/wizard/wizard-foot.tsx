import { Button, Group, Progress, Text, Textarea, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ImportRefused } from './import-refused.tsx'
import type { FinishControl, NameErrors } from './use-finish.ts'
import type { StepControl } from './use-steps.ts'
import { holdsTracks, steps, withType, type DraftChange, type WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface WizardFootProps {
  draft: WizardDraft
  change: (change: DraftChange) => void
  stepControl: StepControl
  finishControl: FinishControl
  startOver: () => void
  /** The findings that stop Next and Finish. */
  refusals: ReactNode
  /** The button that leaves the wizard. */
  cancel: ReactNode
}

type Reset = 'type' | 'draft'

/**
 * The foot: the findings, the playlist's name at the last step, and the buttons: cancel, previous, next, finish; start over and
 * change the type, confirmed when chosen tracks would be lost.
 */
export function WizardFoot(props: WizardFootProps) {
  const { draft, change, stepControl, finishControl, startOver, refusals, cancel } = props
  const { progress, failure, nameErrors, clearFailure } = finishControl
  const { t } = useTranslate()
  const [confirming, setConfirming] = useState<Reset | null>(null)
  const other = draft.playlistType === 'audio-smart' ? 'video' : 'audio'
  const run = (reset: Reset) => (reset === 'draft' ? startOver() : change(withType(`${other}-smart`)))
  const begin = (reset: Reset) => (holdsTracks(draft) ? setConfirming(reset) : run(reset))
  return (
    <footer className={styles.foot}>
      {refusals}
      {failure !== null && (
        <ImportRefused failure={failure} draft={draft} change={change} onUpdated={clearFailure} />
      )}
      {progress === null && draft.step === 'check' && (
        <NameFields draft={draft} errors={nameErrors} change={change} />
      )}
      {progress === null && (
        <Group gap="xs" className={styles.kind}>
          <Text size="sm" c="dimmed">
            {t('wizard:typeIs', { type: t(`kinds.${other === 'video' ? 'audio' : 'video'}`) })}
          </Text>
          <Button variant="subtle" color="gray" onClick={() => begin('draft')}>
            {t('wizard:startOver')}
          </Button>
          <Button variant="subtle" color="gray" onClick={() => begin('type')}>
            {t(`wizard:changeTo.${other}`)}
          </Button>
        </Group>
      )}
      {progress === null ? (
        <Group gap="xs">
          {cancel}
          <Buttons draft={draft} stepControl={stepControl} finishControl={finishControl} />
        </Group>
      ) : (
        <Sending finishControl={finishControl} />
      )}
      {confirming && (
        <ConfirmDialog
          isOpen
          title={t(confirming === 'draft' ? 'wizard:confirm.startOverTitle' : 'wizard:confirm.typeTitle')}
          confirmLabel={t(confirming === 'draft' ? 'wizard:startOver' : `wizard:changeTo.${other}`)}
          isDanger
          onConfirm={async () => run(confirming)}
          onClose={() => setConfirming(null)}
        >
          {t('wizard:confirm.text', { count: draft.adsList.length + draft.melList.length })}
        </ConfirmDialog>
      )}
    </footer>
  )
}

function Buttons({
  draft,
  stepControl,
  finishControl,
}: Pick<WizardFootProps, 'draft' | 'stepControl' | 'finishControl'>) {
  const { t } = useTranslate()
  const index = draft.step === null ? 0 : steps.indexOf(draft.step)
  const [previous, next] = [steps[index - 1], steps[index + 1]]
  return (
    <>
      {previous && (
        <Button variant="default" onClick={() => void stepControl.go(previous)}>
          {t('wizard:previous')}
        </Button>
      )}
      {next ? (
        <Button onClick={() => void stepControl.go(next)}>{t('wizard:next')}</Button>
      ) : (
        <Button onClick={() => void finishControl.finish()}>{t('wizard:finish')}</Button>
      )}
    </>
  )
}

/** Progress of the upload. */
function Sending({ finishControl }: Pick<WizardFootProps, 'finishControl'>) {
  const { t } = useTranslate()
  const format = useFormat()
  const share = finishControl.progress ?? 0
  return (
    <>
      <div className={styles.sending}>
        <Progress value={share * 100} aria-label={t('wizard:sending')} />
        <Text size="sm" c="dimmed" className="fc-figures">
          {share < 1 ? t('wizard:sendingShare', { share: format.percent(share) }) : t('wizard:creating')}
        </Text>
      </div>
      {share < 1 && (
        <Button variant="default" onClick={finishControl.cancel}>
          {t('cancel')}
        </Button>
      )}
    </>
  )
}

interface NameFieldsProps {
  draft: WizardDraft
  errors: NameErrors
  change: (change: DraftChange) => void
}

/** Name and description, beside the button that needs them. */
function NameFields({ draft, errors, change }: NameFieldsProps) {
  const { t } = useTranslate()
  return (
    <div className={styles.names}>
      <TextInput
        id="wizard-name"
        label={t('name')}
        required
        autoComplete="off"
        value={draft.smartPlName}
        error={errors.smartPlName}
        onChange={event => {
          const { value } = event.currentTarget
          change(now => ({ ...now, smartPlName: value }))
        }}
      />
      <Textarea
        id="wizard-description"
        label={t('description')}
        placeholder={t('fields:descriptionHint', { used: '0' })}
        autosize
        minRows={1}
        maxRows={2}
        value={draft.smartPlDescr}
        error={errors.smartPlDescr}
        onChange={event => {
          const { value } = event.currentTarget
          change(now => ({ ...now, smartPlDescr: value }))
        }}
      />
    </div>
  )
}
