import { readApiBase } from '../../platform/api-base.ts'
import { consoleSettings } from '../../platform/console-settings.ts'

/** The address to which the `/device/logs` calls go (LOGS_URL), without a slash at its end. */
export async function readLogsBase(): Promise<string> {
  const apiBase = await readApiBase()
  return consoleSettings.get()?.logsBase || apiBase
}
