import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { type PlayEvent, PlayResult } from '@floorcast/contract/events.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { addTag, setTagPolicy, type TagLevel } from '@floorcast/contract/tag-calls.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import {
  addSums,
  firstOf,
  type MediaDay,
  readDays,
  readRollUps,
  type Sum,
} from '@floorcast/testing/roll-ups.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { knowFiles, makePlay, openPlayer, readMarks } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countUncounted, rebuildStatistics } from './statistics.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerGroups, registerPlaylists, registerPublications, registerTags, registerDeviceHost],
})
/** After the ends of summer time in Europe and in America, which lie within the ninety days of late plays. */
server.clock.now = new Date('2026-11-03T00:00:00Z')
const DAY_MS = 86_400_000

const shop = await newShop(server)
const { scope, token } = shop
const groupUid = await makeGroup(scope)

const setZone = (contentType: TagLevel, uid: string, value: string) =>
  server.call(addTag, { token, params: { contentType, uid }, body: { key: 'timeZone', value } })
await setZone('client', 'own', 'America/New_York')
await setZone('group', groupUid, 'Asia/Kathmandu')

async function openDevice(given: { zone?: string; inGroup?: boolean; policy?: TagLevel }) {
  const { uid, licenseKey } = await makeDevice(scope, {
    name: 'Till radio',
    ...(given.inGroup ? { groupUid } : {}),
  })
  if (given.zone) await setZone('device', uid, given.zone)
  if (given.policy) await server.call(setTagPolicy, { token, params: { uid, resultpolicy: given.policy } })
  return { uid, player: await openPlayer(server, licenseKey) }
}

const deviceIn = async (zone: string, given: Parameters<typeof openDevice>[0]) => ({
  ...(await openDevice(given)),
  zone,
  inGroup: given.inGroup === true,
})
const devices = [
  await deviceIn('Europe/Berlin', { zone: 'Europe/Berlin' }),
  await deviceIn('Pacific/Kiritimati', { zone: 'Pacific/Kiritimati', inGroup: true }),
  await deviceIn('Asia/Kathmandu', { zone: 'Europe/Berlin', inGroup: true, policy: 'group' }),
  await deviceIn('America/New_York', { zone: 'Asia/Tokyo', inGroup: true, policy: 'client' }),
  await deviceIn('America/New_York', {}),
]

/** Past row-level security. */
const query = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
// As in a client of thousands of devices: they are in two blocks, some with the same bit.
await query(
  `update play_devices set number = 1024 * (4 + number % 2) + number / 2 where client_id = '${scope.clientId}'`,
)

const dayIn = (zone: string, instant: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(new Date(instant))

const uids: string[] = Array.from({ length: 4 }, () => randomUUID())
/** The kinds of the four, as media; a device may name a wrong one. */
const kindOf = (mediaUid: string): MediaType => (uids.indexOf(mediaUid) % 2 === 0 ? 'melodies' : 'ads')
const files = uids.map(mediaUid => makePlay(1, { mediaUid, contentType: kindOf(mediaUid) }))
await knowFiles(server, devices[0]?.uid ?? '', files)
const publications = [(await readyPublication(shop)).uid, (await readyPublication(shop)).uid]
const nobodys = randomUUID()
const Play = fc.record({
  /** A week ago, around a change of clocks, or of an implausible clock. */
  startsAt: fc.oneof(
    fc.integer({ min: Date.parse('2026-10-24T20:00:00Z'), max: Date.parse('2026-11-02T23:00:00Z') }),
    fc.constantFrom(
      Date.parse('2026-10-25T00:59:59.999Z'),
      Date.parse('2026-11-01T04:00:00Z'),
      Date.parse('2026-08-10T21:59:59.999Z'),
    ),
    fc.constantFrom(Date.parse('2026-05-01T00:00:00Z'), Date.parse('2026-12-24T00:00:00Z')),
  ),
  seconds: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(0.0005, 7.25, 1 / 3)),
  mediaUid: fc.constantFrom(...uids),
  playlistUid: fc.constantFrom(null, ...uids),
  publicationUid: fc.constantFrom(null, nobodys, ...publications),
  isForeign: fc.integer({ min: 0, max: 9 }).map(n => n === 0),
  result: fc.constantFrom(
    'complete' as const,
    'complete' as const,
    'joined' as const,
    'cut' as const,
    'failed' as const,
  ),
  device: fc.constantFrom(...devices),
  isSentTwice: fc.boolean(),
})
type Play = typeof Play extends fc.Arbitrary<infer T> ? T : never

