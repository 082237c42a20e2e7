import { NativeSelect } from '@mantine/core'
import { changeLanguage, useLanguage, useWords } from '../../platform/i18n.ts'

/** The choice of language on /login: the browser's own list keeps the first load small. */
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
