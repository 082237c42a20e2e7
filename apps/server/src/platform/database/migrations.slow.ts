import { readCatalog } from '@floorcast/testing/catalog.ts'
import { releasedDatabase } from '@floorcast/testing/released-database.ts'
import { asSuperuser, emptyDatabase } from '@floorcast/testing/test-database.ts'
import { createHash, randomBytes } from 'node:crypto'
import { expect, inject, test } from 'vitest'
import { BASELINE_THROUGH, type Migration, migrateDatabase, readMigrations } from './migrations.ts'
import { RolesMissingError } from './roles.ts'

const shipped = readMigrations()
/** What an empty database gets. */
const all = ['baseline', ...shipped.map(({ name }) => name).filter(name => name > BASELINE_THROUGH)]
const migration = (name: string, sql: string): Migration => ({
  name,
  sql,
  hash: createHash('sha256').update(sql).digest('hex'),
})
const rowsOf = (url: string, sql: string) =>
  asSuperuser(url, async superuser => (await superuser.query<Record<string, unknown>>(sql)).rows)

test('migrations an empty database and one of 2.775.0 come to the same schema', async () => {
  const [made, upgraded] = [await emptyDatabase(), await releasedDatabase()]
  await migrateDatabase(made.url)
  await migrateDatabase(upgraded.url)
  expect(await readCatalog(upgraded.superuserUrl)).toEqual(await readCatalog(made.superuserUrl))
})

test('migrations an empty database gets the baseline, and those that it lacks', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  const next = [...shipped, migration('9999-next', 'create table extra (a int)')]
  expect(await migrateDatabase(url, next)).toEqual([...all, '9999-next'])
  expect(await rowsOf(superuserUrl, 'select a from extra')).toEqual([])
})

test('migrations a database that is older than 2.775.0 is to start that release first', async () => {
  const { url, superuserUrl } = await releasedDatabase()
  await rowsOf(superuserUrl, "delete from migrations where name >= '0053'")
  await expect(migrateDatabase(url)).rejects.toThrow(/older than 2\.775\.0/)
})

test('migrations several servers that start at once apply them once', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(url)))
  expect(applied.filter(names => names.length > 0)).toEqual([all])
  const recorded = await rowsOf(superuserUrl, 'select name, hash from migrations order by name')
  expect(recorded).toEqual(shipped.map(({ name, hash }) => ({ name, hash })))
})

test('migrations one that fails keeps nothing of itself, and the ones before it stay', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  const bad = migration('9999-bad', 'create table half (a int); select 1 / 0')
  await expect(migrateDatabase(url, [...shipped, bad])).rejects.toThrow(/9999-bad failed/)
  expect(await rowsOf(superuserUrl, "select from pg_class where relname = 'half'")).toEqual([])
  expect(await rowsOf(superuserUrl, 'select from migrations')).toHaveLength(shipped.length)
  expect(await migrateDatabase(url)).toEqual([])
})

test('migrations one that waits for a lock of others is tried again, and then says what to do', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  await migrateDatabase(url)
  const next = migration('9999-column', 'alter table clients add column extra int')
  const waits = { timeoutMs: 20, tries: 3, pauseMs: 1 }
  await asSuperuser(superuserUrl, async other => {
    await other.query('begin; lock table clients in access share mode')
    await expect(migrateDatabase(url, [...shipped, next], waits)).rejects.toThrow(
      /9999-column was tried 3 times.*Stop the other servers/,
    )
    const patient = migrateDatabase(url, [...shipped, next], { ...waits, tries: 10_000 })
    await other.query('select pg_sleep(0.2); commit')
    expect(await patient).toEqual(['9999-column'])
  })
})

test('migrations one without a transaction makes an index while others write, also of servers that start at once', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  await migrateDatabase(url)
  const text = [
    '-- no-transaction',
    'drop index concurrently if exists clients_extra;',
    'create index concurrently clients_extra on clients (name);',
  ]
  const next = [...shipped, migration('9999-index', `${text.join('\n')}\n`)]
  const applied = await Promise.all([1, 2, 3].map(() => migrateDatabase(url, next)))
  expect(applied.flat()).toEqual(['9999-index'])
  const valid = "select indisvalid from pg_index where indexrelid = 'clients_extra'::regclass"
  expect(await rowsOf(superuserUrl, valid)).toEqual([{ indisvalid: true }])
})

