import type { Bus } from './platform/bus/bus.ts'
import type { Database } from './platform/database/database.ts'
import type { Log } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { FileStore } from './platform/storage/file-store.ts'

/** What the features share. `server.ts` builds it once; a test builds its own. */
export interface Context {
  settings: Settings
  database: Database
  bus: Bus
  files: FileStore
  log: Log
  now: () => Date
  /** The console's built files; null: not built, the API alone. */
  consoleFolder: string | null
}
