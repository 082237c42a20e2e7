import { randomUUID } from 'node:crypto'
import * as contract from '@floorcast/contract/charts.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { PlayResult } from '@floorcast/contract/events.ts'
import { addToGroup, removeFromGroup } from '@floorcast/contract/groups.ts'
import { MediaType } from '@floorcast/contract/media.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makePlay, knowFiles, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerCharts } from './charts-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

type Client = Awaited<ReturnType<TestServer['newClient']>>
type Player = Awaited<ReturnType<typeof openPlayer>>
let server: TestServer
beforeAll(async () => {
  server = await testServer({
    features: [registerGroups, registerDashboard, registerCharts, registerDeviceHost],
  })
})

const NOON = Date.parse('2026-11-21T12:00:00Z')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNKNOWN = '01933d4e-0000-7000-8000-00000000000f'

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

const statusOf = async (endpoint: Endpoint, token: string, query: object = {}) =>
  (await server.ask(endpoint, { token, query })).statusCode

/** The series of a chart: values by uid and time. */
const valuesOf = ({ series }: contract.Chart) =>
  new Map(series.map(({ uid, points }) => [uid, new Map(points)]))

interface Played {
  player: Player
  contentType: MediaType
  startedAt: string
  result: PlayResult
}

let sequence = 0
const MEDIA = MediaType.options.map(() => randomUUID())
const bootId = randomUUID()

/** Sends each play in the name of its device. */
async function sendPlays(plays: readonly Played[]) {
  for (const [player, own] of Map.groupBy(plays, play => play.player)) {
    const body = own.map(({ contentType, startedAt, result }) => {
      const times = { at: startedAt, startedAt, endedAt: startedAt, scheduledAt: startedAt }
      const file = { contentType, mediaUid: MEDIA[MediaType.options.indexOf(contentType)] ?? '' }
      return makePlay((sequence += 1), { bootId, ...file, result, ...times, secondsPlayed: 0 })
    })
    await knowFiles(server, player.deviceUid, body)
    await server.call(sendEvents, { ...player, body })
  }
}

describe('the chart of plays', () => {
  const random = randomFrom(7)
  let shop: Client
  let plays: Played[]
  let group: string
  const players: Player[] = []
  const playerAt = (index: number): Player => players[index] ?? expect.fail('no such player')
  beforeAll(async () => {
    setClock(25 * MINUTE)
    shop = await server.newClient()
    group = await makeGroup(shop.scope)
    for (const given of [{ groupUid: group }, { groupUid: group }, {}])
      players.push(await openPlayer(server, (await makeDevice(shop.scope, given)).licenseKey))
    const ages = [HOUR, DAY, 7 * DAY, 46 * DAY]
    plays = Array.from({ length: 120 }, (_, index) => ({
      player: playerAt(random(3)),
      contentType: MediaType.options[random(3)] ?? 'ads',
      startedAt: at(25 * MINUTE - random(ages[index % 4] ?? HOUR)),
      result: PlayResult.options[random(4)] ?? 'failed',
    }))
    await sendPlays(plays)
  })

  const isHeard = ({ result }: Played) => result !== 'failed'

  it.each(['1h', '24h', '7d', '45d'] as const)('counts over %s what a plain count counts', async range => {
    setClock(25 * MINUTE)
    for (const [query, isMeant] of [
      [{ range }, () => true],
      [{ range, group }, ({ player }: Played) => player !== playerAt(2)],
      [{ range, device: playerAt(2).deviceUid }, ({ player }: Played) => player === playerAt(2)],
    ] as const) {
      const drawn = await chart(contract.readPlaysChart, shop, query)
      expect(drawn).toMatchObject({ unit: 'plays', asOf: at(25 * MINUTE) })
      const stepMs = drawn.stepSeconds * 1000
      const counted = new Map<string, number>()
      for (const play of plays.filter(isHeard).filter(isMeant)) {
        const key = `${play.contentType} ${Math.floor(Date.parse(play.startedAt) / stepMs) * stepMs}`
        counted.set(key, (counted.get(key) ?? 0) + 1)
      }
      const first = Date.parse(drawn.series[0]?.points[0]?.[0] ?? '')
      const wanted = [...counted].filter(([key]) => Number(key.split(' ')[1]) >= first)
      const shown = drawn.series.flatMap(({ uid, points }) =>
        points.flatMap(([time, value]) =>
          value === 0 ? [] : [[`${uid} ${Date.parse(time)}`, value] as [string, number | null]],
        ),
      )
      expect(new Map(shown)).toEqual(new Map(wanted))
      expect(drawn.series.every(({ points }) => points.length === drawn.series[0]?.points.length)).toBe(true)
    }
  })

  it('counts for a group what its devices played while they were in it', async () => {
    setClock(25 * MINUTE)
    const { scope, token } = await server.newClient()
    const [former, later] = [
      await makeGroup(scope, { name: 'North' }),
      await makeGroup(scope, { name: 'South' }),
    ]
    const { uid, licenseKey } = await makeDevice(scope, { groupUid: former })
    const player = await openPlayer(server, licenseKey)
    const play = async (ms: number, contentType: MediaType) => {
      await sendPlays([{ player, contentType, startedAt: at(ms), result: 'complete' }])
    }
    await play(MINUTE, 'ads')
    await server.call(removeFromGroup, { token, params: { device: uid, group: former } })
    await play(2 * MINUTE, 'videos')
    await server.call(addToGroup, { token, params: { device: uid, group: later } })
    await play(3 * MINUTE, 'melodies')
    for (const range of ['1h', '24h', '7d', '45d'])
      for (const [query, types] of [
        [{ group: former }, ['ads']],
        [{ group: later }, ['melodies']],
        [{ group: later, device: uid }, ['ads', 'melodies', 'videos']],
        [{}, ['ads', 'melodies', 'videos']],
      ] as const) {
        const { series } = await chart(contract.readPlaysChart, { token }, { range, ...query })
        expect(series.map(one => one.uid).toSorted()).toEqual(types)
        for (const { points } of series)
          expect(points.reduce((sum, [, value]) => sum + (value ?? 0), 0)).toBe(1)
      }
  })

  it('counts the same on the card and by hour of day in a zone', async () => {
    setClock(25 * MINUTE)
    const begin = Date.parse(at(-23 * HOUR))
    const heard = plays
      .filter(isHeard)
      .map(({ startedAt }) => Date.parse(startedAt))
      .filter(ms => ms >= begin)
    expect((await chart(readQuickMetrics, shop)).playedCount).toBe(heard.length)
    const hours = await chart(contract.readPlaysByHour, shop, { range: '24h', zone: 'America/New_York' })
    const wanted = Array.from({ length: 24 }, () => 0)
    for (const ms of heard) {
      const hour = (new Date(ms).getUTCHours() + 19) % 24
      wanted[hour] = (wanted[hour] ?? 0) + 1
    }
    const sums = Array.from({ length: 24 }, (_, hour) =>
      hours.series.reduce((sum, { points }) => sum + (points[hour]?.[1] ?? 0), 0),
    )
    expect(sums).toEqual(wanted)
  })

  it('is measured once in some seconds, and says of when it is', async () => {
    setClock(25 * MINUTE)
    const before = await chart(contract.readPlaysChart, shop, { range: '1h' })
    await sendPlays([
      { player: playerAt(0), contentType: 'ads', startedAt: at(25 * MINUTE), result: 'complete' },
    ])
    setClock(25 * MINUTE + 4000)
    expect(await chart(contract.readPlaysChart, shop, { range: '1h' })).toEqual(before)
    setClock(25 * MINUTE + 5000)
    const after = await chart(contract.readPlaysChart, shop, { range: '1h' })
    expect(after.asOf).toBe(at(25 * MINUTE + 5000))
    expect(
      valuesOf(after)
        .get('ads')
        ?.get(at(25 * MINUTE)),
    ).toBe(
      (valuesOf(before)
        .get('ads')
        ?.get(at(25 * MINUTE)) ?? 0) + 1,
    )
  })
})

