import { randomUUID } from 'node:crypto'
import { readAudit } from '@floorcast/contract/audit.ts'
import { readLimits, readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, makePlay, openPlayer, sendPlays } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { openDatabase } from '../../platform/database/database.ts'
import { addDays } from './statistics-forecast.ts'
import { deleteRows } from './statistics-retention-queries.ts'
import { rebuildStatistics, retainStatistics } from './statistics.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerProof } from '../proof/proof-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerReports, registerProof, registerAudit, registerDashboard, registerDeviceHost],
})
const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await asSuperuser(server.superuserUrl, superuser => superuser.query<Row>(text, values))).rows
/** Sets the clock to noon of a day. Users stay signed in. */
async function goTo(day: string) {
  server.clock.now = new Date(`${day}T12:00:00Z`)
  await query(`update sessions set idle_expires_at = '2030-01-01', expires_at = '2030-01-01'`)
}
const setPlan = (email: string, plan: string) =>
  server.database.jobs.setSubscription(email, plan, new Date('2030-01-01'), server.clock.now)
/** What an operator changes in the table of plans. */
const setGigabytes = (plan: string, bytes: number) =>
  query('update plans set statistics_gigabytes = $2 where key = $1', [plan, bytes / 1_000_000_000])
const retain = (isStopping = () => false, context = server.context) => retainStatistics(context, isStopping)

const RESULTS = ['complete', 'failed', 'complete', 'cut', 'complete'] as const
let sequence = 0
const bootId = randomUUID()
/** Plays of a device on the days from one to another, `aDay` each, with all results. */
function playsOf(from: string, to: string, aDay: number) {
  const plays = []
  for (let day = from; day <= to; day = addDays(day, 1))
    for (let n = 0; n < aDay; n += 1) {
      const startedAt = new Date(Date.parse(day) + (n + 1) * 3_600_000).toISOString()
      const result = RESULTS[(sequence += 1) % RESULTS.length] ?? 'complete'
      const times = { at: startedAt, startedAt, endedAt: startedAt, scheduledAt: startedAt }
      plays.push(makePlay(sequence, { bootId, result, mediaUid: randomUUID(), ...times }))
    }
  return plays
}

const PARTITIONS = `
  select relname as name from pg_class where relispartition and relkind = 'r' and relname ~ '^plays_\\d{8}$' order by 1`

/** A client of a plan with two players, each with plays on each of the days. */
async function openShop(plan: string, from: string, to: string) {
  const client = await server.newClient()
  await setPlan(client.email, plan)
  const keys = [await makeDevice(client.scope), await makeDevice(client.scope)]
  const players = await Promise.all(keys.map(({ licenseKey }) => openPlayer(server, licenseKey)))
  for (const player of players) {
    await sendPlays(server, player, playsOf(from, to, 4))
    await server.call(sendHeartbeat, {
      ...player,
      body: makeHeartbeat({ sentAt: server.clock.now.toISOString() }),
    })
  }
  return { ...client, players }
}
type Shop = Awaited<ReturnType<typeof openShop>>

const limitsOf = ({ token }: Shop) => server.call(readLimits, { token })
const sumsOf = async ({ scope: { reads } }: Shop) => ({
  days: await reads.selectFrom('playDays').selectAll().orderBy('mediaUid').execute(),
  mediaDays: await reads.selectFrom('playMediaDays').selectAll().orderBy('mediaUid').execute(),
  hours: await reads.selectFrom('playHours').selectAll().orderBy('hour').orderBy('contentType').execute(),
})
/** Rows of plays by day. */
const daysOf = async ({ scope }: Shop) => {
  const rows = await scope.reads.selectFrom('plays').select('day').orderBy('day').execute()
  return Object.fromEntries([...Map.groupBy(rows, ({ day }) => day)].map(([day, some]) => [day, some.length]))
}
const purgesOf = async ({ token }: Shop) =>
  (await server.call(readAudit, { token, params: { id: 'all' }, query: { search: 'purge' } })).items
