import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, makeOpenFolder } from './debian-postgres.ts'
import { requireProgram } from './debian-program.ts'
import { freePort } from './free-port.ts'
import { change, readExample } from './ops-example.ts'
import { runProxy } from './proxy-process.ts'

const PASSWORD = 'the password of floorcast'

export interface PooledDatabase {
  /** The address of PostgreSQL with its database. */
  url: string
  /** A folder that is made. */
  folder: string
  /** Settings that the example does not have, such as `{ pool_mode: 'transaction' }`. */
  settings?: Readonly<Record<string, string>>
}

/** Runs PgBouncer by the example until the end of the file's tests. @returns the address of the database behind it */
export async function startPgbouncer({ url, folder, settings = {} }: PooledDatabase): Promise<string> {
  requireProgram('pgbouncer')
  makeOpenFolder(folder)
  const { hostname, port, pathname } = new URL(url)
  const listen = await freePort()
  const users = join(folder, 'userlist.txt')
  writeFileSync(users, `"floorcast" "${PASSWORD}"\n`)
  const config = change(readExample('pgbouncer/pgbouncer.ini'), [
    ['floorcast = host=192.0.2.11 port=5432', `${pathname.slice(1)} = host=${hostname} port=${port}`],
    ['listen_port = 6432', `listen_port = ${listen}`],
    ['/etc/pgbouncer/userlist.txt', users],
    ['/var/run/postgresql', folder],
    ['/var/log/postgresql', folder],
  ])
  // Of two lines the last one counts.
  const more = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, config + more.join(''))
  const [program, args] = asPostgres('pgbouncer', '--quiet', file)
  await runProxy({ program, args, folder, port: listen })
  return `postgres://floorcast:${encodeURIComponent(PASSWORD)}@127.0.0.1:${listen}${pathname}`
}
