import type { Bus } from './platform/bus/bus.ts'
import type { Database } from './platform/database/database.ts'
import type { InstallationWatch } from './platform/installation/installation-state.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { FileStore } from './platform/storage/file-store.ts'
import type { IncomingFiles } from './platform/storage/incoming-files.ts'

/** The services that features share. `server.ts` builds them once; each test file builds its own. */
export interface Context {
  settings: Settings
  database: Database
  bus: Bus
  files: FileStore
  /** Files on their way into `files`. */
  incoming: IncomingFiles
  /** The operator's notice, and whether users may change anything now. */
  installation: InstallationWatch
  log: Log
  metrics: Metrics
  now: () => Date
  /** The folder of the built console; null if the console is not built. */
  consoleFolder: string | null
}
