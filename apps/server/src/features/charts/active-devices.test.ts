import * as contract from '@floorcast/contract/charts.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, startAnother, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, expect, it } from 'vitest'
import { takeSamples } from '../../jobs/samples.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerCharts } from './charts-routes.ts'

type Client = Awaited<ReturnType<TestServer['newClient']>>
let server: TestServer
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerDashboard, registerCharts] })
})

const NOON = Date.parse('2026-11-21T12:00:00Z')
const MINUTE = 60_000
const TEN_MINUTES = 10 * MINUTE
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (ms: number) => new Date(NOON + ms).toISOString()
const setClock = (ms: number) => (server.clock.now = new Date(NOON + ms))

/** Random numbers that are the same in each run. */
function randomFrom(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const chart = async <E extends Endpoint>(endpoint: E, client: { token: string }, query: object = {}) =>
  (await server.call(endpoint, { token: client.token, query })) as AnswerOf<E>

/** The series of a chart: values by uid and time. */
const valuesOf = ({ series }: contract.Chart) =>
  new Map(series.map(({ uid, points }) => [uid, new Map(points)]))

/** Sets the state of a device that has sent heartbeats at these moments, as ingestion does. */
async function beats(client: Client, deviceUid: string, moments: readonly number[]) {
  const rows: { at: string; state: Connectivity }[] = []
  for (const [index, moment] of moments.entries()) {
    const former = moments[index - 1]
    if (former !== undefined && moment - former <= HOUR) continue
    if (former !== undefined) rows.push({ at: at(former + HOUR), state: 'linkdown' })
    if (former !== undefined && moment - former > DAY) rows.push({ at: at(former + DAY), state: 'linklost' })
    rows.push({ at: at(moment), state: 'online' })
  }
  const clientId = client.scope.clientId
  await server.database.ingest.write(async writes => {
    await writes
      .insertInto('deviceStates')
      .values({ deviceUid, clientId, lastContactAt: at(moments.at(-1) ?? 0) })
      .execute()
    for (const row of rows)
      await writes
        .insertInto('deviceTransitions')
        .values({ deviceUid, clientId, ...row })
        .execute()
  })
}

const stateAt = (moments: readonly number[], moment: number) => {
  const last = moments.filter(beat => beat <= moment).at(-1)
  if (last === undefined) return 'neverup'
  if (moment - last <= HOUR) return 'online'
  return moment - last <= DAY ? 'linkdown' : 'linklost'
}

let shop: Client
let group: string
const heartbeats = new Map<string, number[]>()
beforeAll(async () => {
  const random = randomFrom(11)
  shop = await server.newClient()
  const created = new Date(NOON - 60 * DAY)
  group = await makeGroup(shop.scope, { at: created })
  for (let index = 0; index < 12; index += 1) {
    const { uid } = await makeDevice(shop.scope, { groupUid: group, at: created })
    const span = [6 * HOUR, 4 * DAY, 50 * DAY][index % 3] ?? DAY
    const moments = Array.from({ length: 1 + random(40) }, () => -random(span) - MINUTE)
    const sorted = moments.toSorted((a, b) => a - b)
    heartbeats.set(uid, sorted)
    if (index > 0) await beats(shop, uid, sorted)
    else heartbeats.set(uid, [])
  }
})

it.each(['1h', '24h', '7d', '45d'] as const)(
  'the charts of connectivity counts the states of a group over %s',
  async range => {
    setClock(0)
    const drawn = await chart(contract.readActiveDevicesChart, shop, { range, group })
    const shown = valuesOf(drawn)
    for (const state of ['online', 'linkdown', 'linklost', 'neverup'])
      for (const [time, value] of shown.get(state) ?? []) {
        const moment = Date.parse(time) - NOON
        const wanted = [...heartbeats.values()].filter(beats => stateAt(beats, moment) === state).length
        expect([state, time, value]).toEqual([state, time, wanted])
      }
    const [device = '', moments = []] = [...heartbeats].at(-1) ?? []
    const one = valuesOf(await chart(contract.readActiveDevicesChart, shop, { range, device }))
    for (const [time, value] of one.get('online') ?? [])
      expect([time, value]).toEqual([time, stateAt(moments, Date.parse(time) - NOON) === 'online' ? 1 : 0])
  },
)

it('the charts of connectivity shares the online time of each day', async () => {
  setClock(0)
  const drawn = await chart(contract.readAvailabilityChart, shop, { range: '45d', group })
  expect(drawn).toMatchObject({ unit: 'percent', stepSeconds: 86_400 })
  for (const [time, value] of drawn.series[0]?.points ?? []) {
    const begin = Date.parse(time) - NOON
    let [online, known] = [0, 0]
    for (let moment = begin; moment < Math.min(0, begin + DAY); moment += MINUTE)
      for (const moments of heartbeats.values()) {
        const state = stateAt(moments, moment)
        if (state !== 'neverup') known += 1
        if (state === 'online') online += 1
      }
    if (value === null) expect(known).toBe(0)
    else expect(Math.abs(value - (100 * online) / known)).toBeLessThan(0.5)
  }
})

/** Stores samples of the group as its server would have done, with the counts of each moment. */
async function addSamples(from: number, countsAt: (moment: number) => Record<Connectivity, number>) {
  const rows = Array.from({ length: Math.floor(-from / TEN_MINUTES) + 1 }, (_, nr) => {
    const moment = from + nr * TEN_MINUTES
    return { at: at(moment), ...countsAt(moment) }
  })
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `insert into group_connectivity_samples (client_id, group_uid, at, online, linkdown, linklost, neverup)
         select $1, $2, r.at, r.online, r.linkdown, r.linklost, r.neverup
         from jsonb_to_recordset($3) as r(at timestamptz, online int, linkdown int, linklost int, neverup int)
         on conflict (client_id, group_uid, at) do update
         set (online, linkdown, linklost, neverup) = (excluded.online, excluded.linkdown, excluded.linklost, excluded.neverup)`,
      [shop.scope.clientId, group, JSON.stringify(rows)],
    ),
  )
}

