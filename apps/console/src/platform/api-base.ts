import { consoleSettings, loadConsoleSettings } from './console-settings.ts'
import { readStored, writeStored } from './storage.ts'

/** The address of the last calls: `boot.js` sends the first one there. */
const key = 'floorcast.apiBase'

/**
 * The address to which all calls go (API_URL), without a slash at its end; empty for the page's own origin. Where it was known
 * before, no call waits for the settings of the installation, which the page asks for at its start.
 */
export async function readApiBase(): Promise<string> {
  const former = readStored(key)
  if (former === null && !consoleSettings.get()) await loadConsoleSettings()
  const known = consoleSettings.get()?.apiBase
  if (known !== undefined && known !== former) writeStored(key, known)
  return known ?? former ?? ''
}

/** The address of a path of the API. */
export const apiAddress = async (path: string): Promise<string> => (await readApiBase()) + path
