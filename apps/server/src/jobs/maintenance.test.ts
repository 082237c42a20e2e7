import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeClient, makeDevice, makeMedia, type TestClient } from '@floorcast/testing/factories.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { openBus } from '../platform/bus/bus.ts'
import { openDatabase } from '../platform/database/database.ts'
import { makeLog } from '../platform/log/log.ts'
import { openIncomingFiles } from '../platform/storage/incoming-files.ts'
import { openLocalFileStore } from '../platform/storage/local-file-store.ts'
import { uuidV7 } from '../platform/lib/uuid-v7.ts'
import { openJobs } from './jobs.ts'
import { purgeAlerts, purgeAudit } from './maintenance-queries.ts'
import { Metrics } from '../platform/metrics/metrics.ts'
import { runMaintenance, startMaintenance } from './maintenance.ts'

const { database, url, superuserUrl } = await testDatabase()
const log = makeLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'floorcast-maintenance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const files = await openLocalFileStore(folder)
const incoming = await openIncomingFiles(folder, { share: 0, atLeastBytes: 0, atMostBytes: 0 })
const DAY = 86_400_000
/** Each test has a separate day: maintenance runs once a day. */
let today = Date.parse('2027-03-01T08:00:00Z')
const settings = { auditDays: 100 }
const nextDay = () => ({ database, files, log, settings, now: () => new Date((today += DAY)) })
const at = (days: number) => new Date(today + days * DAY)

const partitions = () =>
  asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ name: string }>(
      `select relname as name from pg_class where relispartition and relkind = 'r' order by 1`,
    )
    return rows.map(({ name }) => name)
  })

/** A session, a ticket, a reservation, an upload and a message of a device, each ended on its day. */
async function addRows({ scope, clientId, userUid }: TestClient, ended: Date) {
  const device = await makeDevice(scope)
  const far = at(30)
  await scope.write(async writes => {
    const session = (over: object) => {
      const values = { clientId, userUid, createdAt: at(-40), lastUsedAt: at(-40) }
      const ends = { idleExpiresAt: far, expiresAt: far, ...over }
      const row = { uid: uuidV7(), tokenHash: randomBytes(32), ...values, ...ends }
      return writes.insertInto('sessions').values(row).returning('uid').executeTakeFirstOrThrow()
    }
    for (const over of [{ idleExpiresAt: ended }, { expiresAt: ended }, { revokedAt: ended }])
      await session(over)
    const { uid: sessionUid } = await session({})
    const ticket = { clientId, sessionUid, path: '/x', isOnce: false, expiresAt: ended }
    await writes
      .insertInto('tickets')
      .values({ ...ticket, ticketHash: randomBytes(32) })
      .execute()
    const reservation = { clientId, userUid, sizeBytes: 1, createdAt: at(-40), expiresAt: ended }
    await writes
      .insertInto('storageReservations')
      .values({ uid: uuidV7(), ...reservation })
      .execute()
    const file = { contentType: 'ads' as const, originalName: 'Half.mp3', sizeBytes: 1, metadata: '{}' }
    await writes
      .insertInto('uploads')
      .values({ uid: uuidV7(), clientId, userUid, ...file, createdAt: at(-40), expiresAt: ended })
      .execute()
    const message = {
      clientId,
      deviceUid: device.uid,
      type: 'command' as const,
      body: '{}',
      createdAt: at(-40),
    }
    for (const [acknowledgedAt, expiresAt] of [
      [ended, far],
      [null, far],
      [null, ended],
    ])
      await writes
        .insertInto('deviceOutbox')
        .values({ uid: uuidV7(), ...message, acknowledgedAt, expiresAt: expiresAt ?? far })
        .execute()
  })
}

test('a fortnight of partitions is made ahead, and each day one more of each kind', async () => {
  await runMaintenance(nextDay())
  const first = await partitions()
  expect(first).toEqual(expect.arrayContaining(['plays_20270301', 'plays_20270316', 'heartbeats_20270316']))
  await runMaintenance(nextDay())
  const fresh = (await partitions()).filter(name => !first.includes(name))
  expect(fresh).toEqual(['device_logs_20270317', 'heartbeats_20270317', 'plays_20270317'])
})

