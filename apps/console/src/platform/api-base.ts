import { apiBaseKey, consoleSettings, loadConsoleSettings } from './console-settings.ts'
import { readStored } from './storage.ts'

/** A stalled line must not keep a player silent that knows its server. */
const MAX_WAIT_MS = 3000

/**
 * The address to which all calls go (API_URL), without a slash at its end; empty for the page's own origin. Without an answer it
 * is the former one.
 */
export async function readApiBase(): Promise<string> {
  const known = consoleSettings.get()
  if (known) return known.apiBase
  const former = readStored(apiBaseKey)
  const loaded = loadConsoleSettings()
  await (former === null
    ? loaded
    : Promise.race([loaded, new Promise(resolve => setTimeout(resolve, MAX_WAIT_MS))]))
  return consoleSettings.get()?.apiBase ?? former ?? ''
}

/** The address of a path of the API. */
export const apiAddress = async (path: string): Promise<string> => (await readApiBase()) + path

/** The address to which the `/device/logs` calls go (LOGS_URL), without a slash at its end. */
export async function readLogsBase(): Promise<string> {
  const apiBase = await readApiBase()
  return consoleSettings.get()?.logsBase || apiBase
}
