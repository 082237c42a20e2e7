import { NativeSelect } from '@mantine/core'
import { changeLanguage, useLanguage, useWords } from '../../platform/i18n.ts'

/** The door's choice of language: the browser's own list, so that the first look at /login stays light. */
export function LanguageSelect() {
  const { t } = useWords()
  const { language, available } = useLanguage()
  return (
    <NativeSelect
      aria-label={t('language')}
      value={language.code}
      data={available.map(({ code, name }) => ({ value: code, label: name }))}
      onChange={event => {
        const chosen = available.find(({ code }) => code === event.currentTarget.value)
        if (chosen) void changeLanguage(chosen.code)
      }}
    />
  )
}