let sequence = 0
const bootId = randomUUID()
function toEvent({ startsAt, seconds, ...given }: Play): PlayEvent {
  const { mediaUid, playlistUid, publicationUid, isForeign, result } = given
  const contentType: MediaType = isForeign ? 'videos' : kindOf(mediaUid)
  const play = { mediaUid, playlistUid, publicationUid, contentType, result }
  const startedAt = new Date(startsAt).toISOString()
  const endedAt = new Date(startsAt + seconds * 1000).toISOString()
  const times = { at: endedAt, startedAt, endedAt, scheduledAt: startedAt }
  return makePlay((sequence += 1), { ...play, ...times, secondsPlayed: seconds, id: randomUUID(), bootId })
}

/** Counts the accepted plays one by one. */
const expected = {
  days: new Map<string, Sum>(),
  mediaDays: new Map<string, MediaDay>(),
  hours: new Map<string, number>(),
  groupHours: new Map<string, number>(),
}

/** Counts what is stored of some events; other tests say what is left out. */
async function countAll(sent: readonly { play: Play; event: PlayEvent }[]) {
  const marks = await readMarks(scope)
  for (const { play, event } of sent) {
    const { result = 'failed', leftOut = null } = marks.get(event.id) ?? {}
    const publicationUid = event.publicationUid === nobodys ? null : event.publicationUid
    if (leftOut === null) count({ ...event, publicationUid, result: PlayResult.parse(result) }, play.device)
  }
}

function count(event: PlayEvent, device: (typeof devices)[number]) {
  const age = server.clock.now.getTime() - Date.parse(event.startedAt)
  if (event.result === 'failed' || age > 90 * DAY_MS || age < -DAY_MS) return
  const { startedAt, mediaUid, playlistUid, publicationUid, contentType } = event
  const day = dayIn(device.zone, startedAt)
  const sum = firstOf(event)
  const key = [day, device.uid, mediaUid, playlistUid, publicationUid, contentType].join(' ')
  const former = expected.days.get(key)
  expected.days.set(key, former ? addSums(former, sum) : sum)
  const mediaKey = [day, mediaUid, contentType].join(' ')
  const ofMedia = expected.mediaDays.get(mediaKey)
  const players = new Set(ofMedia?.devices).add(device.uid)
  expected.mediaDays.set(mediaKey, {
    ...(ofMedia ? addSums(ofMedia, sum) : sum),
    devices: [...players].toSorted(),
  })
  const hour = `${startedAt.slice(0, 13)} ${contentType}`
  expected.hours.set(hour, (expected.hours.get(hour) ?? 0) + 1)
  if (!device.inGroup) return
  const groupHour = `${groupUid} ${hour}`
  expected.groupHours.set(groupHour, (expected.groupHours.get(groupHour) ?? 0) + 1)
}

const send = (device: (typeof devices)[number], body: PlayEvent[]) =>
  server.call(sendEvents, { ...device.player, body })

test('roll-ups equal a plain count: late, doubled, over midnight, on days of clock changes, in many zones', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Play, { minLength: 20, maxLength: 60 }), async plays => {
      const sent = plays.map(play => ({ play, event: toEvent(play) }))
      await Promise.all(
        devices.map(async device => {
          const own = sent.filter(({ play }) => play.device.uid === device.uid)
          const twice = own.filter(({ play }) => play.isSentTwice).map(({ event }) => event)
          if (own.length === 0) return
          const again = twice.map(event => ({ ...event, sequence: (sequence += 1) }))
          await Promise.all([
            send(
              device,
              own.map(({ event }) => event),
            ),
            send(device, twice),
          ])
          await send(device, again)
        }),
      )
      await countAll(sent)
      expect(await readRollUps(scope)).toEqual(expected)
    }),
    { numRuns: 8 },
  )
})