const countsOf = (moment: number) => {
  const counts = { online: 0, linkdown: 0, linklost: 0, neverup: 0 }
  for (const moments of heartbeats.values()) counts[stateAt(moments, moment)] += 1
  return counts
}

it('the charts of connectivity draws a group from samples once they cover the range, with the same counts', async () => {
  const endpoint = contract.readActiveDevicesChart
  const read = (ms: number) => {
    setClock(ms)
    return Promise.all([
      ...(['1h', '24h', '7d', '45d'] as const).map(range => chart(endpoint, shop, { range, group })),
      chart(contract.readAvailabilityChart, shop, { range: '45d', group }),
    ])
  }
  const pointsOf = (charts: contract.Chart[]) => charts.map(({ series }) => series)
  const changed = await read(0)
  await addSamples(-3 * DAY, () => ({ online: 700, linkdown: 0, linklost: 0, neverup: 0 }))
  const [hour, day, ...longer] = await read(2 * MINUTE)
  expect(
    new Set(
      valuesOf(day ?? expect.fail())
        .get('online')
        ?.values(),
    ),
  ).toEqual(new Set([700]))
  expect(pointsOf(longer.slice(0, 2))).toEqual(pointsOf(changed.slice(2, 4)))
  expect(
    valuesOf(hour ?? expect.fail())
      .get('online')
      ?.get(at(0)),
  ).toBe(countsOf(0).online)

  await addSamples(-46 * DAY, countsOf)
  const sampled = await read(9 * MINUTE)
  expect(pointsOf(sampled.slice(1, 4))).toEqual(pointsOf(changed.slice(1, 4)))
  for (const [nr, [time, share]] of changed[4]?.series[0]?.points.entries() ?? []) {
    const [sampledTime, sampledShare] = sampled[4]?.series[0]?.points[nr] ?? expect.fail()
    expect(sampledTime).toBe(time)
    expect(Math.abs((sampledShare ?? 0) - (share ?? 0))).toBeLessThan(1)
  }
  const day7 = valuesOf(sampled[4] ?? expect.fail()).get('availability')
  const ofDay = Array.from({ length: 144 }, (_, nr) => countsOf(-7.5 * DAY + nr * TEN_MINUTES))
  const sum = (states: readonly Connectivity[]) =>
    ofDay.flatMap(counts => states.map(state => counts[state])).reduce((a, b) => a + b, 0)
  const share = (100 * sum(['online'])) / sum(['online', 'linkdown', 'linklost'])
  expect(day7?.get('2026-11-14T00:00:00.000Z')).toBeCloseTo(share, 2)
})

