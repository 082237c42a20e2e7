import { findLanguage, type LocaleCode } from '@floorcast/contract/locales.ts'
import { currentTranslate, showLanguage } from './i18n.ts'
import { toast } from './toasts.ts'

/** Changes and stores the language. Says so if its texts could not be loaded. */
export async function changeLanguage(code: LocaleCode): Promise<void> {
  if (await showLanguage(code)) return
  void toast('danger', currentTranslate().t('languageNotLoaded', { name: findLanguage(code).name }))
}
