import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type HeartbeatAnswer, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { type ChartRange, readPlaysByHour, readPlaysChart } from '@floorcast/contract/charts.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { purge } from '@floorcast/contract/recycle-bin.ts'
import type { Redelivered } from '@floorcast/contract/redelivery.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import {
  downloadZip,
  makeProvenAd,
  playAt,
  runVerifyProof,
  verifyBytes,
} from '@floorcast/testing/proof-files.ts'
import { localDay } from '@floorcast/testing/report-shop.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { startAnother, testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { noteRestored } from '../../platform/database/restorations.ts'
import { registerCharts } from '../charts/charts-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeliveryReport } from '../delivery-report/delivery-report-routes.ts'
import { registerDeviceDay } from '../device-day/device-day-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerProof } from '../proof/proof-routes.ts'
import { registerRecycleBin } from '../recycle-bin/recycle-bin-routes.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerCharts,
    registerDashboard,
    registerDeliveryReport,
    registerDeviceDay,
    registerDeviceHost,
    registerDevices,
    registerProof,
    registerRecycleBin,
    registerReports,
    registerTags,
  ],
})
const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = Date.now()
server.clock.now = new Date(NOW)
/** The moment of the backup. */
const BACKUP = NOW - 2 * DAY
const ZONE = 'Europe/Berlin'
const dayOf = (at: number) => localDay(new Date(at), ZONE)
const PERIOD = { from: dayOf(NOW - 7 * DAY), to: dayOf(NOW), zone: ZONE }

type Shop = Awaited<ReturnType<typeof makeProvenAd>>
type Device = Awaited<ReturnType<Shop['add']>>

/** Each backup has a moment of its own. */
let restores = 0

async function restore(moment = BACKUP) {
  restores += 1
  const owner = new Client({ connectionString: server.url })
  await owner.connect()
  await noteRestored(owner, new Date(moment + restores).toISOString())
  await owner.end()
  // A database is restored while no server runs.
  const started = await startAnother(server)
  const beat = async (token: string, redelivered?: Redelivered) => {
    const payload = makeHeartbeat(redelivered && { redelivered })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await started.inject({ method: 'POST', url: sendHeartbeat.path, headers, payload })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ data: HeartbeatAnswer }>().data
  }
  return {
    beat,
    /** The device says that it has delivered again, as far as it holds it. */
    answer: async ({ token }: Pick<Device, 'token'>, heldSince = NOW - 80 * DAY) => {
      const { restored } = await beat(token)
      if (!restored) throw new Error('no epoch')
      await beat(token, { epoch: restored.epoch, heldSince: new Date(heldSince).toISOString() })
    },
  }
}

/** The notes of a report about a restore, and its plays by day. */
async function readReport({ shop, ad }: Shop, period: Partial<typeof PERIOD> = {}) {
  const params = { ...PERIOD, track: ad, ...period }
  const { notes, rows, columns } = await server.call(reportCalls.proof.preview, { token: shop.token, params })
  const at = (key: string) => columns.findIndex(column => column.key === key)
  return {
    notes: notes.filter(({ code }) => code.startsWith('restored')),
    adPlays: rows.reduce((sum, row) => sum + Number(row[at('adPlays')]), 0),
    marks: rows.map(row => [row[at('device')], row[at('day')], row[at('restored')]]),
  }
}

const awaited = (from: number, to: number, devices: number) => ({
  code: 'restoredAwaited',
  values: { from: dayOf(from), to: dayOf(to), devices },
})

