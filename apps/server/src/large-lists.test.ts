import { deleteDevice, listDevices } from '@floorcast/contract/devices.ts'
import { deleteMedia, listMedia } from '@floorcast/contract/media.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { restore } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runMaintenance } from './jobs/maintenance.ts'
import { clientScope } from './platform/database/client-scope.ts'
import { listDeviceRows } from './features/devices/devices-queries.ts'
import { findMediaPage } from './features/media/media-queries.ts'
import { listPlaylistRows } from './features/playlists/playlists-queries.ts'
import { openRolePool } from './platform/database/role-pool.ts'

const server = await wholeServer()
const large = await server.newClient()
const small = await server.newClient()
const { token } = large
const COUNT = 10_300

const superuser = new Client({ connectionString: server.superuserUrl })
await superuser.connect()
afterAll(() => superuser.end())

/** Many devices, media and playlists of one client and a few of another, in the same tables. */
beforeAll(async () => {
  const far = new Date('2099-01-01')
  await server.database.jobs.setSubscription(large.email, 'professional', far, new Date())
  for (const [{ clientId }, count] of [
    [large.scope, COUNT],
    [small.scope, 7],
  ] as const) {
    const values = [clientId, count]
    await superuser.query(
      `insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
       select gen_random_uuid(), $1, case when n % 4 = 0 then 'video' else 'audio' end, 'Shop ' || n,
         gen_random_uuid()::text, now(), now() - (n % 50) * interval '1 hour' from generate_series(1, $2::int) n`,
      values,
    )
    await superuser.query(
      `insert into media_items (uid, client_id, content_type, name, original_name, created_at, changed_at)
       select gen_random_uuid(), $1, 'melodies', 'Song ' || n, n || '.mp3', now(), now() from generate_series(1, $2::int / 5) n`,
      values,
    )
    await superuser.query(
      `insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds, uploaded_at)
       select uid, 1, client_id, repeat('0', 64), 'audio/mpeg', 1000 + hashtext(name)::bigint % 900, 180, now()
       from media_items where client_id = $1`,
      values.slice(0, 1),
    )
    await superuser.query(
      `insert into playlists (uid, client_id, kind, name, created_at, changed_at)
       select gen_random_uuid(), $1, 'audio', 'Mix ' || n, now(), now() from generate_series(1, $2::int / 5) n`,
      values,
    )
  }
  await superuser.query('vacuum analyze devices, media_items, media_files, playlists')
}, 300_000)

const devices = (query: object) => server.call(listDevices, { token, query })

const names = Array.from({ length: COUNT }, (_, nr) => `shop ${nr + 1}`)

test('a search that finds more than 10,000 stops counting there, and its pages are those of the whole list in order', async () => {
  for (const [page, dir] of [
    [1, 'asc'],
    [1, 'desc'],
    [40, 'asc'],
  ] as const) {
    const answer = await devices({ search: 'shop', sort: 'name', dir, page, size: 50 })
    const wanted = (dir === 'asc' ? names : names.toReversed()).slice((page - 1) * 50, page * 50)
    expect(answer.items.map(({ name }) => name.toLowerCase())).toEqual(wanted)
    expect(answer).toMatchObject({ total: 10_000, more: true })
  }
})

test('a search that finds more than 10,000 counts exactly what else is asked for where that is less', async () => {
  const some = await devices({ search: 'SHOP "shop 1"', connectivity: 'neverup' })
  const wanted = names.filter(name => name.startsWith('shop 1'))
  expect(some.total).toBe(wanted.length)
  expect(some.more).toBeUndefined()
  expect(await devices({ search: 'shop', connectivity: 'online' })).toMatchObject({ items: [], total: 0 })
  expect(await devices({ search: 'shop', connectivity: 'neverup' })).toMatchObject({
    total: 10_000,
    more: true,
  })
})

const totals = async () => [
  (await devices({})).total,
  (await server.call(listMedia, { token, params: { contentType: 'melodies' } })).total,
  (await server.call(listPlaylists, { token, params: { x: 'all' } })).total,
]
/** The answer of a count. */
const counted = async () => {
  const { rows } = await superuser.query<{ totals: number[] }>(
    `select array[(select count(*) from devices where client_id = $1 and deleted_at is null),
         (select count(*) from media_items where client_id = $1 and deleted_at is null),
         (select count(*) from playlists where client_id = $1 and deleted_at is null)]::int[] as totals`,
    [large.scope.clientId],
  )
  return rows[0]?.totals
}

