import { foldText } from '@floorcast/contract/fold-text.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DROP_CLIENT_VIEWS } from './client-views.ts'

/* The functions that search are not bound by row-level security: they look for the client themselves. */

const server = await wholeServer()
const clients = [await server.newClient(), await server.newClient()]
const superuser = new Client({ connectionString: server.superuserUrl })
await superuser.connect()
afterAll(() => superuser.end())

/** The clients have the same names, and different numbers of devices. */
beforeAll(async () => {
  for (const [nr, { scope }] of clients.entries()) {
    const row = (name: string) => `gen_random_uuid(), '${scope.clientId}', 'audio', '${name}', now(), now()`
    const columns = 'uid, client_id, kind, name, created_at, changed_at'
    await superuser.query(
      `insert into devices (${columns}, license_key)
         select ${row('Shop')}, gen_random_uuid()::text from generate_series(0, ${nr});
       with g as (insert into groups (${columns}) select ${row('Region air')} from generate_series(0, ${nr}) returning uid),
         l as (insert into playlists (${columns}) values (${row('Mix')}) returning uid)
       insert into publications (${columns}, group_uid, playlist_uid, state, activated_at)
         select ${row('Air')}, g.uid, l.uid, 'active', now() from g, l`,
    )
  }
})

async function count(clientId: string | null, from: string): Promise<number | undefined> {
  await superuser.query('begin')
  await superuser.query('set local role floorcast_app')
  if (clientId !== null) await superuser.query(`set local app.client_id = '${clientId}'`)
  const { rows } = await superuser.query<{ found: number }>(`select count(*)::int as found from ${from}`)
  await superuser.query('rollback')
  return rows[0]?.found
}

test.each([
  ['a device', `search_list('devices', null, '{shop}', '[[]]', 100)`, 1],
  ['a group by its name', `search_groups('{region}')`, 1],
  ['a group by what it plays', `search_groups('{mix}')`, 1],
  ['a group by all of its names', `search_groups('{air}')`, 2],
])('find %s of the client that is set, and none without one', async (_, from, each) => {
  expect(await count(null, from)).toBe(0)
  for (const [nr, { scope }] of clients.entries())
    expect(await count(scope.clientId, from)).toBe(each * (nr + 1))
})

test('a migration changes what a search looks into by one line, and all else stays', async () => {
  const describe = async () => {
    const { rows } = await superuser.query<{ line: string }>(`
      select indexdef as line from pg_indexes where indexname = 'devices_search'
      union all select privilege_type || ' to ' || grantee from information_schema.column_privileges
        where table_schema = 'public' and table_name = 'devices' and column_name = 'search_text'
      order by line`)
    return rows.map(({ line }) => line)
  }
  const expectedLines = await describe()
  await superuser.query('begin')
  onTestFinished(() => void superuser.query('rollback'))
  // As the migrations do.
  await superuser.query(DROP_CLIENT_VIEWS)
  await superuser.query("select search_in('devices', $$fold(name || E'\\x1f' || license_key)$$)")
  const lines = await describe()
  await superuser.query("update devices set license_key = 'Key ' || license_key")
  await superuser.query('set local role floorcast_app')
  await superuser.query(`set local app.client_id = '${clients[0]?.scope.clientId}'`)
  const { rows } = await superuser.query(`select * from search_list('devices', null, '{key}', '[[]]', 100)`)
  expect(lines).toEqual(expectedLines)
  expect(rows).toHaveLength(1)
})

test('the database folds each letter as the console does', async () => {
  const ranges = [
    [0xa0, 0x3000],
    // These ranges leave out letters of Unicode 17 between them, which the database may not have.
    [0xa720, 0xa7cb],
    [0xa7f2, 0xac00],
    [0xf900, 0x10000],
    [0x10780, 0x107c0],
    [0x1d400, 0x1d800],
  ] as const
  const letters = ranges.flatMap(([first, end]) =>
    Array.from({ length: end - first }, (_, nr) => String.fromCodePoint(first + nr)),
  )
  const { rows } = await superuser.query<{ letter: string; folded: string }>(
    'select letter, fold(letter) as folded from unnest($1::text[]) letter',
    [letters],
  )
  const different = rows.filter(({ letter, folded }) => folded !== foldText(letter))
  expect(different.map(({ letter, folded }) => `${letter} ${folded} ${foldText(letter)}`)).toEqual([])
})