test('a day that no report marks after a restore has every play that was delivered before, whatever devices deliver again in which order', async () => {
  const history = fc.record({
    /** Hours before the restore, of plays that the lost server had. */
    plays: fc.uniqueArray(fc.integer({ min: 1, max: 6 * 24 }), { minLength: 1, maxLength: 12 }),
    /** The share of those before the backup that the backup has; the device was offline with the others. */
    backedUp: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 2, maxLength: 3 }), async histories => {
      const shop = await makeProvenAd(server)
      const devices: { device: Device; starts: number[]; lost: number[] }[] = []
      for (const { plays, backedUp } of histories) {
        const starts = plays.map(hours => NOW - hours * HOUR).toSorted((a, b) => a - b)
        const held = Math.floor(backedUp * starts.filter(start => start < BACKUP).length)
        server.clock.now = new Date(NOW - 7 * DAY)
        const device = await shop.add(`Shop ${devices.length}`, {})
        server.clock.now = new Date(NOW)
        if (held > 0) await device.send(starts.slice(0, held).map(start => playAt(start)))
        devices.push({ device, starts, lost: starts.slice(held) })
      }
      const { answer } = await restore()
      const days = Array.from({ length: 8 }, (_, ago) => dayOf(NOW - ago * DAY))
      const played = (day: string) =>
        devices.flatMap(({ starts }) => starts).filter(start => dayOf(start) === day).length
      const marked = async () => {
        const found: string[] = []
        for (const day of days) {
          const { notes, adPlays } = await readReport(shop, { from: day, to: day })
          if (notes.length > 0) found.push(day)
          else expect({ day, adPlays }).toEqual({ day, adPlays: played(day) })
        }
        return found
      }
      // Every day since the backup is marked, also one without a play.
      expect(await marked()).toEqual(
        expect.arrayContaining(days.filter(day => day >= dayOf(BACKUP) && day <= dayOf(NOW))),
      )
      for (const { device, lost } of devices) {
        if (lost.length > 0) await device.send(lost.map(start => playAt(start)))
        await marked()
        await answer(device)
      }
      expect(await marked()).toEqual([])
    }),
    { numRuns: 2 },
  )
})

test('what a device does not hold any more is lost for good: the report, its rows and the signed proof say so', async () => {
  const shop = await makeProvenAd(server)
  const [north, south] = [await shop.add('North', {}), await shop.add('South', {})]
  for (const device of [north, south]) await device.send([playAt(BACKUP - HOUR), playAt(NOW - 5 * DAY)])
  const { answer } = await restore()
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 2)])
  // Its machine was replaced a day after the backup.
  await answer(north, BACKUP + DAY)
  const lost = { from: dayOf(BACKUP - HOUR), to: dayOf(BACKUP + DAY), devices: 1 }
  const { notes, marks } = await readReport(shop)
  expect(notes).toEqual([awaited(BACKUP - HOUR, NOW, 1), { code: 'restoredLost', values: lost }])
  const marksOf = (at: number) => marks.filter(([, day]) => day === dayOf(at))
  expect(marksOf(NOW - 5 * DAY).map(([, , mark]) => mark)).toEqual([null, null])
  expect(marksOf(BACKUP - HOUR)).toEqual([
    ['North', dayOf(BACKUP - HOUR), 'lost'],
    ['South', dayOf(BACKUP - HOUR), 'awaited'],
  ])
  const period = { uid: shop.ad, ...PERIOD }
  const zip = await downloadZip(server, shop.shop, period)
  const { faults, manifest } = await verifyBytes(zip)
  expect(faults).toEqual([])
  expect(manifest?.restored).toEqual({ awaited: awaited(BACKUP - HOUR, NOW, 1).values, lost })
  expect(runVerifyProof(zip).stdout).toContain(`may be lost, 1 devices no longer have them`)
  const params = { ...PERIOD, track: shop.ad }
  const csv = await server.ask(reportCalls.proof.download, {
    token: shop.shop.token,
    params,
    query: { format: 'csv' },
  })
  expect(csv.body).toContain('plays may be lost')
  expect(csv.body).toContain('plays may follow')

  await answer(south)
  expect((await readReport(shop)).notes).toEqual([{ code: 'restoredLost', values: lost }])
  expect((await readReport(shop, { from: dayOf(BACKUP + 2 * DAY) })).notes).toEqual([])
  // A whole proof says nothing.
  const whole = await downloadZip(server, shop.shop, {
    ...period,
    from: dayOf(NOW - 4 * DAY),
    to: dayOf(NOW - 4 * DAY),
  })
  expect((await verifyBytes(whole)).manifest).not.toHaveProperty('restored')
})

