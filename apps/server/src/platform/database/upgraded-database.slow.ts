import { fillReleased, releasedDatabase } from '@floorcast/testing/released-database.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'
import { uuidV7 } from '../lib/uuid-v7.ts'
import { openDatabase } from './database.ts'
import { migrateDatabase, readMigrations } from './migrations.ts'

/** A database of 2.775.0 with the migrations before one. */
async function databaseBefore(name: string) {
  const urls = await releasedDatabase()
  await migrateDatabase(
    urls.url,
    readMigrations().filter(migration => migration.name < name),
  )
  return urls
}

test('an upgrade keeps the rows of the demonstration of 2.775.0', async () => {
  const { url, superuserUrl } = await releasedDatabase()
  const {
    // Each has other rows after the upgrade.
    device_outbox: _outbox,
    list_counts: _counts,
    publication_holdings: _holdings,
    ...filled
  } = await fillReleased(superuserUrl)
  await migrateDatabase(url)
  const counts = await asSuperuser(superuserUrl, async superuser => {
    const tables = Object.keys(filled).map(
      table => `select '${table}' as name, count(*)::int as rows from ${table}`,
    )
    return (await superuser.query<{ name: string; rows: number }>(tables.join(' union all '))).rows
  })
  expect(Object.fromEntries(counts.map(({ name, rows }) => [name, rows]))).toEqual(filled)
})

test('an older database with data keeps it after the migrations', async () => {
  const { url, superuserUrl } = await releasedDatabase()
  const [client, group, device, playlist, media] = Array.from({ length: 5 }, () => uuidV7())
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into groups (uid, client_id, kind, name, description, created_at, changed_at)
        values ('${group}', '${client}', 'audio', 'North', E'first\\r\\nsecond\\rthird', now(), now());
      insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
        values ('${device}', '${client}', 'audio', 'Till', 'KEY', now(), now());
      insert into playlists (uid, client_id, kind, name, created_at, changed_at)
        values ('${playlist}', '${client}', 'audio', 'Mix', now(), now());
      insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at, changed_at)
        values ('${uuidV7()}', '${client}', 'audio', 'Air', '${group}', '${playlist}', 'active', now(), now(), now());
      insert into media_items (uid, client_id, content_type, name, original_name, created_at, changed_at)
        values ('${media}', '${client}', 'melodies', 'Song', 'song.mp3', now(), now());
      insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds, uploaded_at)
        values ('${media}', 1, '${client}', repeat('0', 64), 'audio/mpeg', 1000, 180, now())`)
  })
  await migrateDatabase(url)
  const kept = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`select
      (select on_air_words from publications) as words,
      (select description from groups) as description,
      (select array[store_number, sort_store_number, search_text] from devices) as device,
      (select made_own_revision is null and etag = '' from device_manifests where device_uid = '${device}') as manifest,
      (select array[size_bytes, duration_seconds] from media_items) as file,
      (select jsonb_object_agg(list, change) from list_counts) as counts`),
  )
  expect(kept.rows).toEqual([
    {
      words: 'air\u001fmix',
      description: 'first\nsecond\nthird',
      device: ['', null, 'till\u001f\u001f'],
      manifest: true,
      file: [1000, 180],
      counts: { devices: 1, media: 1, playlists: 1, 'playlist-bytes': 500 },
    },
  ])
})

test('an upgrade gives all names their sort keys, and the lists their indexes', async () => {
  const { url, superuserUrl } = await databaseBefore('0115')
  const [client, group, playlist] = Array.from({ length: 3 }, () => uuidV7())
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into groups (uid, client_id, kind, name, created_at, changed_at)
        values ('${group}', '${client}', 'audio', 'Ñandú 10', now(), now());
      insert into devices (uid, client_id, kind, name, group_uid, license_key, created_at, changed_at)
        values ('${uuidV7()}', '${client}', 'audio', 'Málaga 007', '${group}', 'KEY', now(), now());
      insert into playlists (uid, client_id, kind, name, created_at, changed_at)
        values ('${playlist}', '${client}', 'audio', 'Ｍｉｘ', now(), now());
      insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at, changed_at)
        values ('${uuidV7()}', '${client}', 'audio', 'فرع ١٢', '${group}', '${playlist}', 'active', now(), now(), now());
      insert into media_items (uid, client_id, content_type, name, original_name, artist, created_at, changed_at)
        values ('${uuidV7()}', '${client}', 'melodies', 'Song', 'Track 9.mp3', 'Édith', now(), now())`),
  )
  await migrateDatabase(url)
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`select
      (select sort_name from groups) as group, (select sort_name from devices) as device,
      (select sort_name from playlists) as playlist, (select sort_name from publications) as publication,
      (select array[sort_name, sort_original_name, sort_artist] from media_items) as media,
      (select on_air_words from publications) as words,
      (select array_agg(indexrelid::regclass::text order by indexrelid::regclass::text) from pg_index i
        where pg_get_indexdef(indexrelid) ~ 'sort_(name|original_name|artist)') as indexes`),
  )
  expect(rows).toEqual([
    {
      group: 'n\uE000andu 210',
      device: 'malaga 17',
      playlist: 'mix',
      publication: 'فرع 212',
      media: ['song', 'track 19.mp13', 'edith'],
      words: 'فرع ١٢\u001fmix',
      indexes: [
        'devices_group',
        'devices_name',
        'media_items_artist',
        'media_items_name',
        'media_items_original_order',
        'playlists_name',
      ],
    },
  ])
})

