import { randomUUID } from 'node:crypto'
import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { type Heartbeat, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice, listDeviceLog } from '@floorcast/contract/devices.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceDay } from '../device-day/device-day-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { retainStatistics } from './statistics.ts'

/* Heartbeats of days that are older than eight are folded into a row for each device and day: docs/decisions/0352. */

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDevices, registerDeviceDay, registerDeviceHost, registerDashboard, registerRecycleBin],
})
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await asSuperuser(server.superuserUrl, superuser => superuser.query<Row>(text, values))).rows
/** Sets the clock. Users stay signed in. */
async function goTo(at: string) {
  server.clock.now = new Date(at)
  await query(`update sessions set idle_expires_at = '2040-01-01', expires_at = '2040-01-01'`)
}
const fold = (isStopping = () => false) => retainStatistics(server.context, isStopping)

/** A shop with a player that reports at moments. */
async function openShop() {
  const client = await server.newClient()
  const { uid, licenseKey } = await makeDevice(client.scope)
  const player = await openPlayer(server, licenseKey)
  const bootId = randomUUID()
  const report = async (at: string, more: Partial<Heartbeat> = {}) => {
    server.clock.now = new Date(at)
    await server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ sentAt: at, bootId, ...more }) })
  }
  const log = (asked: object = {}) =>
    server.call(listDeviceLog, {
      ...client,
      params: { id: uid, kind: 'heartbeat' },
      query: { sort: 'receiveTime', dir: 'asc', size: 200, ...asked },
    })
  const day = async (asked: string) => {
    const { health, unreported } = await server.call(readDeviceDay, {
      ...client,
      params: { uid },
      query: { day: asked },
    })
    return { health, unreported }
  }
  const single = () => client.scope.reads.selectFrom('heartbeats').select('receivedAt').execute()
  const folded = async () => {
    const rows = await client.scope.reads.selectFrom('heartbeatDays').select('day').orderBy('day').execute()
    return rows.map(row => row.day)
  }
  return { ...client, deviceUid: uid, report, log, day, single, folded }
}

const nowPlaying = {
  name: 'Song',
  mediaUid: null,
  contentType: null,
  startedAt: '2026-11-02T00:00:00Z',
  offsetSeconds: 0,
  durationSeconds: 180,
}

/** An hour of reports each five minutes. */
async function reportAnHour(
  { report }: Awaited<ReturnType<typeof openShop>>,
  day: string,
  more: object = {},
) {
  for (let minute = 0; minute < 60; minute += 5)
    await report(`${day}T10:${String(minute).padStart(2, '0')}:00.000Z`, { intervalSeconds: 300, ...more })
}

test('the log keeps of a folded day the first heartbeat, and those that changed something', async () => {
  await goTo('2026-11-02T09:00:00.000Z')
  const shop = await openShop()
  await reportAnHour(shop, '2026-11-02')
  await shop.report('2026-11-02T11:00:00.000Z', { volume: 30 })
  await shop.report('2026-11-02T11:20:00.000Z', { volume: 30, nowPlaying })
  await shop.report('2026-11-02T11:40:00.000Z', { volume: 30, nowPlaying, temperatureCelsius: 60 })
  await shop.report('2026-11-02T12:00:00.000Z', { volume: 30, nowPlaying, ipAddress: '10.0.0.8' })
  await shop.report('2026-11-02T12:20:00.000Z', { volume: 30, nowPlaying, ipAddress: '10.0.0.8' })
  await reportAnHour(shop, '2026-11-03', { volume: 30, ipAddress: '10.0.0.8' })
  await goTo('2026-11-11T12:00:00.000Z')
  const before = await shop.log()
  expect(await fold()).toMatchObject({ failures: 0, folded: 13 })
  const after = await shop.log()
  const ofFirstDay = before.items.filter(({ receiveTime }) => receiveTime < '2026-11-03')
  const kept = ['10:00', '11:00', '11:20', '12:00'].map(time => `2026-11-02T${time}:00.000Z`)
  expect(after.items).toEqual(
    before.items.filter(({ receiveTime }) => receiveTime >= '2026-11-03' || kept.includes(receiveTime)),
  )
  expect(ofFirstDay).toHaveLength(13)
  expect(after.total).toBe(before.total - 9)

  const period = { from: '2026-11-02T11:00:00.000Z', to: '2026-11-02T11:30:00.000Z' }
  expect((await shop.log(period)).items.map(({ volume, status }) => [volume, status])).toEqual([
    [30, 'silent'],
    [30, 'playing'],
  ])
  const found = await shop.log({ search: '10.0.0.8', size: 1 })
  expect(found.items[0]?.receiveTime).toBe('2026-11-02T12:00:00.000Z')
})

