import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import {
  type DebianCluster,
  debianPostgres,
  makeDebianCluster,
  makeRoles,
  startDebianCluster,
} from '@floorcast/testing/debian-postgres.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { migrateDatabase } from '../database/migrations.ts'
import { requireRights } from '../database/rights.ts'

/*
 * The commands of docs/operate/backup.md for PostgreSQL's own tools, as they stand there, on a PostgreSQL of Debian. Its user of
 * DATABASE_URL owns its database and may do nothing else.
 */

const bin = debianPostgres
const scratch = mkdtempSync(join(tmpdir(), 'floorcast-tools-'))
// The user postgres passes through.
chmodSync(scratch, 0o711)
const running: DebianCluster[] = []
const page = readFileSync(new URL('../../../../../docs/operate/backup.md', import.meta.url), 'utf8')

afterAll(() => {
  for (const cluster of running) cluster.stop()
  rmSync(scratch, { recursive: true, force: true })
})

/** Some characters are others in an URL. */
const PASSWORDS = { floorcast: 'sh@p: 1/2', postgres: 'the #admin' }

/** A cluster that asks everybody for a password. */
async function makeCluster(name: string, databases: readonly string[]) {
  const cluster = await makeDebianCluster(join(scratch, name), databases)
  running.push(cluster)
  const access = ['all', 'replication'].map(of => `host ${of} all 127.0.0.1/32 scram-sha-256\n`)
  await asSuperuser(cluster.urlOf('postgres', 'postgres'), async superuser => {
    for (const [user, password] of Object.entries(PASSWORDS))
      await superuser.query(`alter role ${user} password '${password}'`)
    writeFileSync(join(cluster.folder, 'pg_hba.conf'), access.join(''))
    await superuser.query('select pg_reload_conf()')
  })
  return {
    ...cluster,
    urlOf: (user: string, database: string) =>
      withPassword(cluster, user === 'floorcast' ? user : 'postgres', database),
  }
}

function withPassword({ urlOf }: DebianCluster, user: keyof typeof PASSWORDS, database: string): string {
  return Object.assign(new URL(urlOf(user, database)), { password: PASSWORDS[user] }).href
}

/** The arguments of every command, one line each, as other users of the machine see them. */
const seen = join(scratch, 'arguments')
const watched = join(scratch, 'bin')
mkdirSync(watched)
for (const name of ['psql', 'pg_dump', 'pg_restore', 'pg_basebackup'])
  writeFileSync(
    join(watched, name),
    `#!/bin/sh\nprintf '%s\\n' "${name} $*" >> '${seen}'\nexec '${bin}/${name}' "$@"\n`,
    {
      mode: 0o755,
    },
  )

/** Runs the block of the page that has these words, in a folder. */
async function runBlock(words: string, folder: string, change = (block: string) => block) {
  const block = [...page.matchAll(/```sh\n([\s\S]*?)```/g)]
    .map(match => match[1] ?? '')
    .find(text => text.includes(words))
  if (block === undefined) throw new Error(`docs/operate/backup.md has no command with ${words}`)
  const [, address = ''] = /`ADMIN_URL=(service=\S+)`/.exec(page) ?? []
  const env = { HOME: folder, ADMIN_URL: address, PATH: `${watched}:${process.env['PATH']}` }
  return promisify(execFile)('bash', ['-e', '-c', change(block)], { cwd: folder, env })
}

/** Writes the file of the page with the addresses of a cluster, for the commands in a folder. */
async function writeServices(folder: string, url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  await runBlock('pg_service.conf', folder, block =>
    block
      .replaceAll('db.example', hostname)
      .replaceAll('5432', port)
      .replace('that of DATABASE_URL', PASSWORDS.floorcast)
      .replace('that of the administrator', PASSWORDS.postgres),
  )
  expect(statSync(join(folder, '.pg_service.conf')).mode & 0o777).toBe(0o600)
}