const rebuild = () => rebuildStatistics(server.context, scope.clientId)

async function sendMore(number: number) {
  const plays = fc
    .sample(Play, { numRuns: number, seed: number })
    .map(play => ({ play, event: toEvent(play) }))
  for (const { play, event } of plays) await send(play.device, [event])
  await countAll(plays)
}

test('a rebuild finds nothing to correct, and corrects what is wrong while plays arrive', async () => {
  expect(await rebuild()).toMatchObject({ clients: 1, wrong: 0 })
  await query(`
    delete from play_days where client_id = '${scope.clientId}' and content_type = 'ads';
    update play_days set plays = plays + 7, played_ms = 5, first_at = first_at - interval '1 hour',
      last_at = last_at - interval '1 hour' where device_uid = '${devices[0]?.uid}';
    insert into play_days select client_id, local_day, device_uid, '${randomUUID()}', playlist_uid, publication_uid,
      content_type, plays, complete_plays, played_ms, first_at, last_at from play_days where device_uid = '${devices[1]?.uid}'
      on conflict do nothing;
    delete from play_hours where content_type = 'ads';
    update play_hours set plays = plays + 1, hour = hour + interval '20 minutes';
    delete from play_group_hours where content_type = 'ads';
    update play_group_hours set plays = plays + 1, played_ms = 7;
    insert into play_group_hours select client_id, '${randomUUID()}', hour, content_type, plays, played_ms from play_group_hours;
    delete from play_media_days where media_uid = '${uids[0]}';
    update play_media_days set plays = plays - 1, complete_plays = 5, first_at = first_at - interval '1 hour', devices = ~devices
      where media_uid = '${uids[1]}';
    insert into play_media_days select client_id, local_day, media_uid, content_type, 2, plays, complete_plays, played_ms,
      first_at, last_at, devices from play_media_days on conflict do nothing`)
  await Promise.all([rebuild(), sendMore(40)])
  expect(await readRollUps(scope)).toEqual(expected)
  expect(await rebuild()).toMatchObject({ clients: 1, wrong: 0 })
  await query(`delete from play_devices`)
  await sendMore(5)
  await rebuild()
  expect(await readRollUps(scope)).toEqual(expected)
})

test('plays of a former version are counted once, while others arrive and when the count was interrupted', async () => {
  await query(`
    update plays set local_day = null; delete from play_days; delete from play_hours; delete from play_names;
    delete from play_media_days; delete from play_group_hours;
    insert into uncounted_days select client_id, day from history_counts where kind = 'plays'`)
  let asked = 0
  const [stopped] = await Promise.all([countUncounted(server.context, () => (asked += 1) > 5), sendMore(30)])
  expect(stopped).toBeLessThan(6)
  expect(await readDays(scope)).not.toEqual(expected.days)
  await Promise.all([countUncounted(server.context, () => false), sendMore(20)])
  expect(await readRollUps(scope)).toEqual(expected)
  expect(await countUncounted(server.context, () => false)).toBe(0)
  expect(await rebuild()).toMatchObject({ clients: 1, wrong: 0 })
})

test('the sums that a former version did not have are counted from its plays', async () => {
  await query(`
    delete from play_media_days where local_day > '2026-10-26'; delete from play_group_hours;
    insert into uncounted_days select distinct client_id, day + n from history_counts, generate_series(-1, 1) n
      on conflict do nothing`)
  await Promise.all([countUncounted(server.context, () => false), sendMore(20)])
  expect(await readRollUps(scope)).toEqual(expected)
})

test('days whose plays were deleted keep their sums', async () => {
  expect([...expected.days.keys()].some(key => key < '2026-10-26')).toBe(true)
  await query(`
    delete from plays where day < '2026-10-26'; delete from history_counts where day < '2026-10-26';
    insert into statistics_retention (client_id, kept_from) values ('${scope.clientId}', '2026-10-26')`)
  expect(await rebuild()).toMatchObject({ clients: 1, wrong: 0 })
  expect(await readRollUps(scope)).toEqual(expected)
})
