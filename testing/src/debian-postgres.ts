import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureRoles, RolesMissingError } from '@floorcast/server/platform/database/roles.ts'
import { asSuperuser } from './test-database.ts'
import { freePort } from './free-port.ts'

/* A PostgreSQL of Debian with its tools, as an operator has it beside the server. */

/** The folder of its programs; undefined: it is not installed. */
export const debianPostgres = globSync('/usr/lib/postgresql/*/bin').find(folder =>
  existsSync(join(folder, 'pg_basebackup')),
)

const TO_POSTGRES = ['--reuid=postgres', '--regid=postgres', '--init-groups']

/** A command whose process is that of the user postgres: PostgreSQL, Patroni and PgBouncer do not run as root. */
export const asPostgres = (...command: [string, ...string[]]): [string, string[]] =>
  process.getuid?.() === 0 ? ['setpriv', [...TO_POSTGRES, ...command]] : [command[0], command.slice(1)]

function tool(name: string, ...args: string[]): void {
  const [command, rest] = asPostgres(join(debianPostgres ?? '', name), ...args)
  execFileSync(command, rest, { cwd: '/', stdio: 'ignore' })
}

export interface DebianCluster {
  folder: string
  urlOf: (user: string, database: string) => string
  stop: () => void
}

/** Settings of postgresql.conf, such as `{ max_connections: '40' }`. */
type Settings = Record<string, string>

/** Starts the cluster of a folder, which the user postgres owns. */
export async function startDebianCluster(folder: string, settings: Settings = {}): Promise<DebianCluster> {
  const port = await freePort()
  const all = { unix_socket_directories: "''", fsync: 'off', ...settings }
  const options = [`-p ${port}`, ...Object.entries(all).map(([name, value]) => `-c ${name}=${value}`)]
  tool('pg_ctl', '-D', folder, '-o', options.join(' '), '-l', `${folder}.log`, '-w', 'start')
  return {
    folder,
    urlOf: (user, database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    stop: () => tool('pg_ctl', '-D', folder, '-m', 'immediate', 'stop'),
  }
}

/** A folder that the user postgres may write to, if it passes through those around it. */
export function makeOpenFolder(folder: string): void {
  mkdirSync(folder, { mode: 0o777 })
  chmodSync(folder, 0o777)
}

/**
 * A new cluster with the user floorcast and databases that it owns; there are none of Floorcast's roles.
 * @param parent a folder that is made
 */
export async function makeDebianCluster(
  parent: string,
  databases: readonly string[],
  settings: Settings = {},
): Promise<DebianCluster> {
  makeOpenFolder(parent)
  const folder = join(parent, 'data')
  tool('initdb', '-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8')
  const cluster = await startDebianCluster(folder, settings)
  await asSuperuser(cluster.urlOf('postgres', 'postgres'), async superuser => {
    await superuser.query('create role floorcast login')
    for (const database of databases) await superuser.query(`create database ${database} owner floorcast`)
  })
  return cluster
}

/** A streaming standby of a cluster. @param parent a folder that is made */
export async function makeStandby(primary: DebianCluster, parent: string): Promise<DebianCluster> {
  makeOpenFolder(parent)
  const folder = join(parent, 'data')
  const from = `--dbname=${primary.urlOf('postgres', 'postgres')}`
  tool('pg_basebackup', `--pgdata=${folder}`, '--write-recovery-conf', '--checkpoint=fast', from)
  return startDebianCluster(folder)
}

/** The administrator runs the statements that a first start prints. */
export async function makeRoles(cluster: DebianCluster, database: string): Promise<void> {
  try {
    await asSuperuser(cluster.urlOf('floorcast', database), ensureRoles)
  } catch (error) {
    if (!(error instanceof RolesMissingError)) throw error
    await asSuperuser(cluster.urlOf('postgres', database), superuser => superuser.query(error.statements))
  }
}
