import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerDeviceHost] })

async function openDevice() {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio' })
  return { scope, uid, player: await openPlayer(server, licenseKey) }
}

/** Past row-level security. */
const query = (sql: string, values: unknown[]) =>
  asSuperuser(server.superuserUrl, superuser => superuser.query<Record<string, unknown>>(sql, values))

test('a boot with a thousand gaps gets no further one: events that close them are stored, others refused', async () => {
  const { player } = await openDevice()
  const bootId = randomUUID()
  const send = (numbers: number[]) =>
    server.call(sendEvents, { ...player, body: numbers.map(sequence => makePlay(sequence, { bootId })) })
  const odd = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + 2 * at)
  expect(await send(odd(1, 500))).toMatchObject({ code: 200, accepted: 500 })
  expect(await send(odd(1001, 500))).toMatchObject({ code: 200, accepted: 500 })
  const further = await send([2001, 2, 1])
  expect(further).toMatchObject({ code: 303, accepted: 1, duplicates: 1, refused: [{}] })
  expect(further.refused[0]?.why).toMatch(/^sequence: .*1000 gaps/)
  expect(await send([2001])).toMatchObject({ code: 200, accepted: 1 })
})

test('numbers of refused events make no more gaps either', async () => {
  const { uid, player } = await openDevice()
  const bootId = randomUUID()
  for (const from of [1, 1001, 2001]) {
    const body = Array.from({ length: 500 }, (_, at) => ({ bootId, sequence: from + 2 * at }))
    await server.call(sendEvents, { ...player, body })
  }
  const { rows } = await query(
    'select (select count(*)::int from unnest(received)) as ranges from device_boots where device_uid = $1',
    [uid],
  )
  expect(rows).toEqual([{ ranges: 1000 }])
})

test('a device with ten thousand boots can report these, but no further one', async () => {
  const { scope, uid, player } = await openDevice()
  const known = randomUUID()
  await server.call(sendEvents, { ...player, body: [makePlay(1, { bootId: known })] })
  await query(
    `insert into device_boots (device_uid, boot_uid, client_id, first_seen_at, last_seen_at)
     select $1, gen_random_uuid(), $2, now(), now() from generate_series(1, 9999)`,
    [uid, scope.clientId],
  )
  const body = [makePlay(2, { bootId: known }), makePlay(1, { bootId: randomUUID() })]
  const answer = await server.call(sendEvents, { ...player, body })
  expect(answer).toMatchObject({ code: 303, accepted: 1, refused: [{ id: body[1]?.id }] })
  expect(answer.refused[0]?.why).toMatch(/^bootId: .*10000 boots/)
})

test('ids are looked up by their index, also beside many plays of a day without statistics', async () => {
  const { uid, player, scope } = await openDevice()
  let sequence = 0
  // Failed plays are on no timeline: nothing but their ids is looked up, also while the statistics are awaited.
  const send = (count: number) =>
    server.call(sendEvents, {
      ...player,
      body: Array.from({ length: count }, () =>
        makePlay((sequence += 1), { result: 'failed', secondsPlayed: 0 }),
      ),
    })
  expect(await send(1)).toMatchObject({ accepted: 1 })
  const { rows } = await query('select tableoid::regclass::text as name from plays where device_uid = $1', [
    uid,
  ])
  const partition = String(rows[0]?.['name'])
  await query(`alter table ${partition} set (autovacuum_enabled = off)`, [])
  await query(
    `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, device_name, media_uid, sha256,
       track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result)
     select day, device_uid, gen_random_uuid(), n, client_id, gen_random_uuid(), received_at, device_name, media_uid, sha256,
       track_name, content_type, scheduled_at, started_at - n * interval '20 seconds', ended_at - n * interval '20 seconds',
       seconds_played, duration_seconds, result
     from plays, generate_series(1, 20000) as n where client_id = $1`,
    [scope.clientId],
  )
  // PostgreSQL turns to a plan for all values after the fifth call.
  for (let calls = 0; calls < 10; calls += 1) expect(await send(100)).toMatchObject({ accepted: 100 })
  await eventually(async () => {
    await send(1)
    const read = await query(
      `select sum(idx_scan) filter (where indexrelname like '%event%')::int as looks, sum(idx_tup_read)::int as rows
       from pg_stat_user_indexes where relname = $1`,
      [partition],
    )
    const { looks, rows } = read.rows[0] ?? {}
    expect(Number(looks)).toBeGreaterThan(500)
    expect(Number(rows)).toBeLessThan(20_000)
  })
})
