import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { makePlay, openPlayer, sendPlays } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it, vi } from 'vitest'
import type { Context } from '../context.ts'
import { findMissingFiles, playsOfSession } from '../features/archive/archive.ts'
import { rebuildStatistics, retainStatistics } from '../features/statistics/statistics.ts'
import { collectDueFiles, findUnownedFiles, listStoredFiles } from '../features/uploads/uploads.ts'
import { openLocalFileStore } from '../platform/storage/local-file-store.ts'
import { archiveDays } from './archiving.ts'

const server = await wholeServer({ HOT_DAYS: '8' })
const NOW = '2026-11-21T12:00:00Z'
const query = async (text: string, values: unknown[] = []) =>
  (await asSuperuser(server.superuserUrl, superuser => superuser.query(text, values))).rows as Record<
    string,
    unknown
  >[]
const rest = () => Promise.resolve()
const { signal } = new AbortController()

const archiveAt = (at = NOW, changed: Partial<Context> = {}) =>
  archiveDays({ ...server.context, ...changed, now: () => new Date(at) }, { signal, rest })

/** A shop that has played on each of some days, eight to twelve days ago. */
async function openShop(days = ['2026-11-09', '2026-11-10', '2026-11-11']) {
  server.clock.now = new Date(NOW)
  const { token, scope } = await server.newClient()
  const device = await makeDevice(scope)
  const player = await openPlayer(server, device.licenseKey)
  const mediaUid = randomUUID()
  const bootId = randomUUID()
  let sequence = 0
  const playsOn = (day: string, count = 20): PlayEvent[] =>
    Array.from({ length: count }, () => {
      sequence += 1
      const startedAt = new Date(Date.parse(`${day}T08:00:00Z`) + sequence * 60_000).toISOString()
      const times = { at: startedAt, startedAt, endedAt: startedAt, scheduledAt: startedAt }
      return makePlay(sequence, { id: randomUUID(), bootId, mediaUid, contentType: 'ads', ...times })
    })
  const sent = days.flatMap(day => playsOn(day))
  await sendPlays(server, player, sent)
  const { clientId } = scope
  const count = async () =>
    Number((await query('select count(*) as n from plays where client_id = $1', [clientId]))[0]?.['n'])
  const files = () =>
    query(
      'select day::text, part, sha256, row_count::int as rows from play_archives where client_id = $1 order by 1, 2',
      [clientId],
    )
  const params = {
    from: '2026-11-08',
    to: '2026-11-13',
    zone: 'UTC',
    track: 'all',
    playpoint: 'all',
    playlist: 'all',
  }
  const report = async () => {
    const answer = await server.ask(reportCalls.r1ext.download, {
      token,
      params,
      query: { format: 'csv', lang: 'en' },
    })
    return { status: answer.statusCode, body: answer.body }
  }
  const rows = async () => (await report()).body.trimEnd().split('\n').length - 1
  const pathOf = (sha256: unknown) =>
    join(server.context.settings.dataDir, 'media', clientId, String(sha256).slice(0, 2), String(sha256))
  return {
    token,
    scope,
    clientId,
    player,
    sent,
    playsOn,
    count,
    files,
    report,
    rows,
    pathOf,
    params,
    mediaUid,
  }
}

it('stores a late play of an archived day once, and moves it into a further file when no more can come', async () => {
  const shop = await openShop()
  const before = await shop.report()
  expect(await archiveAt()).toMatchObject({ files: 3, plays: 60, failures: 0 })
  expect(await shop.count()).toBe(0)
  expect(await shop.report()).toEqual(before)

  // All of them once more, as a device does that has missed the answer.
  const again = await server.call(sendEvents, { ...shop.player, body: shop.sent })
  expect(again).toMatchObject({ accepted: 0, duplicates: 60 })
  const late = shop.playsOn('2026-11-10', 5)
  await sendPlays(server, shop.player, late)
  expect(await server.call(sendEvents, { ...shop.player, body: late })).toMatchObject({ duplicates: 5 })
  expect([await shop.count(), await shop.rows()]).toEqual([5, 65])
  const mixed = await shop.report()

  // Few wait for others, until none can come.
  expect(await archiveAt()).toMatchObject({ files: 0 })
  expect(await archiveAt('2027-03-01T12:00:00Z')).toMatchObject({ files: 1, plays: 5 })
  expect((await shop.files()).map(({ day, part, rows }) => [day, part, rows])).toEqual([
    ['2026-11-09', 1, 20],
    ['2026-11-10', 1, 20],
    ['2026-11-10', 2, 5],
    ['2026-11-11', 1, 20],
  ])
  expect(await shop.report()).toEqual(mixed)
  expect(await rebuildStatistics(server.context, shop.clientId)).toMatchObject({ wrong: 0 })
  const sizes = await query(`
    select sum(pg_relation_size(c.oid))::int as bytes from pg_class c where relname in ('plays_20261109', 'plays_20261110')`)
  expect(sizes).toEqual([{ bytes: 0 }])
})