const rebuild = ({ scope }: Shop) => rebuildStatistics(server.context, scope.clientId)

test('the oldest days go when the plan is full and the dashboard has said so for seven days; sums stay', async () => {
  await goTo('2026-11-03')
  const shop = await openShop('trial', '2026-10-12', '2026-10-24')
  const other = await openShop('basic', '2026-10-12', '2026-10-24')
  const [before, otherDays] = [await sumsOf(shop), await daysOf(other)]
  const { used } = (await limitsOf(shop)).statisticsBytes
  await setGigabytes('trial', Math.floor(used * 0.8))

  expect(await retain()).toMatchObject({ clients: 2, failures: 0, rows: 0 })
  expect(await retain()).toBeNull()
  const told = [{ reason: 'plan', from: '2026-11-10', before: '2026-10-15' }]
  expect((await limitsOf(shop)).statisticsDeletions).toEqual(told)
  await goTo('2026-11-09')
  expect(await retain()).toMatchObject({ clients: 2, rows: 0 })
  expect((await limitsOf(shop)).statisticsDeletions).toEqual(told)
  expect(Object.keys(await daysOf(shop))).toHaveLength(13)

  await goTo('2026-11-10')
  expect(await retain()).toMatchObject({ clients: 2, failures: 0, rows: 24, partitions: [] })
  const left = await daysOf(shop)
  expect(Object.keys(left)).toHaveLength(10)
  expect(left['2026-10-14']).toBeUndefined()
  expect(left['2026-10-15']).toBe(8)
  const limits = await limitsOf(shop)
  expect(limits.statisticsBytes.used).toBeLessThan(limits.statisticsBytes.limit)
  const { databaseSizeBytes, history } = await server.call(readQuickMetrics, shop)
  expect(databaseSizeBytes).toBe(limits.statisticsBytes.used)
  expect(history.find(({ kind }) => kind === 'plays')).toMatchObject({ rows: 80, oldestDay: '2026-10-15' })
  expect(await daysOf(other)).toEqual(otherDays)

  expect(await purgesOf(other)).toEqual([])
  expect(await purgesOf(shop)).toMatchObject([
    {
      class: 'purge',
      type: 'client',
      userUid: null,
      changes: {
        oldestDay: ['2026-10-12', '2026-10-15'],
        plays: [24, 0],
        heartbeats: [0, 0],
        deviceLogs: [0, 0],
        statisticsBytes: [expect.any(Number), 0],
        reason: [null, 'plan'],
      },
    },
  ])

  // Sums of the deleted days stay, also when they are compared with the rows that are left.
  expect(await sumsOf(shop)).toEqual(before)
  expect(await rebuild(shop)).toMatchObject({ wrong: 0 })
  expect(await sumsOf(shop)).toEqual(before)
  const period = { from: '2026-10-12', to: '2026-10-24' }
  const notes = async (name: 'r1ext' | 'r2', zone: string) => {
    const params = {
      ...period,
      zone,
      ...(name === 'r1ext' ? { track: 'all', playpoint: 'all', playlist: 'all' } : {}),
    }
    return (await server.call(reportCalls[name].preview, { token: shop.token, params })).notes
  }
  expect(await notes('r2', 'UTC')).toContainEqual({ code: 'rawGone', values: { day: '2026-10-15' } })
  expect(await notes('r2', 'device')).not.toContainEqual(expect.objectContaining({ code: 'rawGone' }))
  expect(await notes('r1ext', 'UTC')).toContainEqual({ code: 'playsGone', values: { day: '2026-10-15' } })

  // A proof has each play, or there is none.
  const uid = before.days.find(({ localDay }) => localDay === '2026-10-24')?.mediaUid
  const proofFrom = async (from: string) =>
    server.ask(downloadProof, { token: shop.token, params: { ...period, uid, from, zone: 'UTC' } })
  expect((await proofFrom('2026-10-15')).json()).toMatchObject({ status: 410, code: 'plays-gone' })
  expect((await proofFrom('2026-10-16')).statusCode).toBe(200)

  // Late plays of deleted days count, and their rows go with the next look.
  const [player] = shop.players
  if (!player) throw new Error('no player')
  await sendPlays(server, player, playsOf('2026-10-13', '2026-10-13', 4))
  const late = await sumsOf(shop)
  expect(late.days.length).toBeGreaterThan(before.days.length)
  expect(await notes('r1ext', 'UTC')).toContainEqual({ code: 'playsGone', values: { day: '2026-10-15' } })
  await goTo('2026-11-11')
  expect(await retain()).toMatchObject({ rows: 4 })
  expect((await daysOf(shop))['2026-10-13']).toBeUndefined()
  expect(await sumsOf(shop)).toEqual(late)
  expect(await purgesOf(shop)).toHaveLength(1)
})

