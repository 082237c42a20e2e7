import { makeClient, makeDevice, TEST_NOW } from '@floorcast/testing/factories.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { uuidV7 } from '../lib/uuid-v7.ts'
import type { Reads } from './client-scope.ts'

const { database, superuserUrl } = await testDatabase()
const { ingest } = database

async function someDevice() {
  const { scope, clientId } = await makeClient(database)
  const { uid } = await makeDevice(scope)
  const play = (day: string, sequence: number) => ({
    day,
    deviceUid: uid,
    bootUid: uid,
    sequence,
    clientId,
    eventUid: uuidV7(),
    receivedAt: TEST_NOW,
    deviceName: 'Till radio',
    mediaUid: uuidV7(),
    sha256: 'a'.repeat(64),
    trackName: 'Tune',
    contentType: 'melodies' as const,
    scheduledAt: `${day}T08:00:00Z`,
    startedAt: `${day}T08:00:00Z`,
    endedAt: `${day}T08:03:00Z`,
    secondsPlayed: 180,
    durationSeconds: 180,
    result: 'complete' as const,
  })
  return { scope, clientId, uid, play }
}

const playDays = async (reads: Reads) =>
  (await reads.selectFrom('plays').select('day').orderBy('day').execute()).map(row => row.day)

test('plays of several clients go in at once; each client sees its own', async () => {
  const [one, other] = [await someDevice(), await someDevice()]
  await ingest.ensureDays(['2026-11-20', '2026-11-21'])
  await ingest.write(writes =>
    writes
      .insertInto('plays')
      .values([one.play('2026-11-20', 1), other.play('2026-11-21', 1), one.play('2026-11-21', 2)])
      .execute(),
  )
  expect(await playDays(one.scope.reads)).toEqual(['2026-11-20', '2026-11-21'])
  expect(await playDays(other.scope.reads)).toEqual(['2026-11-21'])
})

test('an event number of a boot goes in once', async () => {
  const { play } = await someDevice()
  await ingest.ensureDays(['2026-11-20'])
  const put = () => ingest.write(writes => writes.insertInto('plays').values(play('2026-11-20', 7)).execute())
  await put()
  await expect(put()).rejects.toThrow(/duplicate key/)
})

test('a day without a partition refuses rows until it is made; many at once make it once', async () => {
  const { play, scope } = await someDevice()
  const day = '2026-08-25'
  const put = () => ingest.write(writes => writes.insertInto('plays').values(play(day, 1)).execute())
  await expect(put()).rejects.toThrow(/no partition/)
  await Promise.all([1, 2, 3, 4].map(() => ingest.ensureDays([day])))
  await put()
  expect(await playDays(scope.reads)).toEqual([day])
  const made = await database.jobs.makeDayPartitions(day, '2026-08-26')
  expect(made).toBe(3)
})

test('received numbers are one multirange, from which duplicates and gaps come', async () => {
  const { uid, clientId, scope } = await someDevice()
  const boot = { deviceUid: uid, bootUid: uid, clientId, firstSeenAt: TEST_NOW, lastSeenAt: TEST_NOW }
  await ingest.write(async writes => {
    await writes.insertInto('deviceBoots').values(boot).execute()
    for (const range of ['[1,5)', '[9,12)', '[4,7)'])
      await writes
        .updateTable('deviceBoots')
        .set({ received: sql<string>`received + int8multirange(${range}::int8range)` })
        .where('deviceUid', '=', uid)
        .execute()
  })
  const [row] = await scope.reads.selectFrom('deviceBoots').select('received').execute()
  expect(row).toEqual({ received: '{[1,7),[9,12)}' })
})

test('state of a device that its client does not own is refused', async () => {
  const [one, other] = [await someDevice(), await someDevice()]
  const crossed = ingest.write(writes =>
    writes.insertInto('deviceStates').values({ deviceUid: one.uid, clientId: other.clientId }).execute(),
  )
  await expect(crossed).rejects.toThrow(/foreign key/)
})

test('a lost connection rejects what runs on it and nothing else', async () => {
  const { scope } = await someDevice()
  const asleep = sql`select pg_sleep(60)`.execute(scope.reads).catch((error: unknown) => String(error))
  await asSuperuser(superuserUrl, async superuser => {
    await expect
      .poll(async () => {
        const ended = await superuser.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'floorcast_app' and query like 'select pg_sleep%' and datname = current_database()",
        )
        return ended.rowCount
      })
      .toBeGreaterThan(0)
  })
  expect(await asleep).toMatch(/terminating connection/)
  expect(await playDays(scope.reads)).toEqual([])
})
