import { type ReportCalls, reportCalls } from '@floorcast/contract/report-calls.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice, makeMedia } from '@floorcast/testing/factories.ts'
import { storePlays, type StoredPlay } from '@floorcast/testing/report-plays.ts'
import { localDay } from '@floorcast/testing/report-shop.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { registerReports } from './reports-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'

const HOUR = 3_600_000
const DAYS = 7
/** These zones have at most three different days at one moment. */
const ZONES = ['Pacific/Pago_Pago', 'America/New_York', 'UTC', 'Pacific/Auckland', 'Pacific/Kiritimati']
const FROM = Date.parse('2026-11-18T00:00:00Z')
const STARTS = Array.from({ length: 100 }, (_, index) => new Date(FROM + index * 3 * HOUR + index * 60_000))

const server = await testServer({ hasOwnDatabase: true, features: [registerReports, registerTags] })
const { token, scope } = await server.newClient()
const media = await makeMedia(scope, { name: 'Morning tune' })

async function addShop(zone: string) {
  const { uid } = await makeDevice(scope, { name: zone, at: new Date(FROM) })
  const params = { contentType: 'device', uid }
  await server.call(addTag, { token, params, body: { key: 'timeZone', value: zone } })
  return { uid, zone }
}
const shops = await Promise.all(ZONES.map(addShop))
const plays = shops.flatMap(({ uid, zone }) =>
  STARTS.map((startedAt): StoredPlay => ({
    deviceUid: uid,
    deviceName: zone,
    mediaUid: media.uid,
    trackName: 'Morning tune',
    contentType: 'melodies',
    playlistUid: uuidV7(),
    playlistName: 'Morning',
    startedAt,
    localDay: localDay(startedAt, zone),
    secondsPlayed: 100,
    result: 'complete',
    isClockDoubted: false,
  })),
)
await storePlays(server.superuserUrl, scope.clientId, plays)

/** The lines of a report's csv at its bare path. */
async function read({ recent }: ReportCalls): Promise<string[][]> {
  if (!recent) throw new Error('no bare path')
  const answer = await server.ask(recent, { token, query: { format: 'csv' } })
  expect(answer.statusCode, answer.body).toBe(200)
  const lines = answer.body.trim().split('\n').slice(1)
  return lines.map(line => line.split(','))
}

/** A device's own last seven days. */
function lastDays(zone: string): string[] {
  const today = Date.parse(localDay(server.clock.now, zone))
  return Array.from({ length: DAYS }, (_, ago) =>
    new Date(today - ago * 24 * HOUR).toISOString().slice(0, 10),
  ).toReversed()
}

test.each(['2026-11-28T04:43:00Z', '2026-11-28T10:30:00Z', '2026-11-28T14:00:00Z', '2026-11-28T23:30:00Z'])(
  "at %s a bare path has each device's own last seven days, west and east of UTC",
  async now => {
    server.clock.now = new Date(now)
    const days = await read(reportCalls.r3)
    for (const { zone } of shops) {
      const own = days.filter(([device]) => device === zone).map(([, , , day, count]) => `${day} ${count}`)
      const expected = lastDays(zone).map(
        day => `${day} ${plays.filter(play => play.deviceName === zone && play.localDay === day).length}`,
      )
      expect([zone, own]).toEqual([zone, expected])
    }
    const expected = plays.filter(play => lastDays(play.deviceName).includes(play.localDay)).length
    const [[, , count, , , devices] = []] = await read(reportCalls.r2)
    expect([Number(count), Number(devices)]).toEqual([expected, shops.length])
  },
)

test('the tags of devices that existed in their own last seven days', async () => {
  server.clock.now = new Date('2026-11-28T04:43:00Z')
  // In New York the 21st began at 05:00 in UTC.
  const gone = await Promise.all(
    ['04:59', '05:01'].map(async time => {
      const { uid } = await addShop('America/New_York')
      const name = `Gone at ${time}`
      const changes = { name, deletedAt: new Date(`2026-11-21T${time}:00Z`) }
      await scope.write(writes => writes.updateTable('devices').set(changes).where('uid', '=', uid).execute())
      return name
    }),
  )
  const names = (await read(reportCalls.tags)).map(([name]) => name)
  expect(names.filter(name => gone.includes(name ?? ''))).toEqual(['Gone at 05:01'])
})
