import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { asPostgres, debianPostgres, makeDebianCluster } from '@floorcast/testing/debian-postgres.ts'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { ownRoot } from '../../tools/source-files.ts'

requireProgram('pg_basebackup')

const folder = mkdtempSync(join(tmpdir(), 'floorcast-standby-'))
chmodSync(folder, 0o777)
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

/** Runs a script of ops/ as the user postgres, as its image does. */
function run(script: string, environment: Record<string, string>, ...args: string[]) {
  // The user postgres does not pass through the folders of a checkout.
  const copy = join(folder, script)
  writeFileSync(copy, readFileSync(join(ownRoot, 'ops/postgres', script)), { mode: 0o755 })
  const [command, rest] = asPostgres(copy, ...args)
  const PATH = `${debianPostgres}:/usr/bin:/bin:/usr/sbin:/sbin`
  const child = spawn(command, rest, { cwd: '/', env: { PATH, ...environment }, stdio: 'inherit' })
  return { child, ended: once(child, 'exit') as Promise<[number | null]> }
}

test('the scripts of two servers in containers let a standby copy the primary by its password, and follow it', async () => {
  const primary = await makeDebianCluster(join(folder, 'primary'), ['floorcast'])
  atTheEnd(async () => primary.stop())
  const rules = join(primary.folder, 'pg_hba.conf')
  writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll(/^.*replication.*$/gm, ''))
  const { port } = new URL(primary.urlOf('postgres', 'postgres'))
  const STANDBY_PASSWORD = 'a long secret'
  const allowed = run('allow-standby.sh', {
    STANDBY_PASSWORD,
    PGDATA: primary.folder,
    PGHOST: '127.0.0.1',
    PGPORT: port,
    PGUSER: 'postgres',
  })
  expect(await allowed.ended).toEqual([0, null])

  const start = async (password: string, name: string) => {
    const own = await freePort()
    const environment = {
      PRIMARY: '127.0.0.1',
      PGPORT: port,
      STANDBY_PASSWORD: password,
      PGDATA: join(folder, name, 'data'),
    }
    const options = ['-p', String(own), '-c', 'unix_socket_directories=', '-c', 'fsync=off']
    return {
      ...run('start-standby.sh', environment, 'postgres', ...options),
      url: `postgres://postgres@127.0.0.1:${own}/floorcast`,
    }
  }
  expect(await (await start('a guess', 'refused')).ended).toEqual([1, null])

  const url = primary.urlOf('postgres', 'floorcast')
  await asSuperuser(url, superuser => superuser.query('create table shops as select 1 as number'))
  let standby = await start(STANDBY_PASSWORD, 'standby')
  const countOf = async () => {
    const { rows } = await asSuperuser(standby.url, superuser =>
      superuser.query<{ shops: number; isStandby: boolean }>(
        'select count(*)::int as shops, pg_is_in_recovery() as "isStandby" from shops',
      ),
    )
    return rows[0]
  }
  await eventually(async () => expect(await countOf()).toEqual({ shops: 1, isStandby: true }))
  standby.child.kill('SIGTERM')
  await standby.ended
  await asSuperuser(url, superuser => superuser.query('insert into shops values (2)'))
  standby = await start(STANDBY_PASSWORD, 'standby')
  atTheEnd(async () => {
    standby.child.kill('SIGTERM')
    await standby.ended
  })
  await eventually(async () => expect(await countOf()).toEqual({ shops: 2, isStandby: true }))
})