const rowsOf = (url: string) =>
  asSuperuser(url, async superuser => {
    const { rows } = await superuser.query<{ at: Date; samples: number }>(
      'select min(applied_at) as at, (select count(*)::int from server_samples) as samples from migrations',
    )
    return rows[0]
  })

test.skipIf(bin === undefined)(
  'PostgreSQL dumps, restores and copies the cluster by the commands of the manual, and a restore without the roles is refused',
  { timeout: 240_000 },
  async () => {
    const one = await makeCluster('one', ['floorcast', 'other'])
    const [url, adminUrl] = [one.urlOf('floorcast', 'floorcast'), one.urlOf('postgres', 'floorcast')]
    await makeRoles(one, 'floorcast')
    await migrateDatabase(url)
    await asSuperuser(adminUrl, superuser =>
      superuser.query(
        "insert into server_samples select 'server', now() + n * interval '1 s', 1, 1, 1, 1, 1 from generate_series(1, 500) n",
      ),
    )
    const had = await rowsOf(adminUrl)
    expect(had?.samples).toBe(500)

    const folder = join(scratch, 'one')
    await writeServices(folder, url)
    await runBlock('pg_dump', folder)
    const there = await makeCluster('two', ['late'])
    // Without the roles: PostgreSQL leaves the policies out, and the start says so.
    const late = there.urlOf('floorcast', 'late')
    await promisify(execFile)(join(bin ?? '', 'pg_restore'), [
      `--dbname=${late}`,
      join(folder, 'floorcast.dump'),
    ]).catch(() => undefined)
    await makeRoles(there, 'late')
    await migrateDatabase(late)
    await expect(requireRights(late)).rejects.toThrow(
      /Restore it once more into an empty database, roles first/,
    )

    const clean = await makeCluster('three', ['floorcast'])
    const cleanly = {
      DATABASE_URL: clean.urlOf('floorcast', 'floorcast'),
      ADMIN_URL: clean.urlOf('postgres', 'floorcast'),
    }
    await writeServices(folder, cleanly.DATABASE_URL)
    await runBlock('pg_restore', folder)
    await migrateDatabase(cleanly.DATABASE_URL)
    await requireRights(cleanly.DATABASE_URL)
    expect(await rowsOf(cleanly.ADMIN_URL)).toEqual(had)

    expect((await runBlock('from redeliveries', folder)).stdout).toMatch(/lost +\| +count/)
    await writeServices(folder, url)
    await runBlock('pg_basebackup', folder)
    const base = join(folder, 'base')
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres', base])
    const again = await startDebianCluster(base)
    running.push(again)
    expect(await rowsOf(withPassword(again, 'postgres', 'floorcast'))).toEqual(had)
    const commands = readFileSync(seen, 'utf8')
    for (const name of ['psql', 'pg_dump', 'pg_restore', 'pg_basebackup'])
      expect(commands).toMatch(new RegExp(`^${name} .*service=floorcast`, 'm'))
    for (const password of Object.values(PASSWORDS)) expect(commands).not.toContain(password)
  },
)

test('a cold copy of DATA_DIR starts', { timeout: 120_000 }, async () => {
  const [data, copy] = [join(scratch, 'cold'), join(scratch, 'copy')]
  const first = await startEmbeddedPostgres({ dataDir: data })
  await migrateDatabase(first.url)
  const had = await rowsOf(first.superuserUrl.replace(/postgres$/, 'floorcast'))
  await first.stop()
  const line = /^cp --archive \/var\/lib\/floorcast \/backup\/floorcast-cold$/m.exec(page)?.[0] ?? ''
  const [command = '', ...args] = line
    .replace('/var/lib/floorcast', data)
    .replace('/backup/floorcast-cold', copy)
    .split(' ')
  execFileSync(command, args)
  const second = await startEmbeddedPostgres({ dataDir: copy })
  expect(await rowsOf(second.superuserUrl.replace(/postgres$/, 'floorcast'))).toEqual(had)
  await second.stop()
})
