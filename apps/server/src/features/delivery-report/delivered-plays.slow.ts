import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { addTag, editTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { knowFiles, makePlay, openPlayer, readMarks } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hotPlays } from '../archive/archive.ts'
import { countUncounted, rebuildStatistics, retainStatistics } from '../statistics/statistics.ts'
import { countFromQuarters } from './delivered-plays.ts'
import { type DeliveryPeriod, localPeriod, withKeptPlays } from './delivery-period.ts'
import { countDelivered, type Delivered } from './delivery-report-queries.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeliveryReport } from './delivery-report-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerDeliveryReport,
    registerTags,
    registerDeviceHost,
  ],
})
/** In the middle of a quarter hour, after the ends of summer time in Europe and in America. */
const NOW = Date.parse('2026-11-03T10:07:31.250Z')
server.clock.now = new Date(NOW)
const DAY_MS = 86_400_000
const shop = await newShop(server)
const { scope, token } = shop
const query = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
const dayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)

async function openDevice(zone: string) {
  const { uid, licenseKey } = await makeDevice(scope)
  const params = { contentType: 'device', uid } as const
  await server.call(addTag, { token, params, body: { key: 'timeZone', value: zone } })
  return { uid, zone, player: await openPlayer(server, licenseKey) }
}
const devices: Awaited<ReturnType<typeof openDevice>>[] = []
const ZONES = ['Europe/Berlin', 'Pacific/Kiritimati', 'Asia/Kathmandu', 'America/St_Johns', 'Asia/Tokyo']
for (const zone of ZONES) devices.push(await openDevice(zone))

/** Programs that began in a quarter hour, with one, before all plays, and one that is off. */
const STARTS = ['2026-10-28T09:22:11.001Z', '2026-11-01T04:30:00.000Z', '2026-05-01T00:00:00.000Z', null]
const publications: { uid: string; since: string | null }[] = []
for (const since of STARTS) publications.push({ uid: (await readyPublication(shop)).uid, since })
const media = [randomUUID(), randomUUID()]
await knowFiles(
  server,
  devices[0]?.uid ?? '',
  media.map(mediaUid => makePlay(1, { mediaUid })),
)

const MOMENTS = [
  ...STARTS.flatMap(since => (since?.startsWith('2026-05') === false ? [Date.parse(since)] : [])),
  NOW,
  ...['2026-10-25T00:59:59.999Z', '2026-11-01T05:29:59.999Z', '2026-10-28T00:00:00Z'].map(Date.parse),
]
const Play = fc.record({
  scheduledAt: fc.oneof(
    fc.integer({ min: Date.parse('2026-10-24T20:00:00Z'), max: NOW + 1_800_000 }),
    fc.tuple(fc.constantFrom(...MOMENTS), fc.integer({ min: -1, max: 1 })).map(([at, ms]) => at + ms),
    // Around the midnights of the devices.
    fc.constantFrom(10, 15, 18, 23, 3).map(hour => Date.parse('2026-10-29T00:14:59Z') + hour * 3_600_000),
  ),
  lateMs: fc.oneof(
    fc.constantFrom(0, 0, 0, 1500, -2000, 600_000, 23 * 3_600_000, 26 * 3_600_000, 49 * 3_600_000),
    fc.integer({ min: 0, max: 7_200_000 }),
  ),
  publication: fc.constantFrom(null, ...publications),
  mediaUid: fc.constantFrom(...media),
  result: fc.constantFrom('complete' as const, 'complete' as const, 'complete' as const, 'cut' as const),
  device: fc.constantFrom(...devices),
  isSentTwice: fc.boolean(),
})
type Play = typeof Play extends fc.Arbitrary<infer T> ? T : never

/** A stored play, with the zone that its device had then. */
interface Stored extends Play {
  zone: string
}
let stored: Stored[] = []
let sequence = 0
const bootId = randomUUID()

function toEvent({ scheduledAt, lateMs, publication, mediaUid, result }: Play): PlayEvent {
  const startedAt = new Date(scheduledAt + lateMs).toISOString()
  const times = {
    at: startedAt,
    startedAt,
    endedAt: startedAt,
    scheduledAt: new Date(scheduledAt).toISOString(),
  }
  const names = { publicationUid: publication?.uid ?? null, mediaUid, result }
  return makePlay((sequence += 1), { ...times, ...names, id: randomUUID(), bootId })
}