test('an older database signs in users as before: its auth functions have their new names and its old role no rights', async () => {
  const { url, superuserUrl } = await releasedDatabase()
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(
      `select door_register('${uuidV7()}', 'Shops', 'trial', now() + interval '30 days', '${uuidV7()}', 'ann@shops.test', 'hash', 'Ann', 'Lee', now())`,
    ),
  )
  await migrateDatabase(url)
  const database = openDatabase({ url, lost: () => undefined })
  try {
    expect(await database.auth.userByEmail('ann@shops.test')).toMatchObject({
      firstName: 'Ann',
      role: 'admin',
    })
  } finally {
    await database.close()
  }
  const former = await asSuperuser(superuserUrl, superuser =>
    superuser.query(
      `select oid::regprocedure from pg_proc
       where pronamespace = 'public'::regnamespace and (proname like 'door%' or has_function_privilege('floorcast_door', oid, 'execute')
         and not has_function_privilege('public', oid, 'execute'))`,
    ),
  )
  expect(former.rows).toEqual([])
})

test('manifests of the former form are made again after the migration to programmes, and keep their numbers', async () => {
  const { url, superuserUrl } = await databaseBefore('0064')
  const [client, device] = [uuidV7(), uuidV7()]
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
        values ('${device}', '${client}', 'audio', 'Loud', 'KEY', now(), now());
      update device_manifests set is_stale = false, generation = 7, etag = '"former"', body = '{"data":{}}';
      insert into device_outbox (uid, client_id, device_uid, type, body, created_at)
        values ('${uuidV7()}', '${client}', '${device}', 'manifest', '{}', now()),
          ('${uuidV7()}', '${client}', '${device}', 'command', '{"command": "restart"}', now())`),
  )
  await migrateDatabase(url)
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      select generation, etag, made_own_revision, (select array_agg(type) from device_outbox) as waiting
      from device_manifests`),
  )
  expect(rows).toEqual([{ generation: '7', etag: '', made_own_revision: null, waiting: ['command'] }])
})

