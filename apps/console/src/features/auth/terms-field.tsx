import { Anchor, Checkbox } from '@mantine/core'
import { useConsoleSettings } from '../../platform/console-settings.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { paths } from '../../platform/paths.ts'

/** The agreement to the terms of use, with the link to them. @param field of the form's `getInputProps` */
export function TermsField({ field }: { field: object }) {
  const { t } = useTranslate()
  const termsUrl = useConsoleSettings()?.termsUrl ?? paths.terms
  const link = (
    <Anchor href={termsUrl} target="_blank" rel="noreferrer" inherit>
      {t('auth:readTerms')}
    </Anchor>
  )
  return <Checkbox label={t('auth:terms')} description={link} required {...field} />
}
