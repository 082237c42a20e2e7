import { randomUUID } from 'node:crypto'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listDeviceLog, resetHeartbeat } from '@floorcast/contract/devices.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'
import { retainStatistics } from '../statistics/statistics.ts'
import { registerDeviceDay } from './device-day-routes.ts'

/*
 * The history has a row of few heartbeats (docs/decisions/0346), and later one of a day (0352): what a device's day shows is that of all
 * of them.
 */

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDevices, registerDeviceDay, registerDeviceHost],
})
const DAY_MS = 86_400_000
const QUARTER_MS = 900_000
const iso = (at: number) => new Date(at).toISOString()

/** A heartbeat, or the reset of a device's last contact by a user. */
interface Step {
  afterMs: number
  seconds: number
  volume: number
  isPlaying: boolean
  temperatureCelsius: number | null
  freeMemoryBytes: number
  by: 'this-version' | 'former-version' | 'reset'
}

const pauses = fc.oneof(
  { weight: 30, arbitrary: fc.integer({ min: 54_000, max: 66_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 2000, max: 20_000 }) },
  // Around three missed ones of sixty seconds: 199 s.
  { weight: 3, arbitrary: fc.integer({ min: 195_000, max: 203_000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 600_000, max: 14_400_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 50_000_000, max: 170_000_000 }) },
)
const mostly = <T>(usual: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const step: fc.Arbitrary<Step> = fc.record({
  afterMs: pauses,
  seconds: mostly(60, fc.constantFrom(20, 300)),
  volume: mostly(70, fc.integer({ min: 0, max: 100 })),
  isPlaying: mostly(true, fc.constant(false)),
  temperatureCelsius: fc.option(fc.integer({ min: 20, max: 80 })),
  freeMemoryBytes: fc.integer({ min: 1_000_000, max: 9_000_000 }),
  by: fc.oneof(
    { weight: 30, arbitrary: fc.constant('this-version' as const) },
    { weight: 4, arbitrary: fc.constant('former-version' as const) },
    { weight: 1, arbitrary: fc.constant('reset' as const) },
  ),
})

type Beat = Pick<Step, 'seconds' | 'temperatureCelsius' | 'freeMemoryBytes'> & { at: number }

/** What the former version computed of a row for each heartbeat. */
function expectedDay(beats: readonly Beat[], { from, end }: { from: number; end: number }) {
  const known = beats.filter(({ at }) => at >= from - DAY_MS && at < end + DAY_MS)
  const unreported = known.flatMap(({ at, seconds }, n) => {
    const next = known[n + 1]?.at ?? end
    const isGap = next > from && at < end && next >= at + (3.3 * seconds + 1) * 1000
    return isGap ? [{ from: iso(Math.max(at, from)), until: iso(Math.min(next, end)) }] : []
  })
  const healthFrom = Math.floor((end - DAY_MS) / QUARTER_MS) * QUARTER_MS
  const quarters = Map.groupBy(
    beats.filter(({ at }) => at >= healthFrom && at <= end),
    ({ at }) => Math.floor(at / QUARTER_MS) * QUARTER_MS,
  )
  const health = [...quarters].map(([at, some]) => {
    const degrees = some.flatMap(({ temperatureCelsius }) => temperatureCelsius ?? [])
    return {
      at: iso(at),
      heartbeats: some.length,
      temperatureCelsius: degrees.length > 0 ? Math.max(...degrees) : null,
      freeMemoryBytes: Math.min(...some.map(({ freeMemoryBytes }) => freeMemoryBytes)),
    }
  })
  return { unreported, health }
}

/** Stores a heartbeat as the server of 2.776.0 does, which does not know the columns of thinned history. */
const storeAsFormer = (deviceUid: string, { at, seconds, temperatureCelsius, freeMemoryBytes }: Beat) =>
  asSuperuser(server.superuserUrl, async superuser => {
    await server.database.ingest.ensureDays([iso(at).slice(0, 10)])
    await superuser.query(
      `insert into heartbeats (day, device_uid, received_at, client_id, uid, boot_uid, device_clock_at, program_version,
         temperature_celsius, free_memory_bytes, volume, heartbeat_seconds)
       select $2::timestamptz::date, uid, $2, client_id, $3, $3, $2, '2.776.0', $4, $5, 70, $6 from devices where uid = $1`,
      [deviceUid, iso(at), randomUUID(), temperatureCelsius, freeMemoryBytes, seconds],
    )
    await superuser.query(
      `insert into history_counts as c (client_id, kind, day, row_count, byte_count)
       select client_id, 'heartbeats', $2::timestamptz::date, 1, 320 from devices where uid = $1
       on conflict (client_id, kind, day) do update set row_count = c.row_count + 1, byte_count = c.byte_count + 320`,
      [deviceUid, iso(at)],
    )
    await superuser.query(
      `insert into device_states (device_uid, client_id, last_contact_at, heartbeat_seconds)
       select uid, client_id, $2, $3 from devices where uid = $1
       on conflict (device_uid) do update set last_contact_at = excluded.last_contact_at, heartbeat_seconds = excluded.heartbeat_seconds`,
      [deviceUid, iso(at), seconds],
    )
  })

const nowPlaying = {
  name: 'Song',
  mediaUid: null,
  contentType: null,
  startedAt: '2026-11-23T00:00:00Z',
  offsetSeconds: 0,
  durationSeconds: 180,
}

const BEGIN = Date.parse('2026-11-23T00:00:00.000Z')

/** A device that reports step by step, with all that it has reported. */
async function openReporting() {
  server.clock.now = new Date(BEGIN)
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  const bootId = randomUUID()
  const beats: Beat[] = []
  const token = async () => (await signedInUser(scope, { at: server.clock.now })).token
  const take = async (steps: readonly Step[]) => {
    for (const { afterMs, by, isPlaying, volume, ...more } of steps) {
      server.clock.now = new Date(server.clock.now.getTime() + afterMs)
      const beat = { at: server.clock.now.getTime(), ...more }
      if (by === 'reset') await server.call(resetHeartbeat, { token: await token(), params: { id: uid } })
      else if (by === 'former-version') await storeAsFormer(uid, beat)
      else {
        const { seconds: intervalSeconds, temperatureCelsius, freeMemoryBytes } = more
        const reported = { bootId, volume, intervalSeconds, temperatureCelsius, freeMemoryBytes }
        const body = makeHeartbeat({ ...reported, nowPlaying: isPlaying ? nowPlaying : null })
        await server.call(sendHeartbeat, { ...player, body })
      }
      if (by !== 'reset') beats.push(beat)
    }
  }
  const day = async (asked: string) =>
    server.call(readDeviceDay, { token: await token(), params: { uid }, query: { day: asked } })
  const rows = () =>
    scope.reads.selectFrom('heartbeats').where('deviceUid', '=', uid).select('receivedAt').execute()
  /** The days with folded heartbeats. */
  const folded = async () => {
    const days = scope.reads.selectFrom('heartbeatDays').where('deviceUid', '=', uid)
    return (await days.select('day').orderBy('day').execute()).map(row => row.day)
  }
  const log = async (query: object = {}) => {
    const params = { id: uid, kind: 'heartbeat' }
    const asked = { sort: 'receiveTime', dir: 'asc', size: 500, ...query }
    return (await server.call(listDeviceLog, { token: await token(), params, query: asked })).items
  }
  return { uid, scope, beats, take, day, rows, folded, log }
}
type Reporting = Awaited<ReturnType<typeof openReporting>>

const fold = () => retainStatistics(server.context, () => false)
/** The days of heartbeats and those beside them, and today, as they are shown now. */
async function daysOf({ beats, day }: Reporting) {
  const today = Math.floor(server.clock.now.getTime() / DAY_MS)
  const days = new Set([today])
  for (const { at } of beats)
    for (const beside of [-1, 0, 1]) days.add(Math.min(today, Math.floor(at / DAY_MS) + beside))
  const shown = []
  for (const number of days) shown.push(await day(iso(number * DAY_MS).slice(0, 10)))
  return shown
}

/** A device reports for some time, is off for some days, and its old heartbeats are folded. */
const phase = (...daysOff: number[]) =>
  fc.record({
    steps: fc.array(step, { minLength: 1, maxLength: 45 }),
    daysOff: fc.constantFrom(...daysOff),
  })
const phases = fc.tuple(fc.array(phase(1, 7, 9, 12), { minLength: 1, maxLength: 2 }), phase(9, 12))

it(
  'a device’s day is the same by its few stored heartbeats as by all of them',
  { timeout: 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 90 }), async steps => {
        const { beats, take, day } = await openReporting()
        await take(steps)
        const now = server.clock.now.getTime()
        for (let from = BEGIN; from <= now; from += DAY_MS) {
          const end = Math.min(from + DAY_MS, now)
          const { unreported, health } = await day(iso(from).slice(0, 10))
          expect({ unreported, health }).toEqual(expectedDay(beats, { from, end }))
        }
      }),
      // To shrink a failing example takes minutes.
      { numRuns: 12, endOnFailure: true },
    )
  },
)