test('a device in the bin is still missing, an answer of a former epoch counts nothing, and after ninety days nothing follows', async () => {
  const shop = await makeProvenAd(server)
  const device = await shop.add('North', {})
  await device.send([playAt(BACKUP - HOUR)])
  const first = await restore(BACKUP)
  const { restored: former } = await first.beat(device.token)
  const second = await restore(BACKUP + HOUR)
  const { restored } = await second.beat(device.token)
  expect(restored?.epoch).not.toBe(former?.epoch)
  expect(restored?.since).toBe(former?.since)
  const held = new Date(NOW - 80 * DAY).toISOString()
  await second.beat(device.token, { epoch: former?.epoch ?? '', heldSince: held })
  const token = shop.shop.token
  await server.call(deleteDevice, { token, body: { uid: device.uid } })
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
  const restoredEarlier = (days: number) =>
    asSuperuser(server.superuserUrl, superuser =>
      superuser.query(`update restorations set restored_at = restored_at - $1 * interval '1 day'`, [days]),
    )
  await restoredEarlier(89)
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
  await restoredEarlier(2)
  const values = { from: dayOf(BACKUP - HOUR), to: dayOf(NOW), devices: 1 }
  expect((await readReport(shop)).notes).toEqual([{ code: 'restoredLost', values }])
  await restoredEarlier(-91)
})

test('plays of a device that was deleted for good follow no more', async () => {
  const shop = await makeProvenAd(server)
  const device = await shop.add('North', {})
  await device.send([playAt(BACKUP - HOUR)])
  await restore()
  const token = shop.shop.token
  await server.call(deleteDevice, { token, body: { uid: device.uid } })
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
  await server.call(purge, { token, params: { x: 'devices', uid: device.uid } })
  const values = { from: dayOf(BACKUP - HOUR), to: dayOf(NOW), devices: 1 }
  expect((await readReport(shop)).notes).toEqual([{ code: 'restoredLost', values }])
})

const utcDay = (at: number) => new Date(at).toISOString().slice(0, 10)

test('figures of plays say what they may lack since a restore: of an ad, of the day of a device and of the dashboard', async () => {
  const shop = await makeProvenAd(server)
  const [north, south] = [await shop.add('North', {}), await shop.add('South', {})]
  for (const device of [north, south]) await device.send([playAt(BACKUP - HOUR)])
  const token = shop.shop.token
  const read = async (days = { from: utcDay(NOW - 7 * DAY), to: utcDay(NOW) }) => {
    const chart = async (range: ChartRange, choice: { device?: string } = {}) =>
      (await server.call(readPlaysChart, { token, query: { range, ...choice } })).restored ?? null
    const dayFor = async (uid: string, day: string) =>
      (await server.call(readDeviceDay, { token, params: { uid }, query: { day } })).restored
    return {
      ad: (await server.call(readDelivery, { token, params: { uid: shop.ad }, query: days })).restored,
      north: await dayFor(north.uid, utcDay(BACKUP)),
      northBefore: await dayFor(north.uid, utcDay(BACKUP - 2 * DAY)),
      south: await dayFor(south.uid, utcDay(BACKUP)),
      overview: (await server.call(readQuickMetrics, { token })).playedRestored,
      hour: await chart('1h'),
      week: await chart('7d'),
      weekOfSouth: await chart('7d', { device: south.uid }),
      hours: (await server.call(readPlaysByHour, { token, query: { range: '7d' } })).restored ?? null,
    }
  }
  const { beat, answer } = await restore()
  const all = { awaited: { from: utcDay(BACKUP - HOUR), to: utcDay(NOW), devices: 2 } }
  const ofOneDay = { awaited: { from: utcDay(BACKUP), to: utcDay(BACKUP), devices: 1 } }
  const lastDay = { awaited: { from: utcDay(NOW - 23 * HOUR), to: utcDay(NOW), devices: 2 } }
  const marked = await read()
  expect(marked).toMatchObject({
    ad: all,
    north: ofOneDay,
    northBefore: null,
    south: ofOneDay,
    overview: lastDay,
    week: all,
    weekOfSouth: { awaited: { ...all.awaited, devices: 1 } },
    hours: all,
  })
  expect(marked.hour?.awaited?.devices).toBe(2)
  // Charts are kept for a minute.
  const later = (minutes: number) => (server.clock.now = new Date(NOW + minutes * 60_000))
  later(70)
  // A page in a browser that holds what it has played since the backup's next day, and no more.
  const { restored } = await beat(south.token)
  const heldSince = new Date(BACKUP + DAY).toISOString()
  await beat(south.token, { epoch: restored?.epoch ?? '', heldSince, isPartial: true })
  await answer(north)
  const lost = { lost: { from: utcDay(BACKUP - HOUR), to: utcDay(BACKUP + DAY), devices: 1 } }
  expect(await read()).toEqual({
    ad: lost,
    north: null,
    northBefore: null,
    south: { lost: ofOneDay.awaited },
    overview: null,
    hour: null,
    week: lost,
    weekOfSouth: lost,
    hours: lost,
  })
  expect((await read({ from: utcDay(BACKUP - 4 * DAY), to: utcDay(BACKUP - 2 * DAY) })).ad).toBeNull()
  server.clock.now = new Date(NOW)
})