it('the charts of connectivity draws the samples of all devices, which stay after a restart and are thinned after a day', async () => {
  const state = { loadAverages: [0.5, 1, 2] as const, freeBytes: 10_000, totalBytes: 40_000 }
  const take = async (ms: number, name = 'one:8080') => {
    setClock(ms)
    await takeSamples(server.context, name, { ...state, loadAverages: [...state.loadAverages] })
  }
  for (let minute = -70; minute <= 0; minute += 1) if (minute !== -5) await take(minute * MINUTE)
  await take(0, 'two:8080')
  const minutes = valuesOf(await chart(contract.readActiveDevicesChart, shop, { range: '1h' }))
  expect(minutes.get('online')?.size).toBe(60)
  expect(minutes.get('online')?.get(at(-5 * MINUTE))).toBeNull()
  const filtered = valuesOf(await chart(contract.readActiveDevicesChart, shop, { range: '1h', group }))
  for (const [uid, values] of minutes)
    expect([uid, values.get(at(0))]).toEqual([uid, filtered.get(uid)?.get(at(0))])

  const tenths = [...(minutes.get('online') ?? [])].filter(([time]) => time.endsWith('0:00.000Z'))
  const sumOf = (states: readonly string[]) =>
    states
      .flatMap(state => tenths.map(([time]) => minutes.get(state)?.get(time) ?? 0))
      .reduce((sum, value) => sum + value, 0)
  const shares = valuesOf(await chart(contract.readAvailabilityChart, shop)).get('availability')
  const share = (100 * sumOf(['online'])) / sumOf(['online', 'linkdown', 'linklost'])
  // Two samples are older than the hour of the chart.
  expect(shares?.get('2026-11-21T00:00:00.000Z')).toBeCloseTo(share, -1)
  expect(shares?.get('2026-11-20T00:00:00.000Z')).toBeNull()

  const space = await chart(contract.readFreeSpaceChart, shop, { range: '1h' })
  expect(space.series.map(({ uid }) => uid)).toEqual(['one:8080', 'two:8080'])
  expect(valuesOf(space).get('two:8080')?.get(at(0))).toBe(10_000)
  expect(valuesOf(space).get('two:8080')?.get(at(-MINUTE))).toBeNull()
  const loads = [contract.readLoadChart1, contract.readLoadChart5, contract.readLoadChart15]
  const shown = await Promise.all(loads.map(load => chart(load, shop, { range: '1h' })))
  expect(shown.map(drawn => valuesOf(drawn).get('one:8080')?.get(at(0)))).toEqual([0.5, 1, 2])

  await take(27 * HOUR)
  // The former session has ended meanwhile.
  const later = await signedInUser(shop.scope, { role: 'admin' })
  const other = await startAnother(server)
  const url = '/chart/active-devices/cached?range=7d'
  const answer = await other.inject({ url, headers: { authorization: `Bearer ${later.token}` } })
  const kept = valuesOf(answer.json<{ data: contract.Chart }>().data).get('online')
  expect(kept?.get(at(0))).toBe(minutes.get('online')?.get(at(0)))
  const day = valuesOf(await chart(contract.readFreeSpaceChart, later, { range: '45d' }))
  expect(day.get('one:8080')?.get(at(0))).toBe(10_000)
  const rows = await shop.scope.reads.selectFrom('serverSamples').select('at').orderBy('at').execute()
  expect(rows.map(row => String(row.at)).filter(time => time < at(HOUR) && !/:[0-5]0:00/.test(time))).toEqual(
    [],
  )
  expect(rows.length).toBe(10)

  const { installation } = await chart(readQuickMetrics, later)
  expect(installation?.servers).toMatchObject([{ name: 'one:8080', isReporting: true, freeBytes: 10_000 }])
  expect(installation?.database.sizeBytes).toBeGreaterThan(0)
  await take(49 * DAY)
  expect(await shop.scope.reads.selectFrom('serverSamples').select('at').execute()).toHaveLength(1)
})