test('a larger plan takes the notice back, and a smaller one begins a new one', async () => {
  await goTo('2026-11-12')
  await setGigabytes('trial', 1_000_000_000)
  await setGigabytes('professional', 100)
  const shop = await openShop('professional', '2026-11-01', '2026-11-10')
  await retain()
  expect((await limitsOf(shop)).statisticsDeletions).toMatchObject([{ from: '2026-11-19' }])
  await goTo('2026-11-16')
  await setPlan(shop.email, 'basic')
  expect((await limitsOf(shop)).statisticsDeletions).toEqual([])
  await retain()
  expect(
    await query('select announced_on from statistics_retention where client_id = $1', [shop.scope.clientId]),
  ).toEqual([{ announced_on: null }])
  await goTo('2026-11-20')
  await setPlan(shop.email, 'professional')
  expect(await retain()).toMatchObject({ rows: 0 })
  expect((await limitsOf(shop)).statisticsDeletions).toMatchObject([{ from: '2026-11-27' }])
  await setPlan(shop.email, 'basic')
})

test('an interrupted deletion goes on with the next look, of two servers one does it, and reports wait for none', async () => {
  await goTo('2026-11-21')
  const shop = await openShop('professional', '2026-11-01', '2026-11-18')
  const before = await sumsOf(shop)
  await retain()
  await goTo('2026-11-28')
  let asked = 0
  // Stopped after some batches, as a server that ends.
  const stopped = await retain(() => (asked += 1) > 20)
  expect(stopped?.rows).toBeGreaterThan(0)
  const some = Object.keys(await daysOf(shop)).length
  expect(some).toBeLessThan(18)
  expect(some).toBeGreaterThan(2)
  expect(await sumsOf(shop)).toEqual(before)
  expect(await rebuild(shop)).toMatchObject({ wrong: 0 })
  expect(await sumsOf(shop)).toEqual(before)

  const [player] = shop.players
  if (!player) throw new Error('no player')
  const jobs = server.database.jobs.forClient(shop.scope.clientId)
  await jobs
    .write(async writes => {
      const gone = await deleteRows(writes, { kind: 'plays', day: '2026-11-17' }, [player.deviceUid])
      expect(gone).toBe(4)
      await sendPlays(server, player, playsOf('2026-11-27', '2026-11-27', 4))
      throw new Error('the server was killed')
    })
    .catch((error: Error) => expect(error.message).toBe('the server was killed'))
  const sums = await sumsOf(shop)

  const second = openDatabase({ url: server.url, lost: () => undefined })
  const { jobs: real } = server.database
  // A client that was deleted meanwhile.
  const withGone = async (day: string) => [randomUUID(), ...(await real.uncheckedClientIds(day))]
  const first = { ...server.database, jobs: { ...real, uncheckedClientIds: withGone } }
  try {
    const runs = await Promise.all(
      [first, second].map(database => retain(undefined, { ...server.context, database })),
    )
    expect(runs.filter(run => run !== null && run.failures === 0).length).toBeGreaterThan(0)
  } finally {
    await second.close()
  }
  expect(Object.keys(await daysOf(shop))).toEqual(['2026-11-27'])
  expect(await sumsOf(shop)).toEqual(sums)
  const counts = `select sum(row_count) as rows from history_counts where client_id = $1 and kind = 'plays'`
  expect(await query(counts, [shop.scope.clientId])).toEqual([{ rows: '4' }])
  expect(await purgesOf(shop)).toHaveLength(1)
})

