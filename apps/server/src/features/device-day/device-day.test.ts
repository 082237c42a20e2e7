import type { PlayEvent } from '@floorcast/contract/events.ts'
import { randomUUID } from 'node:crypto'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice } from '@floorcast/contract/devices.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, makePlay, knowFiles, openPlayer } from '@floorcast/testing/test-device.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeEach, expect, it } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerDeviceDay } from './device-day-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerDevices,
    registerDeviceDay,
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerTags,
    registerDeviceHost,
  ],
})
/** Ten in the morning in Oslo, in winter. */
const TEN = '2026-11-23T09:00:00.000Z'
const at = (time: string) => `2026-11-23T${time.padEnd(8, ':00')}.000Z`
const setClock = (time: string) => (server.clock.now = new Date(at(time)))
beforeEach(() => void (server.clock.now = new Date('2026-11-22T09:00:00.000Z')))

/** A device in Oslo in a group with a publication that was turned on the day before. */
async function openShop() {
  const shop = await newShop(server)
  const { group, uid: publication } = await readyPublication(shop)
  await shop.turn(publication)
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const tag = (key: string, value: string) =>
    server.call(addTag, { token: shop.token, params: { contentType: 'device', uid }, body: { key, value } })
  await tag('timeZone', 'Europe/Oslo')
  await tag('openingTime', '08:00')
  await tag('closingTime', '20:00')
  const player = await openPlayer(server, licenseKey)
  const bootId = randomUUID()
  let sequence = 0
  const send = async (body: object[]) => {
    await knowFiles(
      server,
      uid,
      body.filter((event): event is PlayEvent => 'mediaUid' in event),
    )
    return server.call(sendEvents, {
      ...player,
      body: body.map(event => ({ ...event, bootId, sequence: (sequence += 1) })),
    })
  }
  const play = (from: string, minutes: number, more: object = {}) => {
    const startedAt = at(from)
    const endedAt = new Date(Date.parse(startedAt) + minutes * 60_000).toISOString()
    const seconds = minutes * 60
    return {
      ...makePlay(1, { mediaUid: randomUUID() }),
      id: randomUUID(),
      at: endedAt,
      scheduledAt: startedAt,
      startedAt,
      endedAt,
      secondsPlayed: seconds,
      durationSeconds: seconds,
      ...more,
    }
  }
  const silent = (from: string, why: string | null) => ({
    kind: 'playlist',
    id: randomUUID(),
    at: at(from),
    publicationUid: null,
    playlistUid: null,
    playlistName: null,
    revision: null,
    status: why === null ? 'began' : 'silent',
    why,
  })
  const beat = (more: Parameters<typeof makeHeartbeat>[0] = {}) =>
    server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ bootId, ...more }) })
  // The session of the shop's owner ends while the clock moves.
  const day = async (query: { day?: string } = {}) => {
    const { token } = await signedInUser(shop.scope)
    return server.call(readDeviceDay, { token, params: { uid }, query })
  }
  return { shop, uid, send, play, silent, beat, day }
}

it('shows the day of the device’s own zone as scheduled and as played, with gaps and their reasons', async () => {
  const { send, play, silent, beat, day } = await openShop()
  setClock('07:30')
  await beat()
  setClock('09:00')
  await beat()
  // Opened at 07:00 UTC: an hour of music, an ad, ten minutes without a reason, and silence with one.
  await send([
    play('07:00', 30),
    play('07:30', 30),
    play('08:00', 0.25, { contentType: 'ads' }),
    play('08:00:15', 0.75),
    silent('08:20', 'not-downloaded'),
    silent('08:40', null),
    play('08:40', 20),
  ])
  const answer = await day()
  expect(answer).toMatchObject({
    asOf: TEN,
    day: '2026-11-23',
    timeZone: 'Europe/Oslo',
    from: '2026-11-22T23:00:00.000Z',
    until: '2026-11-23T23:00:00.000Z',
  })
  expect(answer.scheduled).toEqual([
    { from: '2026-11-22T23:00:00.000Z', until: at('07:00'), kind: 'silent', adShare: 0, because: 'closed' },
    { from: at('07:00'), until: at('19:00'), kind: 'music', adShare: 0, because: null },
    { from: at('19:00'), until: '2026-11-23T23:00:00.000Z', kind: 'silent', adShare: 0, because: 'closed' },
  ])
  expect(answer.played).toEqual([
    { from: at('07:00'), until: at('08:00'), kind: 'music', adShare: 0 },
    { from: at('08:00'), until: at('08:01'), kind: 'ads', adShare: 0.25 },
    { from: at('08:40'), until: at('09:00'), kind: 'music', adShare: 0 },
  ])
  expect(answer.gaps).toEqual([
    { from: at('08:01'), until: at('08:20'), because: 'unreported' },
    { from: at('08:20'), until: at('08:40'), because: 'not-downloaded' },
  ])
  expect(answer.health).toEqual(
    [
      { at: at('07:30'), heartbeats: 1, temperatureCelsius: 41.5, freeMemoryBytes: 21_000_000_000 },
      { at: at('09:00'), heartbeats: 1, temperatureCelsius: 41.5, freeMemoryBytes: 21_000_000_000 },
    ].map(point => ({ ...point, at: expect.any(String) as unknown })),
  )
})