test('a fold that is stopped leaves whole days, and the next look goes on', async () => {
  await goTo('2027-01-04T09:00:00.000Z')
  const [shop, other] = [await openShop(), await openShop()]
  for (const day of ['2027-01-04', '2027-01-05', '2027-01-06']) await reportAnHour(shop, day)
  await reportAnHour(other, '2027-01-04')
  await goTo('2027-01-20T12:00:00.000Z')
  const days = async () => [
    await shop.day('2027-01-04'),
    await shop.day('2027-01-05'),
    await shop.day('2027-01-06'),
    await other.day('2027-01-04'),
  ]
  const [before, used] = [await days(), (await server.call(readLimits, shop)).statisticsBytes.used]
  const foldedDays = async () => (await shop.folded()).length + (await other.folded()).length
  for (let allowed = 1; (await foldedDays()) === 0; allowed += 1) {
    let asked = 0
    expect(await fold(() => (asked += 1) > allowed)).toMatchObject({ failures: 0 })
  }
  expect(await foldedDays()).toBeLessThan(4)
  expect(await days()).toEqual(before)
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await fold()).toBeNull()
  expect(await days()).toEqual(before)
  expect(await shop.single()).toEqual([])
  expect(await shop.folded()).toEqual(['2027-01-04', '2027-01-05', '2027-01-06'])

  const limits = await server.call(readLimits, shop)
  expect(limits.statisticsBytes.used).toBeLessThan(used)
  const { history } = await server.call(readQuickMetrics, shop)
  expect(history.find(({ kind }) => kind === 'heartbeats')).toMatchObject({
    rows: 3,
    oldestDay: '2027-01-04',
  })
})

test('a fold takes only so long at a look; a client whose heartbeats are not all folded is looked at again', async () => {
  await goTo('2027-02-01T09:00:00.000Z')
  const shop = await openShop()
  await reportAnHour(shop, '2027-02-01')
  await goTo('2027-02-20T12:00:00.000Z')
  expect(await retainStatistics(server.context, () => false, 0)).toMatchObject({ failures: 0, folded: 0 })
  expect(await shop.folded()).toEqual([])
  expect(await fold()).toMatchObject({ clients: 1, failures: 0, folded: 8 })
  expect(await shop.folded()).toEqual(['2027-02-01'])
})

