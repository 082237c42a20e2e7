import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { pathOf } from './command-line.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { reachDatabase } from './platform/database/reach-database.ts'
import { makeLog } from './platform/log/log.ts'
import { readSettings, type Settings } from './platform/settings/settings.ts'

/* What an operator's command works on: the settings of the service, and the database that they name. */

/** Where the service has its settings, unless a command is told otherwise: ops/systemd/floorcast.service reads it. */
export const SERVICE_ENV = '/etc/floorcast.env'

/** Takes `--env FILE` out of a command's arguments. */
export function takeEnvOption(args: readonly string[]): { env: string | null; rest: string[] } {
  const at = args.indexOf('--env')
  const file = at === -1 ? undefined : args[at + 1]
  if (file === undefined) return { env: null, rest: [...args] }
  return { env: pathOf(file), rest: args.toSpliced(at, 2) }
}

export interface ServiceSettings {
  settings: Settings
  /** The file with the settings; null: there was none, and those of the shell and the defaults hold. */
  file: string | null
}

/**
 * The settings of the service: of a file, and before it those of the shell. @param file null: SERVICE_ENV, if it is there
 * @throws SettingsError; Error if the file cannot be read
 */
export function readServiceSettings(file: string | null): ServiceSettings {
  const path = file ?? (existsSync(SERVICE_ENV) ? SERVICE_ENV : null)
  if (path === null) return { settings: readSettings(process.env), file: null }
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(
      `${path} cannot be read: run the command as a user who may, or name another file with --env`,
      {
        cause: error,
      },
    )
  }
  return { settings: readSettings({ ...parseEnv(text), ...process.env }), file: path }
}

/**
 * What root writes is closed to the server, which is another user. @throws Error that names the command to call instead
 * @param program `backup` or `restore`
 */
export function refuseRoot({ settings: { dataDir } }: ServiceSettings, program: string): void {
  if (process.getuid?.() !== 0 || !existsSync(dataDir)) return
  const { uid } = statSync(dataDir)
  if (uid === 0) return
  throw new Error(
    `${dataDir} is of the user ${nameUser(uid)}, who could not read what root writes. Call it as this user: runuser -u ${nameUser(uid)} -- npm run ${program} -- …`,
  )
}

function nameUser(uid: number): string {
  try {
    return execFileSync('id', ['--name', '--user', String(uid)], { encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return String(uid)
  }
}

/** A database, and the words for it. */
export interface OpenInstallation {
  url: string
  /** Which database and folder, without a password. */
  name: string
  close: () => Promise<void>
}

/** Words for a database and a folder. */
export function nameInstallation({ settings, file }: ServiceSettings): string {
  const { databaseUrl, dataDir } = settings
  const url = databaseUrl === null ? null : new URL(databaseUrl)
  const database =
    url === null ? 'the embedded database' : `the database ${url.pathname.slice(1)} at ${url.host}`
  return `${database}, folder ${dataDir} (settings: ${file ?? 'none but those of the shell'})`
}

/**
 * Opens the database of an installation that is there. Makes and migrates none, but for `isNew` an empty embedded one.
 * @throws Error that says what to do
 */
export async function openInstallation(
  service: ServiceSettings,
  { isNew = false } = {},
): Promise<OpenInstallation> {
  const { databaseUrl, dataDir } = service.settings
  if (databaseUrl !== null) {
    // Commands do not wait, and change no more than a server does.
    await reachDatabase(databaseUrl, { maySuperuser: true, log: makeLog('silent'), maxWaitMs: 0 })
    return { url: databaseUrl, name: nameInstallation(service), close: () => Promise.resolve() }
  }
  if (!isNew && !existsSync(join(dataDir, 'postgres')))
    throw new Error(
      `There is no installation in ${dataDir}, and DATABASE_URL is not set. Name the settings of the service with --env FILE, or set DATA_DIR`,
    )
  const postgres = await startEmbeddedPostgres({ dataDir })
  return { url: postgres.url, name: nameInstallation(service), close: () => postgres.stop() }
}
