import type { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { writeStored } from './storage.ts'
import { createStore, useStore } from './store.ts'
import { hasStrings, isRecord, oneOf } from './stored-shape.ts'

declare global {
  interface Window {
    /** The answer with the settings, if one came; `boot.js` asked for it before this file had come. */
    floorcastSettings?: Promise<Response | undefined> | undefined
  }
}

/** Where the calls went at last: `boot.js` sends the first one there. */
export const apiBaseKey = 'floorcast.apiBase'

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
    const early = await window.floorcastSettings
    delete window.floorcastSettings
    const answer = early ?? (await fetch('/config.json'))
    if (answer.ok) consoleSettings.set(readSettings(await answer.json()))
    const apiBase = consoleSettings.get()?.apiBase
    if (apiBase !== undefined) writeStored(apiBaseKey, apiBase)
  } catch {
    // Without a network the pages show their own errors.
  }
}

function readSettings(body: unknown): ConsoleSettings | null {
  if (!isRecord(body) || !hasStrings(body, ['version', 'logsBase', 'manualBase'])) return null
  const { supportEmail, supportBot, termsUrl, registration, sendsMail, apiBase }: Record<string, unknown> =
    body
  const { version, logsBase, manualBase } = body
  return {
    version,
    // A file of a former release, stored for the time without a server, has none.
    apiBase: typeof apiBase === 'string' ? apiBase : '',
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