test('migrations one without a transaction that fails runs again from its first statement', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  await migrateDatabase(url)
  const text = [
    '-- no-transaction',
    'drop index concurrently if exists clients_extra;',
    'create index concurrently clients_extra on clients (name);',
    "select 1 / (select count(*) from pg_class where relname = 'marker');",
  ]
  const next = [...shipped, migration('9999-index', text.join('\n'))]
  await expect(migrateDatabase(url, next)).rejects.toThrow(/runs it again from its first statement/)
  await rowsOf(superuserUrl, 'create table marker (a int)')
  expect(await migrateDatabase(url, next)).toEqual(['9999-index'])
})

test('migrations the ids of events are indexed by partition, also where a start broke off before', async () => {
  const { url, superuserUrl } = await releasedDatabase()
  await migrateDatabase(
    url,
    shipped.filter(({ name }) => name < '0076'),
  )
  const partition = `plays_${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`
  await rowsOf(superuserUrl, 'create index plays_event on only plays (device_uid, event_uid, day)')
  await rowsOf(superuserUrl, `create index ${partition}_event on ${partition} (event_uid)`)
  await migrateDatabase(url)
  const states = await rowsOf(
    superuserUrl,
    `select t.relname, i.indisvalid as "isValid", count(p.*)::int as partitions,
         count(*) filter (where c.indisvalid and c.indnatts = 3)::int as indexed
       from pg_index i join pg_class t on t.oid = i.indrelid join pg_inherits p on p.inhparent = i.indrelid
       left join pg_inherits a on a.inhparent = i.indexrelid and exists (
         select from pg_index x where x.indexrelid = a.inhrelid and x.indrelid = p.inhrelid)
       left join pg_index c on c.indexrelid = a.inhrelid
       where i.indexrelid in ('plays_event'::regclass, 'device_logs_event'::regclass) group by 1, 2 order by 1`,
  )
  const all = { isValid: true, partitions: 9, indexed: 9 }
  expect(states).toEqual([
    { relname: 'device_logs', ...all },
    { relname: 'plays', ...all },
  ])
})

test('migrations a file that was changed after it was applied stops the start', async () => {
  const { url } = await emptyDatabase()
  await migrateDatabase(url)
  const changed = shipped.map((one, index) => (index === 0 ? { ...one, hash: 'other' } : one))
  await expect(migrateDatabase(url, changed)).rejects.toThrow(/0060-auth-names was applied with other words/)
})

test('migrations a database of a newer version stops the start', async () => {
  const { url } = await emptyDatabase()
  await migrateDatabase(url, [...shipped, migration('9999-newer', 'select 1')])
  await expect(migrateDatabase(url)).rejects.toThrow(/9999-newer.*start a newer version/)
})

test("migrations an operator's plan numbers stay at the next start", async () => {
  const { url, superuserUrl } = await emptyDatabase()
  await migrateDatabase(url)
  await rowsOf(superuserUrl, "update plans set device_limit = 7 where key = 'trial'")
  await migrateDatabase(url)
  const plans = await rowsOf(superuserUrl, 'select key, device_limit from plans order by position')
  expect(plans).toEqual([
    { key: 'trial', device_limit: 7 },
    { key: 'basic', device_limit: 25 },
    { key: 'medium', device_limit: 250 },
    { key: 'professional', device_limit: 10_000 },
  ])
})

const weak = `weak_${randomBytes(4).toString('hex')}`
const password = new URL(inject('postgresUrl')).password

test('a user of DATABASE_URL without the right to make roles is told which statements to run, and they are enough', async () => {
  await asSuperuser(inject('postgresUrl'), superuser =>
    superuser.query(`create role ${weak} login password '${password}'`),
  )
  const { url, superuserUrl } = await emptyDatabase(weak)
  const error = await migrateDatabase(url).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(RolesMissingError)
  const { message, statements } = error as RolesMissingError
  expect(message).toContain(`user ${weak} may not set up Floorcast's roles`)
  // PostgreSQL 15 has no such terms.
  expect(statements).toMatch(new RegExp(`grant floorcast_app to "${weak}"( with inherit false, set true)?;`))
  await asSuperuser(superuserUrl, superuser => superuser.query(statements))
  expect(await migrateDatabase(url)).toEqual(all)
})
