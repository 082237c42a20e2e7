import { randomUUID } from 'node:crypto'
import { readPlaysByHour, readPlaysChart } from '@floorcast/contract/charts.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { downloadZip, verifyBytes } from '@floorcast/testing/proof-files.ts'
import { addAirDevice, airAt, isoAt, makeAir } from '@floorcast/testing/test-air.ts'
import { sampleHash } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { rebuildStatistics } from '../statistics/statistics.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceDay } from '../device-day/device-day-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from '../smart-playlists/smart-playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeliveryReport } from '../delivery-report/delivery-report-routes.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerProof } from './proof-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerCharts } from '../charts/charts-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerDevices,
    registerDeviceDay,
    registerGroups,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerDeliveryReport,
    registerReports,
    registerProof,
    registerDashboard,
    registerCharts,
    registerDeviceHost,
  ],
})
const air = await makeAir(server)
const { shop, ad, plays } = air
const device = await addAirDevice(server, air)
const song = await makeMedia(shop.scope, { durationSeconds: 180 })
const foreign = await makeMedia((await server.newClient()).scope, { contentType: 'ads', durationSeconds: 10 })
await makeDevice(shop.scope)

const PERIOD = { from: '2026-11-20', to: '2026-11-20' }
const REPORTS = ['r1ext', 'r2', 'r3', 's1ext', 'rights', 'proof'] as const

/** Sums of a chart's points; the time of their measuring moves on. */
const sumsOf = ({ series }: { series: { uid: string; points: [unknown, number | null][] }[] }) =>
  series.map(({ uid, points }) => [uid, points.reduce((sum, [, value]) => sum + (value ?? 0), 0)])

let minutes = 0
/** Everything that counts plays, as its readers get it. */
async function readOutlets() {
  // Charts are measured once in some seconds.
  server.clock.now = new Date(airAt('12:00').getTime() + (minutes += 1) * 60_000)
  const { token } = shop
  const read: Record<string, unknown> = {}
  for (const name of REPORTS)
    for (const zone of ['UTC', 'device']) {
      const params = {
        track: name === 'proof' ? ad : 'all',
        playpoint: 'all',
        playlist: 'all',
        ...PERIOD,
        zone,
      }
      const answer = await server.ask(reportCalls[name].download, { token, params, query: { format: 'csv' } })
      expect([name, answer.statusCode]).toEqual([name, 200])
      read[`${name} ${zone}`] = answer.body
    }
  for (const range of ['24h', '7d'] as const)
    read[`chart ${range}`] = sumsOf(await server.call(readPlaysChart, { token, query: { range } }))
  read['chart of device'] = sumsOf(
    await server.call(readPlaysChart, { token, query: { range: '24h', device: device.uid } }),
  )
  read['by hour'] = sumsOf(
    await server.call(readPlaysByHour, { token, query: { range: '24h', zone: 'UTC' } }),
  )
  read['card'] = (await server.call(readQuickMetrics, { token })).playedCount
  read['day'] = (await server.call(readDeviceDay, { token, params: { uid: device.uid } })).played
  const { publications } = await server.call(readDelivery, { token, params: { uid: ad }, query: PERIOD })
  read['delivery'] = publications.map(({ made, extra }) => ({ made, extra }))
  const { manifest } = await verifyBytes(await downloadZip(server, shop, { uid: ad }))
  const { leftOut, ...counts } = manifest?.counts ?? {}
  const stored = await shop.scope.reads
    .selectFrom('deviceStates')
    .where('deviceUid', '=', device.uid)
    .select(['lastPlayedName', 'lastPlayedAt'])
    .execute()
  return {
    figures: { ...read, proof: { ...counts, sha256: manifest?.file.sha256 }, stored },
    leftOut: leftOut ?? {},
  }
}
type Outlets = Awaited<ReturnType<typeof readOutlets>>
const deliveryOf = ({ figures }: Outlets) => (figures as Record<string, unknown>)['delivery']

const send = async (body: object[]) => {
  const answer = await server.call(sendEvents, { ...device.player, body })
  expect(answer).toMatchObject({ code: 200, accepted: body.length, refused: [] })
}
const at = (moment: number, seconds: number, more: Partial<PlayEvent> = {}) =>
  device.play(moment, {
    startedAt: isoAt(moment),
    endedAt: isoAt(moment + seconds * 1000),
    secondsPlayed: seconds,
    ...more,
  })
