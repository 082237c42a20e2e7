import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { asSuperuser } from './test-database.ts'
import { freePort } from './free-port.ts'

/* A PostgreSQL of Debian with its tools, as an operator has it beside the server. */

/** The folder of its programs; undefined: it is not installed. */
export const debianPostgres = globSync('/usr/lib/postgresql/*/bin').find(folder =>
  existsSync(join(folder, 'pg_basebackup')),
)

/** PostgreSQL does not run as root. */
const asPostgres = (...command: string[]): [string, string[]] =>
  process.getuid?.() === 0
    ? ['runuser', ['-u', 'postgres', '--', ...command]]
    : [command[0] ?? '', command.slice(1)]

function tool(name: string, ...args: string[]): void {
  const [command, rest] = asPostgres(join(debianPostgres ?? '', name), ...args)
  execFileSync(command, rest, { cwd: '/', stdio: 'ignore' })
}

export interface DebianCluster {
  folder: string
  urlOf: (user: string, database: string) => string
  stop: () => void
}

/** Starts the cluster of a folder, which the user postgres owns. */
export async function startDebianCluster(folder: string): Promise<DebianCluster> {
  const port = await freePort()
  const settings = `-p ${port} -c unix_socket_directories='' -c fsync=off`
  tool('pg_ctl', '-D', folder, '-o', settings, '-l', `${folder}.log`, '-w', 'start')
  return {
    folder,
    urlOf: (user, database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    stop: () => tool('pg_ctl', '-D', folder, '-m', 'immediate', 'stop'),
  }
}

/**
 * A new cluster with the user floorcast and databases that it owns; there are none of Floorcast's roles.
 * @param parent a folder that is made; the user postgres passes through those around it
 */
export async function makeDebianCluster(
  parent: string,
  databases: readonly string[],
): Promise<DebianCluster> {
  mkdirSync(parent, { mode: 0o777 })
  chmodSync(parent, 0o777)
  const folder = join(parent, 'data')
  tool('initdb', '-D', folder, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8')
  const cluster = await startDebianCluster(folder)
  await asSuperuser(cluster.urlOf('postgres', 'postgres'), async superuser => {
    await superuser.query('create role floorcast login')
    for (const database of databases) await superuser.query(`create database ${database} owner floorcast`)
  })
  return cluster
}