test('heartbeats that come for a folded day, by a clock that was wrong, are added to it', async () => {
  await goTo('2027-03-01T09:00:00.000Z')
  const shop = await openShop()
  await shop.report('2027-03-01T10:00:00.000Z', { temperatureCelsius: 40 })
  await shop.report('2027-03-01T10:20:00.000Z', { temperatureCelsius: 40 })
  await goTo('2027-03-10T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await shop.folded()).toEqual(['2027-03-01'])
  await shop.report('2027-03-01T10:10:00.000Z', { temperatureCelsius: 50, volume: 10 })
  await shop.report('2027-03-01T10:11:00.000Z', { temperatureCelsius: 30, volume: 10 })
  await goTo('2027-03-11T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await shop.single()).toEqual([])
  const { health, unreported } = await shop.day('2027-03-01')
  expect(
    health.map(({ at, heartbeats, temperatureCelsius }) => [at, heartbeats, temperatureCelsius]),
  ).toEqual([
    ['2027-03-01T10:00:00.000Z', 3, 50],
    ['2027-03-01T10:15:00.000Z', 1, 40],
  ])
  expect(unreported.map(({ from, until }) => [from.slice(11, 16), until.slice(11, 16)])).toEqual([
    ['10:00', '10:10'],
    ['10:11', '10:20'],
    ['10:20', '00:00'],
  ])
  const { items } = await shop.log()
  // What had changed nothing when it was folded stays out.
  expect(items.map(({ receiveTime, volume }) => [receiveTime.slice(11, 16), volume])).toEqual([
    ['10:00', 70],
    ['10:10', 10],
  ])
  const { history } = await server.call(readQuickMetrics, shop)
  expect(history.find(({ kind }) => kind === 'heartbeats')?.rows).toBe(1)
})

test('a year of folded days is read page by page, and any of its days', async () => {
  await goTo('2027-06-01T09:00:00.000Z')
  const shop = await openShop()
  await shop.report('2027-06-01T10:00:00.000Z')
  await goTo('2027-06-10T12:00:00.000Z')
  await fold()
  await query(
    `insert into heartbeat_days (client_id, device_uid, day, reports, temperature_celsius, free_memory_bytes, reported, entries)
     select client_id, device_uid, day + n, reports, temperature_celsius, free_memory_bytes,
       tstzmultirange(tstzrange(lower(reported) + n * interval '1 day', upper(reported) + n * interval '1 day', '[]')),
       jsonb_build_array(entries -> 0 || jsonb_build_object('uid', gen_random_uuid(),
         'received_at', lower(reported) + n * interval '1 day', 'device_clock_at', lower(reported) + n * interval '1 day'))
     from heartbeat_days cross join generate_series(1, 364) n where device_uid = $1`,
    [shop.deviceUid],
  )
  await goTo('2028-06-10T12:00:00.000Z')
  const pages = [await shop.log({ size: 200 }), await shop.log({ size: 200, page: 2 })]
  const read = pages.flatMap(({ items }) => items.map(({ receiveTime }) => receiveTime.slice(0, 10)))
  const days = Array.from({ length: 365 }, (_, n) =>
    new Date(Date.parse('2027-06-01') + n * 86_400_000).toISOString().slice(0, 10),
  )
  expect(read).toEqual(days)
  expect(pages[1]?.total).toBe(365)
  for (const day of [days[0], days[100], days[364]])
    expect((await shop.day(day ?? '')).health).toMatchObject([{ at: `${day}T10:00:00.000Z`, heartbeats: 1 }])
})

test('folded days go with their device, with what the plan deletes and when they are too old', async () => {
  await goTo('2029-01-01T09:00:00.000Z')
  const [kept, gone] = [await openShop(), await openShop()]
  for (const day of ['2029-01-01', '2029-01-02']) {
    await reportAnHour(kept, day)
    await reportAnHour(gone, day)
  }
  await goTo('2029-01-10T12:00:00.000Z')
  await fold()
  expect([await kept.folded(), await gone.folded()]).toEqual([['2029-01-01'], ['2029-01-01']])
  await server.call(deleteDevice, { ...gone, body: { uid: gone.deviceUid } })
  await server.call(purge, { ...gone, params: { x: 'devices', uid: gone.deviceUid } })
  expect(await gone.folded()).toEqual([])
  // What is left of a device that was deleted for good goes too.
  await goTo('2029-01-11T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0, folded: 16 })
  expect([await gone.single(), await gone.folded()]).toEqual([[], []])

  // Told for seven days, then deleted: those that are older than 400 days.
  await goTo('2030-02-01T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await kept.folded()).toEqual(['2029-01-01', '2029-01-02'])
  await goTo('2030-02-08T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await kept.folded()).toEqual([])
})

test('what single heartbeats have taken of the disk is free when they are folded and vacuumed', async () => {
  await goTo('2031-01-01T09:00:00.000Z')
  const shop = await openShop()
  await shop.report('2031-01-01T10:00:00.000Z')
  await query(
    `insert into heartbeats (day, device_uid, received_at, client_id, uid, boot_uid, device_clock_at, program_version, volume)
     select day, device_uid, received_at + n * interval '10 seconds', client_id, gen_random_uuid(), boot_uid, device_clock_at,
       program_version, volume
     from heartbeats cross join generate_series(1, 4000) n where device_uid = $1`,
    [shop.deviceUid],
  )
  await query(`update history_counts set row_count = 4001 where kind = 'heartbeats' and day = '2031-01-01'`)
  const bytes = async () => {
    const [row] = await query<{ bytes: number }>(
      `select pg_total_relation_size('heartbeats_20310101')::int as bytes`,
    )
    return row?.bytes ?? 0
  }
  expect(await bytes()).toBeGreaterThan(800_000)
  await goTo('2031-01-10T12:00:00.000Z')
  const before = await shop.day('2031-01-01')
  expect(await fold()).toMatchObject({ failures: 0, folded: 4001 })
  // A snapshot of before may still read them.
  expect(await bytes()).toBeGreaterThan(800_000)
  await query('vacuum heartbeats_20310101')
  await goTo('2031-01-11T12:00:00.000Z')
  expect(await fold()).toMatchObject({ failures: 0 })
  expect(await bytes()).toBeLessThan(20_000)
  expect(before.health.length).toBeGreaterThan(40)
  expect(await shop.day('2031-01-01')).toEqual(before)
  await shop.report('2031-01-01T12:00:00.000Z')
  expect(await shop.single()).toHaveLength(1)
})