test('an upgrade sums former plays by track, and has those by group counted', async () => {
  const { url, superuserUrl } = await databaseBefore('0094')
  const [client, other, device, media] = Array.from({ length: 4 }, () => uuidV7())
  const gone = uuidV7()
  const sum = (day: string, deviceUid: string | undefined, plays: number) =>
    `('${client}', '${day}', '${deviceUid}', '${media}', 'ads', ${plays}, 1, ${plays}000, '${day} 08:00Z', '${day} 09:00Z')`
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        select unnest('{${client},${other}}'::uuid[]), 'Shops', 'trial', now(), now(), now();
      insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
        values ('${device}', '${client}', 'audio', 'Till', 'KEY', now(), now());
      select make_day_partitions('2026-10-30', '2026-11-01');
      insert into play_days (client_id, local_day, device_uid, media_uid, content_type, plays, complete_plays, played_ms,
        first_at, last_at) values ${sum('2026-10-31', device, 3)}, ${sum('2026-10-31', gone, 4)}, ${sum('2026-11-01', gone, 5)};
      insert into statistics_retention (client_id, kept_from) values ('${client}', '2026-10-31');
      insert into history_counts (client_id, kind, day, row_count, byte_count)
        select '${client}', 'plays', generate_series('2026-10-30', '2026-11-01', interval '1 day'), 1, 700`),
  )
  await migrateDatabase(url)
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      select local_day::text, plays, complete_plays, played_ms::int, first_at::time::text, last_at::time::text,
        array(select device_uid from play_devices p where p.client_id = d.client_id and device_block = 0
          and get_bit(devices, number) = 1 order by 1) as devices
      from play_media_days d order by 1`),
  )
  const times = { first_at: '08:00:00', last_at: '09:00:00' }
  expect(rows).toEqual([
    {
      local_day: '2026-10-31',
      plays: 7,
      complete_plays: 2,
      played_ms: 7000,
      ...times,
      devices: [device, gone],
    },
    { local_day: '2026-11-01', plays: 5, complete_plays: 1, played_ms: 5000, ...times, devices: [gone] },
  ])
  const uncounted = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`select day::text from uncounted_days where day < '2026-11-02' order by 1`),
  )
  expect(uncounted.rows).toEqual([{ day: '2026-10-31' }, { day: '2026-11-01' }])
})

test('an upgrade has the delivered plays of the days with rows counted', async () => {
  const { url, superuserUrl } = await databaseBefore('0099')
  const client = uuidV7()
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into statistics_retention (client_id, kept_from) values ('${client}', '2026-10-31');
      insert into history_counts (client_id, kind, day, row_count, byte_count)
        select '${client}', 'plays', generate_series('2026-10-30', '2026-11-01', interval '1 day'), 1, 700`),
  )
  await migrateDatabase(url)
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query<{ day: string; isComing: boolean }>(
      `select day::text, day >= current_date - 1 as "isComing" from uncounted_days order by 1`,
    ),
  )
  expect(rows.filter(({ isComing }) => !isComing).map(({ day }) => day)).toEqual(['2026-10-31', '2026-11-01'])
  // Servers of the former version may still store plays of these days.
  expect(rows.filter(({ isComing }) => isComing)).toHaveLength(4)
})

test('an upgrade knows the lengths of former files by the audit: late plays of them count', async () => {
  const { url, superuserUrl } = await databaseBefore('0117')
  const [client, song, gone] = [uuidV7(), uuidV7(), uuidV7()]
  const hash = (letter: string) => letter.repeat(64)
  const audit = ({ media = song, day = '', action = 'replace', changes = {} }) =>
    `('${uuidV7()}', '${client}', '2026-10-${day}', 'Olga', '${action}', 'media', '${media}', '${JSON.stringify(changes)}')`
  const first = { contentType: [null, 'ads'], hash: [null, hash('a')], durationSeconds: [null, 30] }
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into media_items (uid, client_id, content_type, name, original_name, created_at, changed_at)
        values ('${song}', '${client}', 'ads', 'Spring', 'spring.mp3', now(), now());
      insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds, uploaded_at)
        values ('${song}', 4, '${client}', repeat('d', 64), 'audio/mpeg', 1000, 20, now());
      insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, changes) values
        ${[
          audit({ day: '01', action: 'add', changes: first }),
          // A file of the same length says no length.
          audit({ day: '02', changes: { hash: [hash('a'), hash('b')] } }),
          audit({ day: '03', changes: { hash: [hash('b'), hash('c')], durationSeconds: [30, 25] } }),
          audit({ day: '04', action: 'edit', changes: { name: ['Sprin', 'Spring'] } }),
          // Deleted since.
          audit({ day: '05', media: gone, action: 'add', changes: { ...first, hash: [null, hash('e')] } }),
        ].join(', ')}`),
  )
  await migrateDatabase(url)
  const { rows } = await asSuperuser(superuserUrl, superuser =>
    superuser.query(
      `select media_uid = '${song}' as "isSong", sha256, content_type as kind, duration_seconds as seconds
       from media_lengths order by sha256`,
    ),
  )
  const file = (sha256: string, seconds: number, isSong = true) => ({
    isSong,
    sha256,
    kind: 'ads',
    seconds,
  })
  expect(rows).toEqual([
    file(hash('a'), 30),
    file(hash('b'), 30),
    file(hash('c'), 25),
    file(hash('d'), 20),
    file(hash('e'), 30, false),
  ])
})
