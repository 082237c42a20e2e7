import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { createStore, useStore } from './store.ts'
import { hasStrings, isRecord, oneOf } from './stored-shape.ts'

/** The settings of the installation; null until they are known. */
export const consoleSettings = createStore<ConsoleSettings | null>(null)
let loading: Promise<void> | undefined

/** Fetches the settings of the installation. Without an answer the console works with fewer features. */
export function loadConsoleSettings(): Promise<void> {
  loading ??= fetchSettings().finally(() => (loading = undefined))
  return loading
}

async function fetchSettings(): Promise<void> {
  try {
    const answer = await fetch('/config.json')
    if (answer.ok) consoleSettings.set(readSettings(await answer.json()))
  } catch {
    // Without a network the pages show their own errors.
  }
}

function readSettings(body: unknown): ConsoleSettings | null {
  if (!isRecord(body) || !hasStrings(body, ['version', 'apiBase', 'logsBase', 'manualBase'])) return null
  const { commit, supportEmail, supportBot, termsUrl, registration, sendsMail }: Record<string, unknown> =
    body
  const { version, apiBase, logsBase, manualBase } = body
  return {
    version,
    commit: typeof commit === 'string' ? commit : null,
    apiBase,
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
  return useStore(consoleSettings)
}
