import { randomUUID } from 'node:crypto'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { makeClient, makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { downloadZip } from '@floorcast/testing/proof-files.ts'
import { addAirDevice, type Air, airAt, makeAir } from '@floorcast/testing/test-air.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerSmartPlaylists } from '../smart-playlists/smart-playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeliveryReport } from '../delivery-report/delivery-report-routes.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerProof } from '../proof/proof-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  features: [
    registerDevices,
    registerGroups,
    registerPlaylists,
    registerSmartPlaylists,
    registerPublications,
    registerDeliveryReport,
    registerReports,
    registerProof,
    registerDashboard,
    registerDeviceHost,
  ],
})
const { scope } = await makeClient(server.database)
const ad = await makeMedia(scope, { contentType: 'ads', durationSeconds: 30 })
const song = await makeMedia(scope, { durationSeconds: 180 })
const jingle = await makeMedia(scope, { contentType: 'ads', durationSeconds: 3 })
const noon = Date.parse('2026-11-20T12:00:00Z')
server.clock.now = new Date(noon + 7_200_000)

async function openDevice() {
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  let sequence = 0
  const bootId = randomUUID()
  const play = (at: number, seconds: number, more: object = {}) => {
    const [startedAt, endedAt] = [noon + at * 1000, noon + (at + seconds) * 1000].map(ms =>
      new Date(ms).toISOString(),
    )
    const times = {
      at: endedAt,
      scheduledAt: startedAt,
      startedAt,
      endedAt,
      secondsPlayed: seconds,
      durationSeconds: 30,
    }
    const file = { mediaUid: ad.uid, sha256: ad.sha256, contentType: 'ads' }
    return makePlay((sequence += 1), { bootId, ...file, ...times, ...more } as object)
  }
  const send = (body: object[]) => server.call(sendEvents, { ...player, body })
  const read = async () => {
    const rows = await scope.reads
      .selectFrom('plays')
      .where('deviceUid', '=', uid)
      .select(['result', 'why', 'leftOut', 'durationSeconds'])
      .orderBy('sequence')
      .execute()
    return rows.map(({ result, why, leftOut }) =>
      [result, ...(why ? [why] : []), ...(leftOut ? [leftOut] : [])].join(' '),
    )
  }
  return { uid, play, send, read }
}
const ofSong = { mediaUid: song.uid, sha256: song.sha256, contentType: 'melodies', durationSeconds: 180 }

test('songs that fade into each other by ten seconds count, ads back to back too, in any call', async () => {
  const { play, send, read } = await openDevice()
  await send([play(0, 180, ofSong), play(170, 180, ofSong)])
  await send([play(340, 180, ofSong)])
  await send([play(520, 30), play(549, 30)])
  await send([play(579, 30), play(609, 0, { result: 'cut', why: 'alert' })])
  await send([play(609.05, 30)])
  expect(await read()).toEqual([...Array<string>(6).fill('complete'), 'cut alert', 'complete'])
})

test.each([
  ['20 at once', 20, () => 0],
  ['one a second', 20, (nr: number) => nr],
])('of ads that overlap, %s, only those count for which there is time', async (_, count, at) => {
  const { play, send, read } = await openDevice()
  await send(Array.from({ length: count }, (__, nr) => play(at(nr), 30)))
  const plays = await read()
  expect(plays.slice(0, 2)).toEqual(['complete', 'complete overlap'])
  expect(plays.filter(each => each === 'complete')).toHaveLength(1)
})

test('what was stored first counts, late ones are compared with it, and two boots at once with each other', async () => {
  const { play, send, read } = await openDevice()
  await send([play(600, 30), play(630, 30)])
  // A late one between two hours, one that begins before and lasts into the first, and one of long ago that has room.
  await send([play(615, 30), play(580, 30), play(-80_000, 30)])
  expect(await read()).toEqual(['complete', 'complete', 'complete overlap', 'complete overlap', 'complete'])
  const other = await openDevice()
  const boots = Array.from({ length: 6 }, () => ({ bootId: randomUUID(), sequence: 1 }))
  await Promise.all(boots.map(boot => other.send([other.play(0, 30, boot)])))
  expect((await other.read()).toSorted()).toEqual(['complete', ...Array<string>(5).fill('complete overlap')])
})

test('a long play that began the day before is in the way', async () => {
  const { play, send, read } = await openDevice()
  const mix = await makeMedia(scope, { durationSeconds: 30_000 })
  await send([
    play(-45_000, 30_000, {
      mediaUid: mix.uid,
      sha256: mix.sha256,
      contentType: 'melodies',
      durationSeconds: 30_000,
    }),
  ])
  await send([play(-16_000, 30), play(-15_000, 30)])
  expect(await read()).toEqual(['complete', 'complete overlap', 'complete'])
})

test('more plays that were hardly heard than fit into a minute are too many', async () => {
  const { play, send, read } = await openDevice()
  const cut = { result: 'cut', why: 'alert' }
  const many = Array.from({ length: 40 }, (_, nr) => play(nr, 0.1, cut))
  for (const some of [many.slice(0, 5), many.slice(5)]) await send(some)
  const plays = await read()
  expect(plays.slice(9, 11)).toEqual(['cut alert', 'cut alert too-many'])
  await send([play(60, 0.1, cut), play(61, 30)])
  expect((await read()).slice(40)).toEqual(['cut alert', 'complete'])
})

