import help from 'virtual:help'
import { useConsoleSettings } from './console-settings.ts'
import { useLanguage } from './i18n.ts'

/** Makes the address of a page of the manual in the chosen language. @param pageIn the page's address in a language's manual */
function useManualPage(pageIn: (code: string) => string): string {
  const { language } = useLanguage()
  const base = useConsoleSettings()?.manualBase ?? ''
  const code = help.languages.includes(language.code) ? language.code : 'en'
  return `${base || '/manual'}/${code}/${pageIn(code)}`
}

/** The page of the manual that explains a route of the console; its list of pages without a route. */
export const useManualAddress = (route?: string): string =>
  useManualPage(() => (route === undefined ? '' : (help.slugs[route.replace('/:uid', '')] ?? '')))

/** The section of the manual about plays after a restore of the server. */
export const useRestoredHelp = (): string => useManualPage(code => help.restored[code] ?? '')
