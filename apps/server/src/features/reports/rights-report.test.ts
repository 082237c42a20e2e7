import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { editMedia, type MediaType } from '@floorcast/contract/media.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { knowFiles, makePlay, openPlayer, readMarks } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerReports } from './reports-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerLibrary, registerReports, registerTags, registerDeviceHost],
})
server.clock.now = new Date('2026-11-03T00:00:00Z')
const shop = await server.newClient()
const period = { from: '2026-10-25', to: '2026-10-31' }

async function newDevice(storeNumber: string, zone: string) {
  const { uid, licenseKey } = await makeDevice(shop.scope, { name: 'Till radio', storeNumber })
  const params = { contentType: 'device' as const, uid }
  await server.call(addTag, { token: shop.token, params, body: { key: 'timeZone', value: zone } })
  return { uid, shop: storeNumber || uid, zone, player: await openPlayer(server, licenseKey) }
}

async function newTrack(contentType: MediaType, name: string, credits: Record<string, string>) {
  const { uid } = await makeMedia(shop.scope, { contentType, name })
  const body = { uid, ...credits }
  await server.call(editMedia, { token: shop.token, params: { contentType }, body })
  return { uid, contentType, work: credits['isrc'] ?? uid }
}

/** A spreadsheet of another separator would run parts of it. */
const RUN = 'x;=cmd|calc,＝1;; -2, +3;＠a'

const play = fc.record({
  id: fc.uuid({ version: 4 }),
  at: fc.oneof(
    fc.integer({ min: Date.parse('2026-10-23'), max: Date.parse('2026-11-02') }),
    fc.integer({ min: 0, max: 500 }).map(n => Date.parse('2026-10-24') + n * 1_800_000 - 1),
  ),
  device: fc.nat(2),
  track: fc.nat(5),
  seconds: fc.integer({ min: 1, max: 20_000 }).map(ms => ms / 1000),
  result: fc.constantFrom('complete' as const, 'joined' as const, 'cut' as const, 'failed' as const),
})
const plays = fc.sample(play, { numRuns: 300, seed: 12 })
let devices: Awaited<ReturnType<typeof newDevice>>[]
let tracks: Awaited<ReturnType<typeof newTrack>>[]

beforeAll(async () => {
  devices = [
    await newDevice('007', 'Europe/Berlin'),
    await newDevice('007', 'Pacific/Kiritimati'),
    await newDevice('', 'America/New_York'),
  ]
  // As in a client of thousands of devices: those of one store number are the same bit of two blocks.
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query('update play_devices set number = 1024 * (4 + number % 2) + number / 2'),
  )
  const isrc = 'USRC17607839'
  tracks = [
    await newTrack('melodies', 'First take', { isrc, title: 'Song', artist: '' }),
    await newTrack('videos', 'Second take', { isrc, artist: '=Zoë', publisher: RUN }),
    await newTrack('melodies', 'Other', { isrc: 'DEA120300004', artist: 'Abba' }),
    await newTrack('melodies', 'No code', { artist: 'Unknown' }),
    await newTrack('ads', 'Offer', {}),
    { uid: randomUUID(), contentType: 'melodies', work: '' },
  ]
  const bootId = randomUUID()
  for (const [at, device] of devices.entries()) {
    const body = plays.flatMap((one, n) => {
      const track = tracks[one.track]
      if (one.device !== at || !track) return []
      const startedAt = new Date(one.at).toISOString()
      const endedAt = new Date(one.at + one.seconds * 1000).toISOString()
      const times = { at: endedAt, startedAt, endedAt, scheduledAt: startedAt }
      const { uid: mediaUid, contentType } = track
      const heard = { secondsPlayed: one.seconds, result: one.result, mediaUid, contentType }
      return [makePlay(n + 1, { ...times, ...heard, id: one.id, bootId, trackName: 'Purged song' })]
    })
    await knowFiles(server, device.player.deviceUid, body)
    await server.call(sendEvents, { ...device.player, body })
  }
  leftOut = new Set(
    [...(await readMarks(shop.scope)).values()].flatMap(({ eventUid, leftOut: why }) =>
      why ? eventUid : [],
    ),
  )
})

let leftOut = new Set<string>()

const dayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)

/** The works by a plain count of the plays. */
function countWorks(zone: string) {
  const works = new Map<string, { plays: number; ms: number; days: string[]; shops: Set<string> }>()
  for (const { id, at, device, track, seconds, result } of plays) {
    if (leftOut.has(id)) continue
    const [where, what] = [devices[device], tracks[track]]
    if (!where || !what || result === 'failed') continue
    const day = dayIn(zone === 'device' ? where.zone : zone, at)
    if (day < period.from || day > period.to) continue
    const work = works.get(what.work) ?? { plays: 0, ms: 0, days: [], shops: new Set() }
    work.plays += 1
    work.ms += Math.round(seconds * 1000)
    work.days.push(day)
    work.shops.add(where.shop)
    works.set(what.work, work)
  }
  return new Map(
    [...works].map(([work, { plays: count, ms, days, shops }]) => {
      const sorted = days.toSorted()
      return [work, [count, ms / 1000, sorted[0], sorted.at(-1), shops.size]]
    }),
  )
}

test.each(['device', 'UTC', 'Asia/Kolkata', 'America/New_York'])(
  'rights: works of the days of %s equal a plain count; those without an ISRC come first',
  async zone => {
    const { rows } = await server.call(reportCalls.rights.preview, {
      token: shop.token,
      params: { ...period, zone },
    })
    const counted = countWorks(zone)
    const figures = (work: string | undefined) => counted.get(work ?? '') ?? []
    const [, song, other, noCode, ad, purged] = tracks.map(({ work }) => figures(work))
    const empty = [null, '']
    const plain = rows.map(row => row.map(cell => (empty.includes(cell as string | null) ? null : cell)))
    expect(plain).toEqual([
      ['Unknown', 'No code', null, null, null, ...(noCode ?? [])],
      [null, 'Purged song', null, null, null, ...(purged ?? [])],
      [null, 'Offer', null, null, null, ...(ad ?? [])],
      ['=Zoë', 'Song', 'USRC17607839', null, RUN, ...(song ?? [])],
      ['Abba', 'Other', 'DEA120300004', null, null, ...(other ?? [])],
    ])
  },
)

test('rights: a file of it, escaped, for this client alone', async () => {
  const ask = (token: string) =>
    server.ask(reportCalls.rights.download, {
      token,
      params: { ...period, zone: 'device' },
      query: { format: 'csv' },
    })
  const { body } = await ask(shop.token)
  expect(body).toContain('Artist,Title,ISRC,Composer,Publisher,Plays,Seconds,First day,Last day,Shops')
  expect(body).toContain(`'=Zoë,Song,USRC17607839,,"x;'=cmd|calc,'＝1;; -2, +3;'＠a",`)
  const { token } = await server.newClient()
  expect((await ask(token)).body).not.toContain('Song')
  const params = { ...period, zone: 'UTC' }
  const { notes } = await server.call(reportCalls.rights.preview, { token, params })
  expect(notes).toEqual([{ code: 'empty' }, { code: 'rawRows' }])
})