async function send(plays: readonly Play[]) {
  for (const device of devices) {
    const own = plays.filter(play => play.device === device)
    const events = own.map(toEvent)
    const again = events
      .filter((_, nr) => own[nr]?.isSentTwice)
      .map(event => ({ ...event, sequence: (sequence += 1) }))
    await Promise.all([
      server.call(sendEvents, { ...device.player, body: events }),
      server.call(sendEvents, { ...device.player, body: again }),
    ])
    const marks = await readMarks(scope)
    const isLeftOut = (nr: number) => marks.get(events[nr]?.id ?? '')?.leftOut !== null
    // Later than its schedule by more than a day of the server's clock: its clock is implausible.
    stored.push(
      ...own
        .filter(({ scheduledAt, lateMs }, nr) => !isLeftOut(nr) && scheduledAt + lateMs - NOW <= DAY_MS)
        .map(play => ({ ...play, zone: device.zone })),
    )
  }
}
const sendSome = (number: number, seed: number) => send(fc.sample(Play, { numRuns: number, seed }))

const isDelivered = ({ scheduledAt, lateMs, result, publication }: Stored) =>
  result === 'complete' &&
  publication !== null &&
  Math.abs(Math.floor((scheduledAt + lateMs) / DAY_MS) - Math.floor(scheduledAt / DAY_MS)) <= 1

interface Grain {
  day: boolean
  device: false
  media: boolean
}

/** Counts them one by one. */
function plainCount(period: DeliveryPeriod, by: Grain) {
  const sums: Record<string, number> = {}
  for (const play of stored.filter(isDelivered)) {
    const { scheduledAt, publication, mediaUid, zone } = play
    const day = dayIn(period.zone === 'device' ? zone : period.zone, scheduledAt)
    if (scheduledAt < period.from.getTime() || scheduledAt >= period.until.getTime()) continue
    if (day < period.firstDay || day > period.lastDay) continue
    const isKnown = publication?.since != null && scheduledAt >= Date.parse(publication.since)
    const key = [publication?.uid, isKnown, by.day && day, by.media && mediaUid].join(' ')
    sums[key] = (sums[key] ?? 0) + 1
  }
  return sums
}

const sumsOf = (rows: readonly Delivered[], by: Grain) =>
  Object.fromEntries(
    rows.map(({ publicationUid, isKnown, day, mediaUid, plays }) => [
      [publicationUid, isKnown, by.day && day, by.media && mediaUid].join(' '),
      plays,
    ]),
  )

const GRAINS = [
  { day: true, device: false, media: false },
  { day: false, device: false, media: true },
] as const
const PERIODS = [
  ['2026-10-24', '2026-11-03'],
  ['2026-10-28', '2026-10-28'],
  ['2026-11-01', '2026-11-02'],
  ['2026-11-03', '2026-11-04'],
] as const

/** Compares the count of the roll-up with that of the rows, and with a plain one. */
async function expectOneCount(keptFrom: string | null = null) {
  let plays = 0
  for (const zone of ['device', 'UTC', 'Asia/Kathmandu', 'America/St_Johns'])
    for (const [from, to] of PERIODS)
      for (const by of GRAINS) {
        const period = withKeptPlays(localPeriod({ from, to, zone }, server.clock.now), keptFrom)
        const counted = sumsOf(
          await countFromQuarters(hotPlays(scope.reads), { publications, period, by }),
          by,
        )
        const asked = { period, mediaUid: null, by }
        expect(counted).toEqual(sumsOf(await countDelivered(hotPlays(scope.reads), publications, asked), by))
        expect(counted).toEqual(plainCount(period, by))
        plays += Object.values(counted).reduce((a, b) => a + b, 0)
      }
  return plays
}

const readQuarters = async () => {
  const rows = await scope.reads.selectFrom('deliveredQuarters').selectAll().execute()
  return Object.fromEntries(
    rows.map(({ quarter, publicationUid, mediaUid, scheduledDay, plays, firstAt, lastAt }) => [
      [quarter, publicationUid, mediaUid, scheduledDay].join(' '),
      { plays, firstAt, lastAt },
    ]),
  )
}

/** The rows of the roll-up by a plain count. */
function plainQuarters() {
  const sums: Record<string, { plays: number; firstAt: string; lastAt: string }> = {}
  for (const play of stored.filter(isDelivered)) {
    const { scheduledAt, lateMs, publication, mediaUid, zone } = play
    const quarter = new Date(scheduledAt - (scheduledAt % 900_000)).toISOString()
    const key = [quarter, publication?.uid, mediaUid, dayIn(zone, scheduledAt)].join(' ')
    const startedAt = new Date(scheduledAt + lateMs).toISOString()
    const { plays = 0, firstAt = startedAt, lastAt = startedAt } = sums[key] ?? {}
    sums[key] = {
      plays: plays + 1,
      firstAt: startedAt < firstAt ? startedAt : firstAt,
      lastAt: startedAt > lastAt ? startedAt : lastAt,
    }
  }
  return sums
}

const rebuild = () => rebuildStatistics(server.context, scope.clientId)

