import { enableCompileCache, flushCompileCache } from 'node:module'
import { hostname } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { EmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import type { Log } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { Extension } from './server.ts'
import { version } from './version.ts'

/*
 * The slowest work starts first: PostgreSQL starts, and creates its cluster in an empty folder, while Node loads the
 * server's modules (0.96 s of processor time, 0.55 s with the compile cache). So modules are imported dynamically, after
 * the compile cache is on, and the embedded PostgreSQL only where DATABASE_URL is not set. `npm run bench -- start`:
 * about 2 s on an empty data folder, 0.9 s on a filled one. `initdb --no-sync` would save up to 0.5 s, but a power cut in
 * the first half minute could leave a broken cluster.
 */
enableCompileCache(fileURLToPath(new URL('../../../node_modules/.cache/floorcast', import.meta.url)))
const { readSettings, SettingsError } = await import('./platform/settings/settings.ts')
const { makeLog, openLogFile } = await import('./platform/log/log.ts')
const { holdDataFolder, requireOpenFiles } = await import('./start-checks.ts')
const { requireFreePort } = await import('./platform/http/receive/listeners.ts')

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** Starts the embedded PostgreSQL and logs when it ends unexpectedly and when it is back. */
async function startPostgres({ dataDir, databaseUrl }: Settings, log: Log): Promise<EmbeddedPostgres | null> {
  if (databaseUrl) return null
  log.info('the embedded PostgreSQL is for trials and small installations; DATABASE_URL names another one')
  const { startEmbeddedPostgres } = await import('@floorcast/embedded-postgres/embedded-postgres.ts')
  return startEmbeddedPostgres({
    dataDir,
    onRestart: what => {
      if ('error' in what) log.error({ err: what.error }, 'PostgreSQL has ended and does not come back yet')
      else log.warn({ postmaster: what.pid }, 'PostgreSQL had ended; it is back')
    },
  })
}

/** Runs until a signal ends it, with an extension if one is given. Resolves once it answers and has said where. */
export async function startServer(loadExtension?: () => Promise<Extension>): Promise<void> {
  const settings = settingsOrExit()
  const logFile = process.stdout.isTTY ? openLogFile(settings.dataDir) : null
  const { role, port } = settings
  const base = { server: `${hostname()}:${port}`, version: version.release, role }
  const log = makeLog(settings.logLevel, logFile?.destination, base)
  log.info({ commit: version.commit, node: process.version }, 'starting')
  try {
    await requireFreePort(settings)
    if (settings.databaseUrl === null) await holdDataFolder(settings.dataDir)
    requireOpenFiles(settings, log)
    const starting = startPostgres(settings, log)
    // `starting` is awaited beside the imports: its failure is not left unhandled.
    const [{ runServer }, extension = null] = await Promise.all([
      import('./server.ts'),
      loadExtension?.(),
      starting,
    ])
    await runServer({ settings, extension, log, logPath: logFile?.path ?? null, starting })
  } catch (error) {
    log.fatal({ err: error }, 'could not start')
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Floorcast could not start: ${reason}\n`)
    process.exit(1)
  }
  flushCompileCache()
}
