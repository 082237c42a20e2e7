import { apiBaseKey, consoleSettings, loadConsoleSettings } from './console-settings.ts'
import { readStored } from './storage.ts'

/**
 * The address to which all calls go (API_URL), without a slash at its end; empty for the page's own origin. Without an answer it
 * is the former one.
 */
export async function readApiBase(): Promise<string> {
  if (!consoleSettings.get()) await loadConsoleSettings()
  return consoleSettings.get()?.apiBase ?? readStored(apiBaseKey) ?? ''
}

/** The address of a path of the API. */
export const apiAddress = async (path: string): Promise<string> => (await readApiBase()) + path
