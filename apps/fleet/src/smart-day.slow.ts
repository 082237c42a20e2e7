import { makeDay, publishDay } from '@floorcast/testing/smart-shop.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Fleet } from './fleet.ts'

const server = await wholeServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const HOUR = 3_600_000
const DAY = 24 * HOUR

test(
  'a simulated day of a published smart playlist has exactly the planned plays, each complete',
  { timeout: 180_000 },
  async () => {
    const now = Date.now()
    // Published three days ago, because the fleet's clock starts in the past.
    server.clock.now = new Date(now - 72 * HOUR)
    const day = await makeDay(
      server,
      { startDay: '00:00', endDay: '23:59', melTime: 360, adsTime: 120, workTime: 86_400 },
      { melodies: [181, 164, 203, 222, 175], ads: [20, 25, 30, 25, 20, 15] },
    )
    const { licenseKey, deviceUid } = await publishDay(day)
    server.clock.now = new Date(now)
    const planned = day.draft.finishList.flatMap(({ items }) => items)
    expect(planned.length).toBeGreaterThan(1000)

    const fleet = new Fleet({
      server: origin,
      licenseKeys: [licenseKey],
      speed: 12_000,
      hoursAgo: 70,
      heartbeatSeconds: 5,
      onRefused: (_, error) => {
        throw error
      },
    })
    onTestFinished(() => fleet.stop())
    await fleet.start()
    // The first play may be joined; a whole day follows it.
    await vi.waitFor(() => expect(fleet.metrics.plays).toBeGreaterThan(planned.length + 10), {
      timeout: 150_000,
      interval: 100,
    })
    await fleet.stop()

    const stored = await day.shop.scope.reads
      .selectFrom('plays')
      .where('deviceUid', '=', deviceUid)
      .select(['mediaUid', 'scheduledAt', 'result', 'isClockDoubted'])
      .orderBy('scheduledAt')
      .execute()
    expect(stored).toHaveLength(fleet.metrics.plays)
    const from = Date.parse(stored[1]?.scheduledAt ?? '')
    const delivered = stored.slice(1).filter(play => Date.parse(play.scheduledAt) < from + DAY)
    expect(Date.parse(stored.at(-1)?.scheduledAt ?? '')).toBeGreaterThanOrEqual(from + DAY)
    const midnight = Math.floor(from / DAY) * DAY
    const expected = [0, DAY]
      .flatMap(since =>
        planned.map(({ uid, start }) => ({ uid, at: midnight + since + Math.round(start * 1000) })),
      )
      .filter(({ at }) => at >= from && at < from + DAY)
    expect(expected).toHaveLength(planned.length)
    expect(
      delivered.map(({ mediaUid, scheduledAt }) => ({ uid: mediaUid, at: Date.parse(scheduledAt) })),
    ).toEqual(expected)
    expect(new Set(delivered.map(({ result }) => result))).toEqual(new Set(['complete']))
    expect(delivered.some(({ isClockDoubted }) => isClockDoubted)).toBe(false)
  },
)