test('a device that was first used after the backup, and may have played elsewhere too, is not taken for whole', async () => {
  const shop = await makeProvenAd(server)
  const { licenseKey } = await makeDevice(shop.shop.scope, { name: 'Opened yesterday' })
  const { beat } = await restore()
  const player = await openPlayer(server, licenseKey)
  const { restored } = await beat(player.token)
  const heldSince = new Date(BACKUP + DAY).toISOString()
  await beat(player.token, { epoch: restored?.epoch ?? '', heldSince, isPartial: true })
  const values = { from: dayOf(BACKUP), to: dayOf(BACKUP + DAY), devices: 1 }
  expect((await readReport(shop)).notes).toEqual([{ code: 'restoredLost', values }])
})

test('a device that answers a restore for the second time is heard, also by a server that first heard its former answer', async () => {
  const shop = await makeProvenAd(server)
  const device = await shop.add('North', {})
  await device.send([playAt(BACKUP - HOUR)])
  const { restored: former } = await (await restore()).beat(device.token)
  const heldSince = new Date(NOW - 80 * DAY).toISOString()
  const { beat, answer } = await restore()
  await beat(device.token, { epoch: former?.epoch ?? '', heldSince })
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
  await answer(device)
  expect((await readReport(shop)).notes).toEqual([])
})

test('a device that was first used after the backup holds all that it has played', async () => {
  const shop = await makeProvenAd(server)
  const { licenseKey } = await makeDevice(shop.shop.scope, { name: 'Opened yesterday' })
  const { answer } = await restore()
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP, NOW, 1)])
  await answer(await openPlayer(server, licenseKey), BACKUP + DAY)
  expect((await readReport(shop)).notes).toEqual([])
})

test('an operator tells of a restore by other means: its moment is that of the newest sample of a server', async () => {
  const shop = await makeProvenAd(server)
  const device = await shop.add('North', {})
  await device.send([playAt(BACKUP - HOUR)])
  const sampledAt = new Date(BACKUP + 5 * HOUR)
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('delete from server_samples')
    await superuser.query("insert into server_samples values ('server 0123', $1, 1, 1, 1, 1, 1)", [sampledAt])
  })
  const program = fileURLToPath(new URL('../../admin.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [program, 'restored', '--env', '/dev/null'],
    {
      env: { ...process.env, DATABASE_URL: server.url, DATA_DIR: tmpdir() },
    },
  )
  expect(stdout).toContain(`Devices deliver again what they have sent since ${sampledAt.toISOString()}`)
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
})

test('a heartbeat counts whatever a device says of its log: a date that no calendar has leaves its days marked', async () => {
  const shop = await makeProvenAd(server)
  const device = await shop.add('North', {})
  await device.send([playAt(BACKUP - HOUR)])
  const { beat, answer } = await restore()
  const { restored } = await beat(device.token)
  await beat(device.token, { epoch: restored?.epoch ?? '', heldSince: '0000-01-01T00:00:00Z' })
  expect((await readReport(shop)).notes).toEqual([awaited(BACKUP - HOUR, NOW, 1)])
  await answer(device)
  expect((await readReport(shop)).notes).toEqual([])
})
