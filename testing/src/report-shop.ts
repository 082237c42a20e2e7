import { randomUUID } from 'node:crypto'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import fc from 'fast-check'
import { makeDevice, makeMedia } from './factories.ts'
import { storePlays, type StoredPlay } from './report-plays.ts'
import { asSuperuser } from './test-database.ts'
import type { TestServer } from './test-server.ts'

/** The zones of the shops; the last one has no tag. */
export const SHOP_ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', null] as const
/** Names that a spreadsheet would run, and names of several scripts. */
export const TRACK_NAMES = ['=1+1', '@sum', 'Песня', 'أغنية الصباح', '上海之夜', '-minus'] as const
/** Clocks change in Berlin on 25 October and in New York on 1 November. */
export const REPORT_PERIOD = { from: '2026-10-25', to: '2026-11-01' }
const FROM = Date.parse('2026-10-23T00:00:00Z')
const DAYS = 12

interface Samples {
  devices: readonly { uid: string; name: string }[]
  tracks: readonly { uid: string; name: string }[]
  zoneOf: ReadonlyMap<string, string>
}

const formats = new Map<string, Intl.DateTimeFormat>()
/** YYYY-MM-DD in a zone. */
export function localDay(at: Date, zone: string): string {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('sv', { timeZone: zone })
  formats.set(zone, format)
  return format.format(at)
}

/** Plays at random times, many of them around midnights; some failed, some with a wrong clock. */
function samplePlays({ devices, tracks, zoneOf }: Samples): StoredPlay[] {
  const play = fc.record({
    device: fc.constantFrom(...devices),
    track: fc.constantFrom(...tracks.entries()),
    at: fc.oneof(
      fc.integer({ min: 0, max: DAYS * 24 * 3600 }),
      fc.integer({ min: 0, max: DAYS * 24 * 2 }).map(halfHours => halfHours * 1800 - 1),
    ),
    seconds: fc.integer({ min: 1, max: 2000 }),
    result: fc.constantFrom('complete', 'complete', 'joined', 'cut', 'failed'),
    isClockDoubted: fc.integer({ min: 0, max: 20 }).map(n => n === 0),
  })
  return fc
    .sample(play, { numRuns: 900, seed: 11 })
    .map(({ device, track: [at, track], seconds, result, isClockDoubted, ...random }) => ({
      deviceUid: device.uid,
      deviceName: device.name,
      mediaUid: track.uid,
      trackName: track.name,
      contentType: (['ads', 'melodies', 'videos', 'videosAds'] as const)[at % 4] ?? 'ads',
      playlistUid: randomUUID(),
      playlistName: 'Morning "mix", loud',
      startedAt: new Date(FROM + random.at * 1000),
      localDay: localDay(new Date(FROM + random.at * 1000), zoneOf.get(device.uid) ?? 'UTC'),
      secondsPlayed: seconds / 10,
      result,
      isClockDoubted,
    }))
}

/** A client with four shops in several zones and 900 random plays over clock changes; another client has some of the same. */
export async function makeReportShop(server: TestServer) {
  const shop = await server.newClient()
  const zoneOf = new Map<string, string>()
  const [devices, tracks]: { uid: string; name: string }[][] = [[], []]
  for (const [at, zone] of SHOP_ZONES.entries()) {
    const name = `Shop ${at}`
    const { uid } = await makeDevice(shop.scope, { name, storeNumber: at === 0 ? '+0049' : `${at}` })
    const tag = { params: { contentType: 'device', uid }, body: { key: 'timeZone', value: zone ?? '' } }
    if (zone !== null) await server.call(addTag, { token: shop.token, ...tag })
    zoneOf.set(uid, zone ?? 'UTC')
    devices?.push({ uid, name })
  }
  // As in a client of thousands of devices: they are in two blocks, some with the same bit.
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `update play_devices set number = 1024 * (4 + number % 2) + number / 2 where client_id = $1`,
      [shop.scope.clientId],
    ),
  )
  for (const name of TRACK_NAMES)
    tracks?.push({ uid: (await makeMedia(shop.scope, { name: 'Morning tune' })).uid, name })
  const plays = samplePlays({ devices: devices ?? [], tracks: tracks ?? [], zoneOf })
  await storePlays(server.superuserUrl, shop.scope.clientId, plays)
  const other = await server.newClient()
  await storePlays(server.superuserUrl, other.scope.clientId, plays.slice(0, 20))

  /** The plays of the period by a plain count. */
  const playsIn = (zone: string, { from, to } = REPORT_PERIOD) =>
    plays.filter(play => {
      const day = localDay(play.startedAt, zone === 'device' ? (zoneOf.get(play.deviceUid) ?? 'UTC') : zone)
      return !play.isClockDoubted && day >= from && day <= to
    })
  return { ...shop, zoneOf, tracks: tracks ?? [], playsIn }
}
export type ReportShop = Awaited<ReturnType<typeof makeReportShop>>