test('the roll-up counts what the rows count: late, doubled, around midnights, changes of clocks and starts of programs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Play, { minLength: 30, maxLength: 60 }), async plays => {
      await send(plays)
      expect(await readQuarters()).toEqual(plainQuarters())
      expect(await expectOneCount()).toBeGreaterThan(0)
    }),
    { numRuns: 4 },
  )
  // The last device moves to another zone, and its plays keep their days.
  const mover = devices.at(-1)
  if (!mover) throw new Error('no device')
  const params = { contentType: 'device', uid: mover.uid } as const
  mover.zone = 'America/Lima'
  await server.call(editTag, { token, params, body: { key: 'timeZone', value: mover.zone } })
  await sendSome(60, 1)
  expect(await readQuarters()).toEqual(plainQuarters())
  await expectOneCount()
})

test('a rebuild finds nothing to correct, and corrects what is wrong while plays arrive', async () => {
  expect(await rebuild()).toMatchObject({ wrong: 0 })
  await query(`
    delete from delivered_quarters where media_uid = '${media[0]}' and quarter > '2026-10-28';
    update delivered_quarters set plays = plays + 3, first_at = first_at - interval '1 hour', last_at = last_at - interval '1 minute'
      where media_uid = '${media[1]}' and quarter > '2026-10-30';
    insert into delivered_quarters select client_id, quarter, gen_random_uuid(), media_uid, scheduled_day, plays, first_at, last_at
      from delivered_quarters where quarter < '2026-10-29'`)
  await Promise.all([rebuild(), sendSome(40, 2)])
  expect(await readQuarters()).toEqual(plainQuarters())
  expect(await rebuild()).toMatchObject({ wrong: 0 })
})

test('plays of a former version are counted as rows until the maintenance has added them', async () => {
  // The days of the device that moved are those of its former zone, which nobody knows after an upgrade.
  const mover = devices.at(-1)?.uid
  stored = stored.filter(({ device }) => device.uid !== mover)
  await query(`
    delete from plays where device_uid = '${mover}'; delete from play_days where device_uid = '${mover}';
    delete from delivered_quarters; update plays set scheduled_day = null;
    update plays set local_day = null where device_uid = '${devices[0]?.uid}';
    delete from play_days where device_uid = '${devices[0]?.uid}';
    delete from play_media_days; delete from play_hours; delete from play_group_hours;
    insert into uncounted_days select distinct client_id, day + n from history_counts, generate_series(-1, 1) n
      where kind = 'plays'`)
  for (const by of GRAINS) {
    const period = localPeriod(
      { from: '2026-10-24', to: '2026-11-03', zone: 'America/St_Johns' },
      server.clock.now,
    )
    const counted = await countFromQuarters(hotPlays(scope.reads), { publications, period, by })
    expect(sumsOf(counted, by)).toEqual(plainCount(period, by))
  }
  await Promise.all([countUncounted(server.context, () => false), sendSome(40, 3)])
  expect(await readQuarters()).toEqual(plainQuarters())
  const { rows } = await query('select day from uncounted_days')
  expect(rows.length).toBeGreaterThan(0)
  await expectOneCount()
  server.clock.now = new Date(NOW + 5 * DAY_MS)
  await countUncounted(server.context, () => false)
  expect((await query('select day from uncounted_days')).rows).toEqual([])
  await expectOneCount()
  // Plays of a day begin on the neighboring days too.
  await query(`
    insert into uncounted_days (client_id, day) values ('${scope.clientId}', '2026-10-29');
    delete from delivered_quarters where quarter >= '2026-10-28T00:00Z' and quarter < '2026-10-31T00:00Z'`)
  await expectOneCount()
  await query('delete from uncounted_days')
  expect((await rebuild()).wrong).toBeGreaterThan(0)
  expect(await rebuild()).toMatchObject({ wrong: 0 })
})

test('delivered plays go with their rows', async () => {
  const keptFrom = '2026-10-28'
  await query(
    `insert into statistics_retention (client_id, kept_from) values ('${scope.clientId}', '${keptFrom}')`,
  )
  expect(await retainStatistics(server.context, () => false)).toMatchObject({ failures: 0 })
  const startDay = ({ scheduledAt, lateMs }: Play) => dayIn('UTC', scheduledAt + lateMs)
  const isBetween = ({ scheduledAt }: Play) => scheduledAt >= Date.parse(keptFrom)
  expect(stored.some(play => isBetween(play) && startDay(play) < keptFrom)).toBe(true)
  stored = stored.filter(play => startDay(play) >= keptFrom && isBetween(play))
  expect(await readQuarters()).toEqual(plainQuarters())
  await expectOneCount(keptFrom)
  expect(await rebuild()).toMatchObject({ wrong: 0 })
})
