import { locales } from '@floorcast/contract/locales.ts'
import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { useTranslate } from '../platform/i18n.ts'

/** The languages of the console, each by its own name. The browser's own list: Mantine's takes 28 kB of script. */
export function LanguageField({ value, ...props }: Omit<NativeSelectProps, 'data'>) {
  const { t } = useTranslate()
  // Null until it is known.
  const unknown = value ? [] : [{ value: '', label: '' }]
  return (
    <NativeSelect
      label={t('language')}
      data={[...unknown, ...locales.map(({ code, name }) => ({ value: code, label: name }))]}
      value={value ?? ''}
      {...props}
    />
  )
}