it('the history has a row of each ten minutes, quarter of an hour and change, and none between', async () => {
  const { take, rows } = await openReporting()
  const usual = {
    seconds: 60,
    volume: 70,
    isPlaying: true,
    temperatureCelsius: 40,
    freeMemoryBytes: 5,
    by: 'this-version',
  } as const
  await take(Array.from({ length: 30 }, () => ({ ...usual, afterMs: 60_000 })))
  const minutes = async () =>
    (await rows())
      .map(({ receivedAt }) => (Date.parse(receivedAt) - BEGIN) / 60_000)
      .toSorted((a, b) => a - b)
  expect(await minutes()).toEqual([1, 11, 15, 25, 30])
  await take([
    { ...usual, afterMs: 60_000, freeMemoryBytes: 6, temperatureCelsius: 41 },
    { ...usual, afterMs: 60_000, volume: 30 },
    { ...usual, afterMs: 60_000, volume: 30 },
    { ...usual, afterMs: 60_000, volume: 30, isPlaying: false },
    { ...usual, afterMs: 60_000, volume: 30, isPlaying: false, seconds: 30 },
    { ...usual, afterMs: 30_000, volume: 30, isPlaying: false, seconds: 30 },
    { ...usual, afterMs: 100_000, volume: 30, isPlaying: false, seconds: 30 },
  ])
  expect((await minutes()).slice(5)).toEqual([32, 34, 35, 35.5 + 100 / 60])
})

it('a device’s day is the same when its heartbeats are folded', { timeout: 120_000 }, async () => {
  let foldedDays = 0
  await fc.assert(
    fc.asyncProperty(phases, async ([first, last]) => {
      const device = await openReporting()
      for (const { steps, daysOff } of [...first, last]) {
        await device.take(steps)
        server.clock.now = new Date(server.clock.now.getTime() + daysOff * DAY_MS)
        const former = await daysOf(device)
        expect(await fold()).toMatchObject({ failures: 0 })
        expect(await daysOf(device)).toEqual(former)
      }
      const now = server.clock.now.getTime()
      const isOld = ({ receivedAt }: { receivedAt: string }) =>
        Math.floor(Date.parse(receivedAt) / DAY_MS) < Math.floor(now / DAY_MS) - 8
      expect((await device.rows()).filter(isOld)).toEqual([])
      foldedDays += (await device.folded()).length
      for (const { day, unreported, health } of await daysOf(device)) {
        const from = Date.parse(day)
        const end = Math.min(from + DAY_MS, now)
        expect({ unreported, health }).toEqual(expectedDay(device.beats, { from, end }))
      }
    }),
    { numRuns: 6, endOnFailure: true },
  )
  expect(foldedDays).toBeGreaterThan(0)
})