test('what ended over a day ago goes, in every client; what lives or has just ended stays', async () => {
  const clients = [await makeClient(database), await makeClient(database)]
  const context = nextDay()
  const now = context.now()
  for (const client of clients) {
    await addRows(client, new Date(now.getTime() - 2 * DAY))
    await addRows(client, new Date(now.getTime() - DAY / 2))
  }
  const purged = await runMaintenance({ ...context, now: () => now })
  expect(purged).toEqual({
    sessions: 6,
    tickets: 2,
    reservations: 2,
    uploads: 2,
    messages: 4,
    deviceFiles: 0,
    boots: 0,
    programmes: 0,
    binned: 0,
    audited: 0,
  })
  for (const { scope } of clients) {
    const left = await scope.reads.selectFrom('sessions').select('uid').execute()
    // Three that ended half a day ago, and the living one of each call.
    expect(left).toHaveLength(5)
    expect(await scope.reads.selectFrom('deviceOutbox').select('uid').execute()).toHaveLength(4)
  }
})

test('what was counted of a boot goes when it was silent for longer than a device keeps events', async () => {
  const { scope, clientId } = await makeClient(database)
  const { uid: deviceUid } = await makeDevice(scope)
  const context = nextDay()
  const now = context.now()
  const silentFor = [90, 119, 122, 400]
  await asSuperuser(superuserUrl, async superuser => {
    for (const days of silentFor)
      await superuser.query(
        `insert into device_boots (client_id, device_uid, boot_uid, first_seen_at, last_seen_at)
         values ($1, $2, $3, $4, $5)`,
        [clientId, deviceUid, uuidV7(), at(-500), at(-days)],
      )
  })
  expect(await runMaintenance({ ...context, now: () => now })).toMatchObject({ boots: 2 })
  const left = await scope.reads
    .selectFrom('deviceBoots')
    .select('lastSeenAt')
    .orderBy('lastSeenAt')
    .execute()
  expect(left.map(boot => boot.lastSeenAt)).toEqual([at(-119), at(-90)].map(moment => moment.toISOString()))
})

test('the length of a file outlives it for as long as plays of it may come', async () => {
  const { scope } = await makeClient(database)
  const { uid } = await makeMedia(scope, { durationSeconds: 30 })
  const read = () => scope.reads.selectFrom('mediaLengths').select(['durationSeconds', 'goneOn']).execute()
  await runMaintenance(nextDay())
  expect(await read()).toEqual([{ durationSeconds: 30, goneOn: null }])
  await scope.write(writes => writes.deleteFrom('mediaFiles').where('mediaUid', '=', uid).execute())
  await runMaintenance(nextDay())
  today += 119 * DAY
  await runMaintenance(nextDay())
  expect(await read()).toMatchObject([{ durationSeconds: 30 }])
  await runMaintenance(nextDay())
  expect(await read()).toEqual([])
})

test('a programme that no change has named for a month goes', async () => {
  const { scope, clientId } = await makeClient(database)
  const context = nextDay()
  const now = context.now()
  await scope.write(async writes => {
    for (const [index, days] of [0, 29, 32, 400].entries()) {
      const sha256 = String(index).repeat(64)
      const values = {
        clientId,
        sha256,
        body: Buffer.from('x'),
        madeAt: new Date(now.getTime() - days * DAY),
      }
      await writes.insertInto('programmes').values(values).execute()
    }
  })
  expect(await runMaintenance({ ...context, now: () => now })).toMatchObject({ programmes: 2 })
  expect(await scope.reads.selectFrom('programmes').select('sha256').execute()).toHaveLength(2)
})

test('the audit keeps its days, and nothing of another client goes', async () => {
  const clients = [await makeClient(database), await makeClient(database)]
  const context = nextDay()
  const now = context.now()
  const daysOld = [0, 99, 101, 900]
  for (const { scope, clientId } of clients)
    for (const days of daysOld)
      await scope.write(writes =>
        writes
          .insertInto('auditEntries')
          .values({
            uid: uuidV7(),
            clientId,
            at: new Date(now.getTime() - days * DAY),
            userName: 'olga@example.com',
            action: 'edit',
            thing: 'group',
          })
          .execute(),
      )
  expect(await runMaintenance({ ...context, now: () => now })).toMatchObject({ audited: 4 })
  for (const { scope } of clients) {
    const left = await scope.reads.selectFrom('auditEntries').select('at').execute()
    expect(left).toHaveLength(2)
  }
})

