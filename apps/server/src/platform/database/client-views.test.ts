import { globSync, readFileSync } from 'node:fs'
import { asSuperuser, cloneDatabase, testDatabase } from '@floorcast/testing/test-database.ts'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { CLIENT_VIEWS, DROP_CLIENT_VIEWS } from './client-views.ts'
import { type Migration, migrateDatabase } from './migrations.ts'

const VIEWS = `select coalesce(array_agg(viewname::text order by viewname), '{}') as names from pg_views
  where schemaname = '${CLIENT_VIEWS}'`
const TABLES = `select array_agg(tablename::text order by tablename) as names from pg_policies where policyname = 'one_client'`

const COLUMNS = `select array_agg(column_name::text) as names from information_schema.columns
  where table_schema = '${CLIENT_VIEWS}' and table_name = 'tags'`
const SCHEMAS = `select array_agg(nspname::text order by nspname) as names from pg_namespace where nspname ~ '^client_views'`

/** The migrations that a database has. */
async function appliedTo(url: string): Promise<Migration[]> {
  const { rows } = await asSuperuser(url, superuser =>
    superuser.query<{ name: string; hash: string }>('select name, hash from migrations order by name'),
  )
  return rows.map(row => ({ ...row, sql: '' }))
}

async function namesIn(url: string, query: string): Promise<string[]> {
  const { rows } = await asSuperuser(url, superuser => superuser.query<{ names: string[] }>(query))
  return rows[0]?.names ?? []
}

test('each tenant table has a view; a start makes those that are lost', async () => {
  const { url, superuserUrl } = await cloneDatabase()
  const tables = await namesIn(superuserUrl, TABLES)
  expect(await namesIn(superuserUrl, VIEWS)).toEqual(tables)
  await asSuperuser(superuserUrl, superuser => superuser.query(DROP_CLIENT_VIEWS))
  await migrateDatabase(url)
  expect(await namesIn(superuserUrl, VIEWS)).toEqual(tables)
})

test('a server of the former release goes on with its statements while a migration adds a column', async () => {
  const { url, superuserUrl } = await cloneDatabase()
  await migrateDatabase(url)
  const former = 'client_views_of_former'
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`alter schema ${CLIENT_VIEWS} rename to ${former}`),
  )
  const app = new Client({
    connectionString: url,
    options: `-c role=floorcast_app -c search_path=${former},public -c app.client_id=01890000-0000-7000-8000-000000000001`,
  })
  await app.connect()
  const read = () => app.query({ name: 'all', text: 'select * from tags' })
  const { fields } = await read()
  const add = { name: '9999-add', hash: 'x', sql: 'alter table tags add column colour text' }
  await migrateDatabase(url, [...(await appliedTo(superuserUrl)), add])
  expect((await read()).fields).toEqual(fields)
  await app.end()
  expect(await namesIn(superuserUrl, COLUMNS)).toContain('colour')

  // The next version has only one former one.
  const next = { ...add, name: '9999-next', sql: 'alter table tags add column shade text' }
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`alter schema ${CLIENT_VIEWS} rename to client_views_of_this`),
  )
  await migrateDatabase(url, [...(await appliedTo(superuserUrl)), next])
  expect(await namesIn(superuserUrl, SCHEMAS)).toEqual(['client_views_of_this', CLIENT_VIEWS].toSorted())
})

test('a migration may drop a column of a table, and its view has the columns that are left', async () => {
  const { url, superuserUrl } = await cloneDatabase()
  await migrateDatabase(url)
  const drop = { name: '9999-drop', hash: 'x', sql: 'alter table tags drop column description' }
  expect(await migrateDatabase(url, [...(await appliedTo(superuserUrl)), drop])).toEqual(['9999-drop'])
  expect(await namesIn(superuserUrl, COLUMNS)).not.toContain('description')
})

test('a user who may create no schema is told what an administrator has to run', async () => {
  const { url, superuserUrl } = await cloneDatabase()
  const name = new URL(url).pathname.slice(1)
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query(DROP_CLIENT_VIEWS)
    await superuser.query('alter schema public owner to floorcast')
    await superuser.query(`alter database ${name} owner to ${new URL(superuserUrl).username}`)
  })
  const advice = `grant create on database "${name}" to "floorcast";`
  await expect(migrateDatabase(url)).rejects.toThrow(advice)
  await asSuperuser(superuserUrl, superuser => superuser.query(advice))
  await migrateDatabase(url)
  expect(await namesIn(superuserUrl, VIEWS)).toContain('devices')
})

test('nothing is inserted for another client, or moved to one, also without row-level security', async () => {
  const { url, superuserUrl } = await testDatabase()
  const [mine, theirs] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002']
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query('alter table tags disable row level security, no force row level security')
    for (const uid of [mine, theirs])
      await superuser.query(
        `insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
         select $1, 'C', key, now(), now(), now() from plans limit 1`,
        [uid],
      )
  })
  const app = new Client({
    connectionString: url,
    options: `-c role=floorcast_app -c search_path=${CLIENT_VIEWS},public`,
  })
  await app.connect()
  const refusal = 'violates check option'
  const insert = `insert into tags (uid, client_id, key, value, created_at, changed_at)
    values (gen_random_uuid(), $1, $2, $3, now(), now())`
  await app.query(`set app.client_id = '${mine}'`)
  await app.query(insert, [mine, 'volume', '50'])
  await expect(app.query(insert, [theirs, 'volume', '50'])).rejects.toThrow(refusal)
  await expect(app.query('update tags set client_id = $1', [theirs])).rejects.toThrow(refusal)
  await app.end()
})

test('no statement passes by the views', () => {
  const sources = globSync('apps/server/src/**/*.ts').filter(file => !/\.(test|attack|long)\.ts$/.test(file))
  expect(sources.length).toBeGreaterThan(100)
  const naming = sources.filter(file => /\b(from|join|into|update) public\./.test(readFileSync(file, 'utf8')))
  // It makes the views, and proves that the barrier below them holds alone.
  expect(naming).toEqual(['apps/server/src/platform/database/client-views.ts'])
})
