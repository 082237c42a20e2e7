import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import help from 'virtual:help'
import { useLanguage } from './i18n.ts'
import { createStore, useStore } from './store.ts'
import { hasStrings, isRecord, oneOf } from './stored-shape.ts'

const settings = createStore<ConsoleSettings | null>(null)
let loading: Promise<void> | undefined

/** Fetches the settings of the installation. Without an answer the console works with fewer features. */
export function loadConsoleSettings(): Promise<void> {
  loading ??= fetchSettings().finally(() => (loading = undefined))
  return loading
}

async function fetchSettings(): Promise<void> {
  try {
    const answer = await fetch('/config.json')
    if (answer.ok) settings.set(readSettings(await answer.json()))
  } catch {
    // Without a network the pages show their own errors.
  }
}

function readSettings(body: unknown): ConsoleSettings | null {
  if (!isRecord(body) || !hasStrings(body, ['version', 'logsBase', 'manualBase'])) return null
  const { supportEmail, supportBot, termsUrl, registration, sendsMail }: Record<string, unknown> = body
  const { version, logsBase, manualBase } = body
  return {
    version,
    logsBase,
    manualBase,
    termsUrl: typeof termsUrl === 'string' ? termsUrl : null,
    supportEmail: typeof supportEmail === 'string' ? supportEmail : null,
    supportBot: typeof supportBot === 'string' ? supportBot : null,
    registration: oneOf(registration, ['open', 'closed'], 'open'),
    sendsMail: sendsMail === true,
  }
}

/** The settings of the installation; null until they are known. */
export function useConsoleSettings(): ConsoleSettings | null {
  return useStore(settings)
}

/** The host of the `/device/logs` calls (LOGS_URL); empty for the page's own. */
export async function readLogsBase(): Promise<string> {
  if (!settings.get()) await loadConsoleSettings()
  return settings.get()?.logsBase ?? ''
}

/** The page of the manual that explains a route of the console, in the chosen language; its list of pages without a route. */
export function useManualAddress(route?: string): string {
  const { language } = useLanguage()
  const base = useConsoleSettings()?.manualBase ?? ''
  const code = help.languages.includes(language.code) ? language.code : 'en'
  const slug = route === undefined ? '' : (help.slugs[route.replace('/:uid', '')] ?? '')
  return `${base || '/manual'}/${code}/${slug}`
}
