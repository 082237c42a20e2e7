import { asSuperuser, emptyDatabase } from '@floorcast/testkit/test-database.ts'
import { expect, test } from 'vitest'
import { uuidV7 } from '../uuid-v7.ts'
import { migrateDatabase, readMigrations } from './migrations.ts'

test('publications on the air get their words, and devices their manifests’ rows, where they were before the migrations', async () => {
  const { url, superuserUrl } = await emptyDatabase()
  await migrateDatabase(
    url,
    readMigrations().filter(({ name }) => name < '0046'),
  )
  const [client, group, device, playlist] = Array.from({ length: 4 }, () => uuidV7())
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query(`
      insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
        values ('${client}', 'Shops', 'trial', now(), now(), now());
      insert into groups (uid, client_id, kind, name, created_at, changed_at)
        values ('${group}', '${client}', 'audio', 'North', now(), now());
      insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
        values ('${device}', '${client}', 'audio', 'Till', 'KEY', now(), now());
      insert into playlists (uid, client_id, kind, name, created_at, changed_at)
        values ('${playlist}', '${client}', 'audio', 'Mix', now(), now());
      insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at, changed_at)
        values ('${uuidV7()}', '${client}', 'audio', 'Air', '${group}', '${playlist}', 'active', now(), now(), now())`)
  })
  await migrateDatabase(url)
  const kept = await asSuperuser(superuserUrl, superuser =>
    superuser.query(`select
      (select on_air_words from publications) as words,
      (select is_stale from device_manifests where device_uid = '${device}') as manifest`),
  )
  expect(kept.rows).toEqual([{ words: 'air\u001fmix', manifest: true }])
})
