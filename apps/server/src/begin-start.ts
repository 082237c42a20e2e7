import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/embedded-postgres/embedded-postgres.ts'
import { makeLog, openLogFile, type Log } from './platform/log/log.ts'
import { readSettings, SettingsError, type Settings } from './platform/settings/settings.ts'

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}

/** The embedded PostgreSQL; should it end by itself, the log says so and that it is back. */
async function startKeptPostgres(settings: Settings, log: Log): Promise<EmbeddedPostgres | null> {
  if (settings.databaseUrl) return null
  return startEmbeddedPostgres({
    dataDir: settings.dataDir,
    said: what => {
      if ('error' in what) log.error({ err: what.error }, 'PostgreSQL has ended and does not come back yet')
      else log.warn({ postmaster: what.pid }, 'PostgreSQL had ended; it is back')
    },
  })
}

/** Starts PostgreSQL and, while it gets ready, reads the server's modules and runs it. A failure ends the process. */
export async function beginStart(): Promise<void> {
  const settings = settingsOrExit()
  const logFile = process.stdout.isTTY ? openLogFile(settings.dataDir) : null
  const log = makeLog(settings.logLevel, logFile?.destination)
  try {
    const starting = startKeptPostgres(settings, log)
    const [{ runServer }] = await Promise.all([import('./run-server.ts'), starting])
    await runServer({ settings, log, logPath: logFile?.path ?? null, starting })
  } catch (error) {
    log.fatal({ err: error }, 'could not start')
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Floorcast could not start: ${reason}\n`)
    process.exit(1)
  }
}
