import help from 'virtual:help'
import { useConsoleSettings } from './console-settings.ts'
import { useLanguage } from './i18n.ts'

/** The page of the manual that explains a route of the console, in the chosen language; its list of pages without a route. */
export function useManualAddress(route?: string): string {
  const { language } = useLanguage()
  const base = useConsoleSettings()?.manualBase ?? ''
  const code = help.languages.includes(language.code) ? language.code : 'en'
  const slug = route === undefined ? '' : (help.slugs[route.replace('/:uid', '')] ?? '')
  return `${base || '/manual'}/${code}/${slug}`
}