const ofJingle = { mediaUid: jingle.uid, sha256: jingle.sha256, durationSeconds: 5000 }

test.each([
  { of: '29.4 s of 30', seconds: 29.4, stored: 'complete' },
  { of: '2 s of 30', seconds: 2, stored: 'cut shorter-than-file' },
  { of: '0 s', seconds: 0, stored: 'cut shorter-than-file' },
  { of: 'its own length', seconds: 2, more: { durationSeconds: 2 }, stored: 'cut shorter-than-file' },
  { of: 'its file twice', seconds: 60, stored: 'complete too-long' },
  { of: '5,000 s of a jingle', seconds: 5000, more: ofJingle, stored: 'complete too-long' },
  {
    of: 'more than its dates',
    seconds: 0,
    more: { secondsPlayed: 80, durationSeconds: 80 },
    stored: 'complete too-long',
  },
  { of: 'a random hash', seconds: 30, more: { sha256: 'f'.repeat(64) }, stored: 'complete unknown-file' },
  {
    of: 'the hash of another item',
    seconds: 30,
    more: { sha256: song.sha256 },
    stored: 'complete unknown-file',
  },
  {
    of: 'a medium of nobody',
    seconds: 30,
    more: { mediaUid: randomUUID() },
    stored: 'complete unknown-media',
  },
  {
    of: 'a song as an ad',
    seconds: 180,
    more: { ...ofSong, contentType: 'ads' },
    stored: 'complete other-kind',
  },
])('a play of $of is stored as what it can have been', async ({ seconds, more, stored }) => {
  const { play, send, read } = await openDevice()
  expect(await send([play(0, seconds, more)])).toMatchObject({ code: 200, accepted: 1 })
  expect(await read()).toEqual([stored])
})

/** What a client reads of the plays of its publications. */
async function readOfPublications({ shop: { token }, ad }: Air, deviceUid: string) {
  const period = { from: '2026-11-20', to: '2026-11-20' }
  const files: Record<string, string> = {}
  for (const name of ['r1ext', 'r2', 'proof'] as const) {
    const params = {
      track: name === 'proof' ? ad : 'all',
      playpoint: 'all',
      playlist: 'all',
      ...period,
      zone: 'UTC',
    }
    files[name] = (
      await server.ask(reportCalls[name].download, { token, params, query: { format: 'csv' } })
    ).body
  }
  const delivery = await server.call(readDelivery, { token, params: { uid: ad }, query: period })
  const log = await server.call(listDeviceLog, { token, params: { id: deviceUid, kind: 'playtrack' } })
  const zip = await downloadZip(server, { token }, { uid: ad, zone: 'UTC' })
  return { files, delivery, log: log.items, signed: zip.toString('utf8').match(/^.*,complete,.*$/gm) ?? [] }
}

test('a publication of another client or of nobody is in no outlet, the play is one of no publication', async () => {
  const [air, other] = [await makeAir(server), await makeAir(server)]
  const [device, theirs] = [await addAirDevice(server, air), await addAirDevice(server, other)]
  const [at = 0, of = 0] = air.plays
  server.clock.now = airAt('12:00')
  const sendFrom = async (from: typeof device, ...plays: ReturnType<typeof device.play>[]) =>
    expect(await server.call(sendEvents, { ...from.player, body: plays })).toMatchObject({ refused: [] })
  await sendFrom(theirs, theirs.play(other.plays[0] ?? 0))
  await sendFrom(device, device.play(at), device.play(at + 60_000, { publicationUid: null }))
  const before = [
    await readOfPublications(air, device.uid),
    await readOfPublications(other, theirs.uid),
  ] as const
  const [foreign, nobodys] = [other.publication.toUpperCase(), randomUUID()]
  const invented = [foreign, nobodys].map((publicationUid, nr) =>
    device.play(of + nr * 60_000, { publicationUid }),
  )
  await sendFrom(
    device,
    ...invented,
    device.play(of + 120_000, { publicationUid: nobodys, sha256: 'f'.repeat(64) }),
  )
  const after = [
    await readOfPublications(air, device.uid),
    await readOfPublications(other, theirs.uid),
  ] as const
  expect(after[1]).toEqual(before[1])
  for (const uid of [foreign.toLowerCase(), nobodys]) expect(JSON.stringify(after[0])).not.toContain(uid)
  expect(after[0].delivery).toEqual(before[0].delivery)
  const reasons = after[0].log.map(({ description }) => description)
  expect(reasons.filter(reason => reason === null)).toHaveLength(2)
  expect(reasons.filter(reason => reason === 'unknown-publication')).toHaveLength(3)
  expect([before[0].signed.length, after[0].signed.length]).toEqual([2, 4])
  const played = await server.call(readQuickMetrics, { token: air.shop.token })
  expect(played.playedCount).toBe(4)
})