it('tells a device that was off from one that has not reported yet', async () => {
  const { beat, day } = await openShop()
  setClock('07:00')
  await beat()
  setClock('12:00')
  const before = await day()
  expect(before.gaps).toEqual([{ from: at('07:00'), until: at('11:57'), because: 'not-reported' }])
  expect(before.connectivity.map(({ state }) => state)).toEqual(['neverup', 'online', 'linkdown'])
  await beat()
  const after = await day()
  expect(after.gaps.map(({ because }) => because)).toEqual(['unreported'])
  expect(after.unreported).toEqual([{ from: at('07:00'), until: at('12:00') }])
})

it('shows each time without reports from three missed heartbeats on, by the interval that the player kept then', async () => {
  const { send, play, beat, day } = await openShop()
  const beatAt = async (times: readonly string[], intervalSeconds: number) => {
    for (const time of times) {
      setClock(time)
      await beat({ intervalSeconds })
    }
  }
  await beatAt(['08:00', '08:05', '08:10'], 300)
  await beatAt(['08:15', '08:16', '08:17', '08:20'], 60)
  // Three are missed after 199 s.
  await beatAt(['08:24', '08:25'], 60)
  await send([play('08:00', 20), play('08:24', 1)])
  setClock('08:28')
  const span = { from: at('08:20'), until: at('08:24') }
  const { unreported, gaps, connectivity } = await day()
  expect(unreported).toEqual([span])
  expect(gaps.filter(({ from }) => from >= at('08:00'))).toEqual([{ ...span, because: 'unreported' }])
  // The specification's states begin after an hour.
  expect(connectivity.map(({ state }) => state)).toEqual(['neverup', 'online'])
  setClock('08:29')
  expect((await day()).unreported).toEqual([span, { from: at('08:25'), until: at('08:29') }])
})

it('counts the track that plays now as played', async () => {
  const { beat, day } = await openShop()
  setClock('08:00')
  const nowPlaying = {
    name: 'Long song',
    mediaUid: null,
    contentType: null,
    startedAt: at('07:00'),
    offsetSeconds: 0,
    durationSeconds: 7200,
  }
  await beat({ nowPlaying })
  const { played, gaps } = await day()
  expect(played).toEqual([{ from: at('07:00'), until: at('08:00'), kind: 'music', adShare: 0 }])
  expect(gaps).toEqual([])
})

it('has no schedule and no gaps before the device was added, and none on a day to come', async () => {
  const { day } = await openShop()
  setClock('12:00')
  expect(await day({ day: '2026-11-20' })).toMatchObject({ scheduled: [], played: [], gaps: [], health: [] })
  const tomorrow = await day({ day: '2026-11-24' })
  expect(tomorrow.scheduled.map(({ kind }) => kind)).toEqual(['silent', 'music', 'silent'])
  expect(tomorrow).toMatchObject({ played: [], gaps: [], connectivity: [], health: [] })
})

it('follows a change of clocks', async () => {
  const { day } = await openShop()
  const { from, until } = await day({ day: '2027-03-28' })
  expect((Date.parse(until) - Date.parse(from)) / 3_600_000).toBe(23)
})

it('is bounded, however short the tracks are and however often the reasons change', async () => {
  const { shop, uid, beat, day } = await openShop()
  setClock('18:00')
  await beat()
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, device_name, media_uid,
         sha256, track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result)
       select '2026-11-23', $1, gen_random_uuid(), n, $2, gen_random_uuid(), now(), 'x', gen_random_uuid(), 'x', 'x',
         case when n % 20 < 10 then 'ads' else 'melodies' end, t, t, t + interval '3 s', 3, 3, 'complete'
       from generate_series(1, 12000) n, lateral (select timestamptz '2026-11-23 07:00Z' + n * interval '3 s' as t) x`,
      [uid, shop.scope.clientId],
    ),
  )
  const { played, gaps } = await day()
  expect(played.length).toBeLessThan(1500)
  expect(gaps.map(({ because }) => because)).toEqual(['off'])
})

it('is not found for a device of another client or in the recycle bin', async () => {
  const { uid, shop } = await openShop()
  const other = await server.newClient()
  const params = { uid }
  expect((await server.ask(readDeviceDay, { token: other.token, params })).statusCode).toBe(404)
  const bare = await makeDevice(shop.scope)
  await server.call(deleteDevice, { token: shop.token, body: { uid: bare.uid } })
  expect((await server.ask(readDeviceDay, { token: shop.token, params: { uid: bare.uid } })).statusCode).toBe(
    404,
  )
  for (const day of ['2026-02-30', '1999-12-31', '9999-12-31', 'today'])
    expect((await server.ask(readDeviceDay, { token: shop.token, params, query: { day } })).statusCode).toBe(
      422,
    )
})
