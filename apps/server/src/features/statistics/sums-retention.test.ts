import { randomUUID } from 'node:crypto'
import { readAudit } from '@floorcast/contract/audit.ts'
import { readLimits } from '@floorcast/contract/dashboard.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { knowFiles, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { rebuildStatistics, retainStatistics } from './statistics.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerReports, registerAudit, registerDashboard, registerDeviceHost],
})
const query = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
/** Sets the clock to noon of a day, at which the maintenance looks. Users stay signed in. */
async function lookOn(day: string, isStopping = () => false) {
  server.clock.now = new Date(`${day}T12:00:00Z`)
  await query(`update sessions set idle_expires_at = '2035-01-01', expires_at = '2035-01-01'`)
  const run = await retainStatistics(server.context, isStopping)
  expect(run?.failures).toBe(0)
  return run
}
const bootId = randomUUID()
let sequence = 0
const playOn = (day: string) => {
  const at = `${day}T08:00:00.000Z`
  const times = { at, startedAt: at, endedAt: at, scheduledAt: at }
  return makePlay((sequence += 1), { bootId, mediaUid: randomUUID(), ...times })
}

async function openShop(plan: string) {
  const client = await server.newClient()
  const setPlan = (key: string) =>
    server.database.jobs.setSubscription(client.email, key, new Date('2030-01-01'), server.clock.now)
  await setPlan(plan)
  const players: Awaited<ReturnType<typeof openPlayer>>[] = []
  const groupUid = await makeGroup(client.scope)
  for (let n = 0; n < 2; n += 1)
    players.push(await openPlayer(server, (await makeDevice(client.scope, { groupUid })).licenseKey))
  const play = async (...days: string[]) => {
    for (const player of players) {
      const body = days.map(playOn)
      await knowFiles(server, player.deviceUid, body)
      await server.call(sendEvents, { ...player, body })
    }
  }
  const { token, scope } = client
  const sums = async () => {
    const rows = await scope.reads.selectFrom('playDays').select('localDay').orderBy('localDay').execute()
    return rows.map(({ localDay }) => localDay)
  }
  const told = async () => (await server.call(readLimits, { token })).statisticsDeletions
  return { token, scope, setPlan, play, sums, told }
}

test('the oldest sums go beyond a quarter of the storage, after their plays and a notice; then their partition', async () => {
  server.clock.now = new Date('2026-11-03T12:00:00Z')
  await query(`update plans set statistics_gigabytes = 0.000002 where key = 'professional'`)
  const shop = await openShop('professional')
  const other = await openShop('basic')
  for (const one of [shop, other]) await one.play('2026-10-12', '2026-10-13', '2026-10-14')
  await lookOn('2026-11-03')
  await lookOn('2026-11-10')
  await lookOn('2027-01-25')
  await shop.play('2027-01-20')
  // 3 days of 740 bytes, where 500 may be; the last day of single plays is younger than the notice said.
  const told = await shop.told()
  expect(told).toContainEqual({ reason: 'sums', from: '2027-02-01', before: expect.any(String) as string })
  expect(await other.told()).toEqual([])
  expect((await lookOn('2027-01-31'))?.rows).toBe(0)
  expect(await shop.sums()).toHaveLength(8)

  let asked = 0
  await lookOn('2027-02-01', () => (asked += 1) > 4)
  expect((await shop.sums()).length).toBeGreaterThan(2)
  await lookOn('2027-02-01')
  const left = await shop.sums()
  expect(left.length).toBeLessThan(8)
  expect(left).not.toContain('2026-10-12')
  expect(left).toContain('2027-01-20')
  expect(await other.sums()).toHaveLength(6)
  expect(await rebuildStatistics(server.context, shop.scope.clientId)).toMatchObject({ wrong: 0 })
  expect(await shop.sums()).toEqual(left)
  const daysLeft = [...new Set(left)]
  for (const table of ['playHours', 'playGroupHours'] as const) {
    const hours = await shop.scope.reads.selectFrom(table).select('hour').orderBy('hour').execute()
    expect(hours.map(({ hour }) => hour.slice(0, 10))).toEqual(daysLeft)
  }
  const { reads } = shop.scope
  const ofMedia = await reads
    .selectFrom('playMediaDays')
    .select('localDay')
    .distinct()
    .orderBy('localDay')
    .execute()
  expect(ofMedia.map(({ localDay }) => localDay)).toEqual(daysLeft)
  const params = { from: '2026-10-12', to: '2026-10-20', zone: 'device' }
  const { notes } = await server.call(reportCalls.r2.preview, { token: shop.token, params })
  expect(notes).toContainEqual(expect.objectContaining({ code: 'sumsGone' }))
  const { items } = await server.call(readAudit, {
    token: shop.token,
    params: { id: 'all' },
    query: { search: 'purge' },
  })
  expect(items).toMatchObject([
    { changes: { reason: [null, 'sums'] } },
    { changes: { reason: [null, 'plan'] } },
  ])

  await shop.setPlan('basic')
  await other.setPlan('professional')
  for (const day of ['2027-02-02', '2027-02-09', '2027-02-10', '2027-02-11']) await lookOn(day)
  expect(await other.sums()).toHaveLength(6)
  await lookOn('2027-02-18')
  expect((await other.sums()).length).toBeLessThan(6)
  await query(`delete from play_day_counts; delete from play_days where local_day < '2026-11-01'`)
  const dropped = (await lookOn('2027-02-19'))?.partitions ?? []
  expect(dropped.filter(name => name.startsWith('play_days')).at(-1)).toBe('play_days_202610')
  expect(await shop.sums()).toEqual(['2027-01-20', '2027-01-20'])
})

test('a clock that jumps ahead, or a server that was off for weeks, begins the notice again', async () => {
  server.clock.now = new Date('2027-02-20T12:00:00Z')
  const shop = await openShop('basic')
  const rows = async () => (await shop.scope.reads.selectFrom('plays').select('eventUid').execute()).length
  await shop.play('2027-01-20')
  await lookOn('2028-02-14')
  expect(await shop.told()).toMatchObject([{ reason: 'age', from: '2028-02-25' }])
  await lookOn('2031-05-05')
  expect(await shop.told()).toMatchObject([{ from: '2031-05-12' }])
  expect(await rows()).toBe(2)
  await lookOn('2028-02-15')
  expect(await shop.told()).toMatchObject([{ from: '2028-02-25' }])
  await lookOn('2028-02-22')
  expect(await rows()).toBe(2)
  await lookOn('2028-02-25')
  expect(await rows()).toBe(0)
})
