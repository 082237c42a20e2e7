import { locales } from '@floorcast/locales/locales.ts'
import { Select, type SelectProps } from '@mantine/core'
import { useTranslate } from '../platform/i18n.ts'

/** The languages of the console, each by its own name. */
export function LanguageField(props: Omit<SelectProps, 'data'>) {
  const { t } = useTranslate()
  return (
    <Select
      label={t('language')}
      comboboxProps={{ withinPortal: false }}
      allowDeselect={false}
      data={locales.map(({ code, name }) => ({ value: code, label: name }))}
      {...props}
    />
  )
}
