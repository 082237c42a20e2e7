import { Textarea, TextInput } from '@mantine/core'
import { useTranslate } from '../../platform/i18n.ts'
import type { NameErrors } from './use-finish.ts'
import type { DraftChange, WizardDraft } from './wizard-draft.ts'
import styles from './wizard.module.css'

interface NameFieldsProps {
  draft: WizardDraft
  errors: NameErrors
  change: (change: DraftChange) => void
}

/** Name and description, beside the button that needs them. */
export function NameFields({ draft, errors, change }: NameFieldsProps) {
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