test('totals without a search are each client’s own, by kind', async () => {
  const mine = { token: small.token }
  expect((await server.call(listDevices, mine)).total).toBe(7)
  const video = await server.call(listDevices, { ...mine, query: { kind: 'video' } })
  expect([video.total, video.items.length]).toEqual([1, 1])
})

test('totals without a search are kept through adding, deleting, restoring, purging and what is rolled back', async () => {
  const added = await makeDevice(large.scope)
  const media = await makeMedia(large.scope)
  expect(await totals()).toEqual(await counted())
  await server.call(deleteDevice, { token, body: { uid: added.uid } })
  await server.call(deleteMedia, { token, params: { contentType: 'melodies' }, body: { uid: media.uid } })
  expect(await totals()).toEqual(await counted())
  const params = { contentType: 'media', uid: media.uid }
  expect((await server.call(restore, { token, params })).code).toBe(200)
  expect(await totals()).toEqual(await counted())
  const failed = large.scope.write(async writes => {
    await writes.deleteFrom('devices').where('uid', '=', added.uid).execute()
    await writes.updateTable('playlists').set({ deletedAt: new Date() }).execute()
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  expect(await totals()).toEqual(await counted())
  const { clientId } = large.scope
  const old = `deleted_at = now() - interval '31 days'`
  await superuser.query(`update devices set ${old} where client_id = $1 and name like 'Shop 10%'`, [clientId])
  await superuser.query(`update devices set ${old} where uid = $1`, [added.uid])
  expect(await totals()).toEqual(await counted())
  const tomorrow = new Date(Date.now() + 86_400_000)
  expect(await runMaintenance({ ...server.context, now: () => tomorrow })).toMatchObject({
    binned: 1 + 412,
  })
  expect(await totals()).toEqual(await counted())
  const { rows } = await superuser.query('select from list_counts where client_id = $1', [clientId])
  // Two kinds of devices, one of media and of playlists, the bytes of playlists; the bin's going changed none.
  expect(rows).toHaveLength(5)
})

/** The plans of the statements that one client's reads run, nested ones too. */
async function plansOf(clientId: string, read: (scope: ReturnType<typeof clientScope>) => Promise<unknown>) {
  const plans: string[] = []
  const url = new URL(server.superuserUrl)
  const pool = openRolePool({ url: url.href, role: 'floorcast_app', connections: 1, lost: () => undefined })
  pool.on('connect', client => client.on('notice', ({ message = '' }) => plans.push(message)))
  try {
    await read(clientScope(pool, clientId))
  } finally {
    await pool.end()
  }
  return plans.filter(plan => plan.includes('Query Text')).join('\n')
}

describe('what PostgreSQL does', () => {
  beforeAll(async () => {
    const { rows } = await superuser.query<{ name: string }>('select current_database() as name')
    for (const setting of [
      `session_preload_libraries = 'auto_explain'`,
      'auto_explain.log_min_duration = 0',
      'auto_explain.log_nested_statements = on',
      'client_min_messages = log',
    ])
      await superuser.query(`alter database ${rows[0]?.name} set ${setting}`)
  })
  const now = new Date()
  const list = { page: 1, size: 10, search: '', dir: 'asc' as const }
  const all = { kind: 'all' as const }

  test.each([
    ['devices_name', { sort: 'name', page: 500 }],
    ['devices_name', { sort: 'name', dir: 'desc' as const }],
    ['devices_changed', { page: 500 }],
    ['devices_kind', { sort: 'kind' }],
    ['devices_store_number', { sort: 'storeNumber', page: 500 }],
    ['devices_store_number_down', { sort: 'storeNumber', dir: 'desc' as const }],
    ['devices_free', { isFree: true }],
  ])('devices are walked by %s: %j', async (index, asked) => {
    for (const { scope } of [large, small]) {
      const plans = await plansOf(scope.clientId, ({ reads }) =>
        listDeviceRows(reads, { ...list, ...all, ...asked }, now),
      )
      expect(plans).toMatch(new RegExp(`Index Only Scan( Backward)? using ${index} on devices`))
      expect(plans).not.toMatch(/Sort Key: d\.(sort_|changed_at|kind)/)
      // No stored count exists for a filter, so its hits are counted.
      if (!('isFree' in asked)) expect(plans).not.toContain('Seq Scan on devices')
    }
  })

  test.each([
    'name',
    'originalName',
    'description',
    'uploadedAt',
    'sizeBytes',
    'durationSeconds',
    'fileVersion',
  ])('media by %s are walked', async sort => {
    const asked = { ...list, contentType: 'melodies' as const, sort, page: 100 }
    const plans = await plansOf(large.scope.clientId, ({ reads }) => findMediaPage(reads, asked))
    expect(plans).toMatch(/Index (Only )?Scan using media_items_\w+ on media_items/)
    expect(plans).not.toMatch(/Seq Scan on media|Sort Key: (\(?lower|item|uploaded|size|duration)/)
  })

  test('playlists by name are walked', async () => {
    const plans = await plansOf(large.scope.clientId, ({ reads }) =>
      listPlaylistRows(reads, { ...list, ...all, sort: 'name' }),
    )
    expect(plans).toMatch(/Index Only Scan using playlists_name on playlists/)
  })

  test.each([
    ['devices_search', 'shop 77'],
    ['devices_search', 'Ю'],
    ['media_items_search', 'song 77'],
    ['playlists_search', 'mix 77'],
    // Nearly every row has them.
    ['devices_search', 'shop'],
    ['media_items_search', 'song'],
    ['playlists_search', 'mix'],
  ])('a search looks into %s for %s', async (index, search) => {
    const asked = { ...list, search }
    const plans = await plansOf(large.scope.clientId, async ({ reads }) => {
      if (index.startsWith('devices')) await listDeviceRows(reads, { ...asked, ...all }, now)
      else if (index.startsWith('media')) await findMediaPage(reads, { ...asked, contentType: 'melodies' })
      else await listPlaylistRows(reads, { ...asked, ...all })
    })
    expect(plans).toContain(`Bitmap Index Scan on ${index}`)
    expect(plans).not.toMatch(/Seq Scan on (devices|media_items|playlists)|Filter: .*search_keys/)
  })
})

describe('a device search by groups’ names too', () => {
  beforeAll(async () => {
    const { clientId } = large.scope
    const grouped = `
      with g as (insert into groups (uid, client_id, kind, name, created_at, changed_at)
        values (gen_random_uuid(), $1, 'audio', $2, now(), now()) returning uid)
      update devices d set group_uid = g.uid from g where d.client_id = $1 and d.name like $3 and d.group_uid is null`
    for (const [name, devicesNamed] of [
      ['Shop windows', 'Shop 22_'],
      ['Quay shops', 'Shop 33%'],
    ])
      await superuser.query(grouped, [clientId, name, devicesNamed])
  })

  test.each([
    ['quay 333', 11],
    ['quay windows', 0],
    ['windows shop', 10],
    ['quay', 111],
  ])('%j finds %i', async (search, total) => {
    expect((await devices({ search })).total).toBe(total)
  })

  test('looks up the groups by keys of their names, whatever is on there', async () => {
    const { clientId } = large.scope
    await superuser.query(
      `with g as (insert into groups (uid, client_id, kind, name, created_at, changed_at)
         select gen_random_uuid(), $1, 'audio', 'Region ' || n, now(), now() from generate_series(1, 800) n returning uid)
       insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at, changed_at)
       select gen_random_uuid(), $1, 'audio', 'On the air ' || right(g.uid::text, 6), g.uid,
         (select uid from playlists where client_id = $1 and name = 'Mix 77'), 'active', now(), now(), now() from g`,
      [clientId],
    )
    await superuser.query('vacuum analyze groups, publications')
    for (const search of ['quay 333', 'region', 'e', 'mix 333']) {
      const asked = { page: 1, size: 10, search, dir: 'asc' as const, kind: 'all' as const }
      const all = await plansOf(large.scope.clientId, ({ reads }) => listDeviceRows(reads, asked, new Date()))
      // The statement of the search; another one reads the rows of the page.
      const plans = all.split('Query Text').filter(plan => plan.includes('search_'))
      expect(plans.join()).toContain('Bitmap Index Scan on groups_search')
      expect(plans.join()).toContain('Bitmap Index Scan on publications_search')
      expect(plans.join()).not.toMatch(/Seq Scan on (groups|publications|playlists)|Filter: .*search_keys/)
    }
  })

  test.each(['quay 333', 'quay shop'])('computes no row’s keys for %j', async search => {
    const asked = { page: 1, size: 10, search, dir: 'asc' as const, kind: 'all' as const }
    const plans = await plansOf(large.scope.clientId, ({ reads }) => listDeviceRows(reads, asked, new Date()))
    expect(plans).toContain('Bitmap Index Scan on devices_search')
    expect(plans).not.toMatch(/Filter: .*search_keys/)
  })
})