it('refuses the days of a file that is missing, changed or of a newer version, and no others', async () => {
  const shop = await openShop()
  await archiveAt()
  const [file] = await shop.files()
  const path = shop.pathOf(file?.['sha256'])
  const bytes = readFileSync(path)
  const refused = async (reason: RegExp) => {
    const { status, body } = await shop.report()
    expect([status, JSON.parse(body)]).toMatchObject([409, { code: 'archive-unreadable' }])
    expect(body).toMatch(reason)
    expect(body).toContain('2026-11-09')
    const proof = {
      token: shop.token,
      params: { uid: shop.mediaUid, from: '2026-11-08', to: '2026-11-12', zone: 'UTC' },
    }
    expect((await server.ask(downloadProof, proof)).statusCode).toBe(409)
    const later = { ...proof, params: { ...proof.params, from: '2026-11-13', to: '2026-11-20' } }
    expect((await server.ask(downloadProof, later)).statusCode).toBe(200)
  }
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(100) ^ 1, 100)
  writeFileSync(path, changed)
  await refused(/its bytes have changed/)
  writeFileSync(path, bytes)
  await query(`update play_archives set schema_version = 2 where day = '2026-11-09' and client_id = $1`, [
    shop.clientId,
  ])
  await refused(/schema version 2/)
  await query(`update play_archives set schema_version = 1 where day = '2026-11-09' and client_id = $1`, [
    shop.clientId,
  ])
  expect((await shop.report()).status).toBe(200)
  rmSync(path)
  await refused(/it is missing/)
  const look = async (at: string) =>
    (await findMissingFiles({ ...server.context, now: () => new Date(at) })).filter(one =>
      one.startsWith(shop.clientId),
    )
  expect(await look('2026-12-09T12:00:00Z')).toEqual([`${shop.clientId}/2026-11-09/1`])
  expect(await look('2026-12-10T12:00:00Z')).toEqual([])
})