test('of more entries and ended alerts than a client has room for, the oldest go', async () => {
  const client = await makeClient(database)
  const other = await makeClient(database)
  for (const { scope, clientId } of [client, other])
    for (const days of [1, 2, 3, 4]) {
      const recorded = { uid: uuidV7(), clientId, at: at(-days), userName: 'olga@example.com' }
      const alert = { uid: uuidV7(), clientId, kind: 'air' as const, beganAt: at(-days) }
      await scope.write(async writes => {
        await writes
          .insertInto('auditEntries')
          .values({ ...recorded, action: 'edit', thing: 'group' })
          .execute()
        await writes
          .insertInto('alerts')
          .values({ ...alert, endedAt: days === 4 ? null : at(-days) })
          .execute()
      })
    }
  const jobs = database.jobs.forClient(client.clientId)
  expect(await jobs.write(writes => purgeAudit(writes, at(-100), 2))).toBe(2)
  await jobs.write(writes => purgeAlerts(writes, 2))
  const left = async ({ scope }: TestClient) => [
    (await scope.reads.selectFrom('auditEntries').select('at').execute()).length,
    (await scope.reads.selectFrom('alerts').select('uid').execute()).length,
  ]
  // An alert that is on stays.
  expect(await left(client)).toEqual([2, 3])
  expect(await left(other)).toEqual([4, 4])
})

test('one of several servers does the maintenance of a day; the others find it done', async () => {
  const other = openDatabase({ url, lost: () => undefined })
  try {
    const now = nextDay().now()
    const servers = [database, other, database, other].map(each => ({
      database: each,
      files,
      log,
      settings,
      now: () => now,
    }))
    const did = await Promise.all(servers.map(one => runMaintenance(one)))
    expect(did.filter(purged => purged !== null)).toHaveLength(1)
    expect(await Promise.all(servers.map(one => runMaintenance(one)))).toEqual([null, null, null, null])
  } finally {
    await other.close()
  }
})

test('while another server holds the lock nothing is done, and the lock goes with its holder', async () => {
  const context = nextDay()
  const now = context.now()
  const before = await partitions()
  await database.jobs.withAdvisoryLock('maintenance', async () => {
    expect(await runMaintenance({ ...context, now: () => now })).toBeNull()
  })
  expect(await partitions()).toEqual(before)
  await expect(
    database.jobs.withAdvisoryLock('maintenance', () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no')
  expect(await runMaintenance({ ...context, now: () => now })).not.toBeNull()
})

test('a client whose purge fails stops no other', async () => {
  const [broken, sound] = [await makeClient(database), await makeClient(database)]
  const context = nextDay()
  const now = context.now()
  for (const client of [broken, sound]) await addRows(client, new Date(now.getTime() - 2 * DAY))
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$;
      create trigger refuse before delete on tickets for each row
        when (old.client_id = '${broken.clientId}') execute function refuse()`),
  )
  const purged = await runMaintenance({ ...context, now: () => now })
  await asSuperuser(superuserUrl, superuser => superuser.query('drop trigger refuse on tickets'))
  expect(purged).toMatchObject({ tickets: 1, reservations: 1 })
  expect(await broken.scope.reads.selectFrom('tickets').select('path').execute()).toHaveLength(1)
})

test('it looks at once and again and again, also after a failure, until it is stopped', async () => {
  const error = vi.spyOn(log, 'error')
  const info = vi.spyOn(log, 'info')
  let looks = 0
  // The first check finds an invalid clock.
  const now = () => (looks++ === 0 ? new Date('1970-01-01T00:00:00Z') : new Date((today += DAY)))
  const bus = await openBus({ url, lost: () => undefined })
  const jobs = openJobs({ database, bus, log, metrics: new Metrics(), now: () => new Date() }, 'server one')
  const stop = startMaintenance({ database, files, incoming, log, settings, now }, jobs, 5)
  await eventually(() => expect(info).toHaveBeenCalledWith(expect.anything(), 'daily maintenance'))
  await stop()
  await bus.close()
  expect(error).toHaveBeenCalledTimes(1)
  const after = looks
  await new Promise(resolve => setTimeout(resolve, 50))
  expect(looks).toBe(after)
})