const clientCharts = [
  contract.readPlaysChart,
  contract.readActiveDevicesChart,
  contract.readAvailabilityChart,
]
const serverCharts = [
  contract.readFreeSpaceChart,
  contract.readLoadChart1,
  contract.readLoadChart5,
  contract.readLoadChart15,
]

it('the callers of charts get 404 for a device or group that they do not have, and 4xx for what is no range', async () => {
  setClock(0)
  const [shop, other] = [await server.newClient(), await server.newClient()]
  const device = (await makeDevice(other.scope)).uid
  const [group, own] = [await makeGroup(other.scope), await makeGroup(shop.scope)]
  const lone = (await makeDevice(shop.scope)).uid
  for (const endpoint of clientCharts)
    for (const query of [
      { device },
      { group },
      { device: UNKNOWN },
      { group: UNKNOWN },
      { device: lone, group: own },
    ])
      expect(await statusOf(endpoint, shop.token, query)).toBe(404)
  expect(await statusOf(contract.readDeviceMap, shop.token, { group })).toBe(404)
  for (const endpoint of [...clientCharts, ...serverCharts, contract.readPlaysByHour])
    for (const query of [{ range: '46d' }, { range: '0' }])
      expect([400, 422]).toContain(await statusOf(endpoint, shop.token, query))
  expect(await statusOf(contract.readPlaysByHour, shop.token, { zone: 'Mars/Phobos' })).toBe(422)
  expect(await statusOf(contract.readPlaysByHour, shop.token, { zone: 'IST' })).toBe(422)
})

it('the callers of charts may be users with the right to view; the charts of servers are for admins, and none for streamers', async () => {
  const { scope } = await server.newClient()
  const tokenOf = async (role: 'admin' | 'manager' | 'streamer') =>
    (await signedInUser(scope, { role, rights: 'view' })).token
  const [admin, manager, streamer] = [
    await tokenOf('admin'),
    await tokenOf('manager'),
    await tokenOf('streamer'),
  ]
  for (const endpoint of [...clientCharts, contract.readPlaysByHour, contract.readDeviceMap])
    expect(await Promise.all([admin, manager, streamer].map(token => statusOf(endpoint, token)))).toEqual([
      200, 200, 403,
    ])
  for (const endpoint of serverCharts)
    expect(await Promise.all([admin, manager, streamer].map(token => statusOf(endpoint, token)))).toEqual([
      200, 403, 403,
    ])
  expect((await chart(readQuickMetrics, { token: manager })).installation).toBeNull()
})