it('calls no file unreadable where its rows cannot be taken', async () => {
  const shop = await openShop(['2026-11-09'])
  await archiveAt()
  const session = await server.database.archived
    .forClient(shop.clientId)
    .open({ timeZone: 'UTC', isOverlaid: true })
  const said: unknown[] = []
  const log = Object.assign(Object.create(server.context.log) as Context['log'], {
    error: (...words: unknown[]) => void said.push(words),
  })
  const files: Context['files'] = {
    ...server.context.files,
    withLocalPath: async (key, read) => {
      await query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'floorcast_archived' and query like 'copy %'`,
      )
      return server.context.files.withLocalPath(key, read)
    },
  }
  const shown = playsOfSession({ files, log }, shop.clientId, session).showPlays({
    from: '2026-11-09',
    to: '2026-11-09',
  })
  await expect(shown).rejects.toThrow(/terminating connection|Connection terminated/)
  session.close()
  expect(said).toEqual([])
})

it('loses and doubles nothing where a run ends in the middle', async () => {
  const shop = await openShop(['2026-11-09'])
  const { files } = server.context
  const broken = () => Promise.reject(new Error('no answer'))
  const changeMeanwhile: Context['files'] = {
    ...files,
    put: async (clientUid, file) => {
      await files.put(clientUid, file)
      await query(`update plays set why = 'alert' where client_id = $1 and sequence = 7`, [shop.clientId])
    },
  }
  const stopped = new AbortController()
  const storedBefore = shop.sent.length
  for (const store of [
    { ...files, put: broken },
    { ...files, put: async (...to: Parameters<typeof files.put>) => files.put(...to).then(broken) },
    { ...files, withLocalPath: broken },
    changeMeanwhile,
  ]) {
    expect(await archiveAt(NOW, { files: store })).toMatchObject({ files: 0, failures: 1 })
    expect([await shop.count(), await shop.files(), await shop.rows()]).toEqual([
      storedBefore,
      [],
      storedBefore,
    ])
  }
  stopped.abort(new Error('the server stops'))
  await expect(
    archiveDays({ ...server.context, now: () => new Date(NOW) }, { signal: stopped.signal, rest }),
  ).rejects.toThrow('the server stops')
  // What the broken runs have stored has no row, and goes.
  await query(`update file_notes set due_at = now() - interval '1 minute' where client_id = $1`, [
    shop.clientId,
  ])
  await collectDueFiles(server.context, server.database)
  const stored = []
  for await (const { key } of files.list()) if (key.clientUid === shop.clientId) stored.push(key.sha256)
  expect(stored).toEqual([])
  expect(await archiveAt()).toMatchObject({ files: 1, plays: storedBefore, failures: 0 })
  expect([await shop.count(), await shop.rows()]).toEqual([0, storedBefore])
})

it('keeps the files of rows, shows them to their client alone, and deletes them with the statistics', async () => {
  const [shop, other] = [await openShop(), await openShop()]
  await archiveAt()
  const hashes = (await shop.files()).map(({ sha256 }) => String(sha256))
  expect((await listStoredFiles(shop.scope.reads)).map(({ sha256 }) => sha256)).toEqual(
    hashes.toSorted((a, b) => (a < b ? -1 : 1)),
  )
  expect((await other.files()).filter(({ sha256 }) => hashes.includes(String(sha256)))).toEqual([])
  expect(await other.scope.reads.selectFrom('playArchives').select('clientId').distinct().execute()).toEqual([
    { clientId: other.clientId },
  ])
  // A sweep leaves them.
  const stranger = 'f'.repeat(64)
  expect(await findUnownedFiles(shop.scope.reads, [...hashes, stranger])).toEqual([stranger])
  // A note of a server that was killed names one of them.
  await query(
    `insert into file_notes (uid, client_id, sha256, due_at) values (gen_random_uuid(), $1, $2, now() - interval '1 minute')`,
    [shop.clientId, hashes[0]],
  )
  await collectDueFiles(server.context, server.database)
  expect(
    await server.context.files.size({ clientUid: shop.clientId, sha256: hashes[0] ?? '' }),
  ).toBeGreaterThan(1000)

  await query(
    `insert into statistics_retention (client_id, kept_from) values ($1, '2026-11-11')
     on conflict (client_id) do update set kept_from = excluded.kept_from, checked_on = null`,
    [shop.clientId],
  )
  expect(await retainStatistics(server.context, () => false)).toMatchObject({ failures: 0 })
  expect((await shop.files()).map(({ day }) => day)).toEqual(['2026-11-11'])
  expect(await server.context.files.size({ clientUid: shop.clientId, sha256: hashes[0] ?? '' })).toBeNull()
  expect(await shop.rows()).toBe(20)
  expect(await other.rows()).toBe(60)
  expect(await other.files()).toHaveLength(3)
})

const KILLED_PLAYS = 6000
/** The lease of the server that was killed ends first, and the job rests fourteen times as long as it works. */
const STAGE = { timeout: 90_000, interval: 20 }

it('loses and doubles nothing where its server is killed', async () => {
  const { database, url, superuserUrl } = await testDatabase()
  const { scope } = await makeClient(database)
  const device = await makeDevice(scope)
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-killed-'))
  atTheEnd(async () => rmSync(dataDir, { recursive: true, force: true }))
  const rowsOf = async (text: string) =>
    (await asSuperuser(superuserUrl, superuser => superuser.query(text))).rows as Record<string, number>[]
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query(`select make_day_partitions('2026-10-01', '2026-10-03')`)
    await superuser.query(
      `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, device_name, media_uid, sha256,
         track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, local_day)
       select day, $2, $2, n, $1, gen_random_uuid(), at, 'Till', $2, repeat('a', 64), 'Tune', 'melodies', at, at, at, 1, 1, 'complete', day
       from generate_series(1, $3::int) n
         cross join lateral (select date '2026-10-01' + n % 3 as day) d cross join lateral (select d.day + n * interval '1 second' as at) a`,
      [scope.clientId, device.uid, KILLED_PLAYS],
    )
  })
  const counts = async () => {
    const [row] = await rowsOf(`
      select (select count(*)::int from plays) as plays, (select coalesce(sum(row_count), 0)::int from play_archives) as archived,
        (select count(*)::int from play_archives) as files, (select count(*)::int from file_notes) as notes`)
    return { plays: 0, archived: 0, files: 0, notes: 0, ...row }
  }
  type Counts = Awaited<ReturnType<typeof counts>>
  const runUntil = async (...stages: ((now: Counts) => boolean)[]) => {
    const { child, ended } = startServerProgram({ DATABASE_URL: url, DATA_DIR: dataDir, HOT_DAYS: '8' })
    for (const isReached of stages)
      await vi.waitFor(async () => expect(isReached(await counts())).toBe(true), STAGE)
    child.kill('SIGKILL')
    await ended
    const { plays, archived } = await counts()
    expect(plays + archived).toBe(KILLED_PLAYS)
  }
  await runUntil(({ notes, files }) => notes + files > 0)
  await runUntil(({ files }) => files > 0)
  await runUntil(
    ({ files }) => files > 1,
    ({ plays }) => plays === 0,
  )
  const { files } = await counts()
  expect(files).toBe(3)
  const session = await database.archived
    .forClient(scope.clientId)
    .open({ timeZone: 'UTC', isOverlaid: true })
  const store = await openLocalFileStore(join(dataDir, 'media'))
  const reads = playsOfSession({ files: store, log: server.context.log }, scope.clientId, session)
  await reads.showPlays({ from: '2026-10-01', to: '2026-10-03' })
  const [read] = await reads
    .selectFrom('plays')
    .select(eb => [
      eb.fn.countAll<number>().as('plays'),
      eb.fn.count<number>('eventUid').distinct().as('events'),
    ])
    .execute()
  session.close()
  expect(read).toEqual({ plays: KILLED_PLAYS, events: KILLED_PLAYS })
})