const [first = 0, second = 0] = plays
/** Nothing plays then. */
const FREE = airAt('08:00').getTime()
const lengthOf = (seconds: number) => ({ durationSeconds: seconds })

beforeAll(async () => {
  server.clock.now = airAt('10:30')
  await send(plays.map(moment => device.play(moment)))
})

test('plays that can have been count', async () => {
  const { figures, leftOut } = await readOutlets()
  expect(leftOut).toEqual({})
  expect(figures.proof).toMatchObject({ adPlays: plays.length, completePlays: plays.length })
})

const ofSong = { mediaUid: song.uid, sha256: song.sha256, durationSeconds: 180 }
const ofForeign = { mediaUid: foreign.uid, sha256: foreign.sha256 }

test.each([
  {
    what: '300 of one millisecond',
    plays: () => Array.from({ length: 300 }, () => at(first, 0, lengthOf(0))),
    reason: 'overlap',
  },
  {
    what: '20 that overlap',
    plays: () => Array.from({ length: 20 }, (_, nr) => at(second + nr * 300, 10)),
    reason: 'overlap',
  },
  { what: '5,000 s of ten', plays: () => [at(FREE, 5000, lengthOf(5000))], reason: 'too-long' },
  { what: 'its file twice', plays: () => [at(FREE, 20)], reason: 'too-long' },
  { what: 'a random hash', plays: () => [at(FREE, 10, { sha256: 'f'.repeat(64) })], reason: 'unknown-file' },
  { what: 'a melody as an ad', plays: () => [at(FREE, 180, ofSong)], reason: 'other-kind', isOther: true },
  {
    what: 'an ad of another client',
    plays: () => [at(FREE, 10, ofForeign)],
    reason: 'unknown-media',
    isOther: true,
  },
  {
    what: 'an ad of nobody',
    plays: () => [at(FREE, 10, { mediaUid: randomUUID() })],
    reason: 'unknown-media',
    isOther: true,
  },
] as const)('invented plays are in the log alone, and named in the proof: $what', async invented => {
  const { reason } = invented
  const sent = invented.plays()
  const before = await readOutlets()
  await send(sent)
  const after = await readOutlets()
  expect(after.figures).toEqual(before.figures)
  const more = 'isOther' in invented ? {} : { [reason]: sent.length + (before.leftOut[reason] ?? 0) }
  expect(after.leftOut).toEqual({ ...before.leftOut, ...more })
  const params = { id: device.uid, kind: 'playtrack' } as const
  const log = await server.call(listDeviceLog, {
    token: shop.token,
    params,
    query: { size: 200, sort: 'receiveTime', dir: 'desc' },
  })
  expect(log.items.map(({ comment }) => comment)).toContain(reason)
  expect((await rebuildStatistics(server.context, shop.scope.clientId)).wrong).toBe(0)
})

test.each([
  ['0 s', 0],
  ['2 s of ten', 2],
])('a play called complete of %s is cut: an ad play, but not heard whole', async (_, seconds) => {
  const before = await readOutlets()
  await send([at(FREE + 60_000 * (1 + seconds), seconds)])
  const after = await readOutlets()
  const { proof } = after.figures
  expect(proof).toMatchObject({
    adPlays: Number(before.figures.proof.adPlays) + 1,
    completePlays: before.figures.proof.completePlays,
  })
  expect(deliveryOf(after)).toEqual(deliveryOf(before))
  expect((await rebuildStatistics(server.context, shop.scope.clientId)).wrong).toBe(0)
})

test('a proof of what the client never had is not made, and a play that is left out is the reason of a gap', async () => {
  const asked = { token: shop.token, params: { uid: foreign.uid, ...PERIOD, zone: 'UTC' } }
  expect((await server.ask(downloadProof, asked)).statusCode).toBe(404)
  const other = await addAirDevice(server, air)
  const body = [other.play(first, { sha256: sampleHash('nothing') })]
  await server.call(sendEvents, { ...other.player, body })
  const { publications } = await server.call(readDelivery, {
    token: shop.token,
    params: { uid: ad },
    query: PERIOD,
  })
  expect(publications[0]?.gaps).toContainEqual({ why: 'left-out', plays: 1 })
})