test('rows of 400 days go after a notice, and partitions when no client keeps anything so old', async () => {
  const partitions = async () => (await query<{ name: string }>(PARTITIONS)).map(({ name }) => name)
  await goTo('2026-11-29')
  await setGigabytes('professional', 1_000_000_000)
  // The first shop has deleted its days before October 15, the shops of this plan keep theirs.
  const old = await openShop('basic', '2026-10-12', '2026-10-14')
  const young = await openShop('basic', '2026-11-24', '2026-11-26')
  const sums = await sumsOf(old)
  await query(
    `insert into device_transitions (client_id, device_uid, at, state)
     select $1, $2, t, 'linkdown' from unnest($3::timestamptz[]) t`,
    [old.scope.clientId, old.players[0]?.deviceUid, ['2026-10-01', '2026-10-02', '2026-12-01']],
  )
  const droppedPlays = (run: Awaited<ReturnType<typeof retain>>) =>
    run?.partitions.filter(name => name.startsWith('plays'))
  await goTo('2027-03-01')
  const spring = await retain()
  expect(spring).toMatchObject({ failures: 0 })
  expect(droppedPlays(spring)).toEqual([])
  // Heartbeats of a hundred days ago are folded.
  expect(spring?.partitions).toEqual(expect.arrayContaining(['heartbeats_20261103', 'heartbeats_20261112']))
  expect(await partitions()).toContain('plays_20261012')

  await goTo('2027-12-20')
  const winter = await retain()
  expect(winter).toMatchObject({ failures: 0, rows: 0 })
  expect(droppedPlays(winter)).toEqual([])
  const told = [{ reason: 'age', from: '2027-12-27', before: '2026-11-22' }]
  expect((await limitsOf(old)).statisticsDeletions).toEqual(told)
  expect((await limitsOf(young)).statisticsDeletions).toMatchObject([{ from: '2027-12-30' }])
  await goTo('2027-12-26')
  expect(await retain()).toMatchObject({ partitions: [] })
  expect(Object.keys(await daysOf(old))).toHaveLength(3)

  await goTo('2027-12-27')
  await asSuperuser(server.superuserUrl, async reader => {
    await reader.query(`begin; select count(*) from plays`)
    const [player] = young.players
    const gone = retain()
    // A transaction that stores plays waits for a fifth of a second at most.
    if (player) await sendPlays(server, player, playsOf('2027-12-26', '2027-12-26', 4))
    expect(await gone).toMatchObject({ failures: 0 })
    expect(await partitions()).toContain('plays_20261012')
    await reader.query('rollback')
  })
  expect((await limitsOf(old)).statisticsDeletions).toMatchObject([{ from: '2028-01-04' }])
  expect(await purgesOf(old)).toMatchObject([
    { changes: { reason: [null, 'age'], plays: [24, 0], oldestDay: ['2026-10-12', '2026-11-22'] } },
  ])
  expect(
    await query('select at::date::text from device_transitions where device_uid = $1 order by at', [
      old.players[0]?.deviceUid,
    ]),
  ).toMatchObject([{ at: '2026-10-02' }, {}, { at: '2026-12-01' }])

  await goTo('2027-12-28')
  const dropped = (await retain())?.partitions
  // Those between were made ahead by the calendar of the machine.
  expect(dropped).toEqual(expect.arrayContaining(['plays_20261012', 'plays_20261013', 'plays_20261014']))
  expect((await partitions())[0]).toBe('plays_20261124')
  expect(Object.keys(await daysOf(young))).toHaveLength(4)
  expect(await sumsOf(old)).toEqual(sums)
  await goTo('2027-12-30')
  expect((await retain())?.partitions).toContain('plays_20261124')
  expect(Object.keys(await daysOf(young))).toEqual(['2026-11-25', '2026-11-26', '2027-12-26'])
})
