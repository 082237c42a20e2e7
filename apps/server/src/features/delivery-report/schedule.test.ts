import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'
import { onAirFrom, playsFrom, scheduleOf } from './schedule.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const midnight = Date.parse('2026-03-02T00:00:00Z')

/** Two one-minute songs in turn, from nine to ten each day. */
const manifest = makeManifest({
  device: { openingTime: '09:00', closingTime: '10:00' },
  files: [makeFile(0), makeFile(1)],
  publications: [makePublication(makePlaylist([makeItem(0), makeItem(1)]))],
})
const sought = {
  publicationUid: uidOf(600),
  mediaUid: uidOf(1),
  from: midnight,
  until: midnight + 48 * HOUR,
  max: 1000,
}

test('a schedule has the plays of a media item and the time on the air, from any moment on', async () => {
  const schedule = await scheduleOf(manifest, sought)
  expect(schedule.until).toBe(sought.until)
  expect(schedule.plays).toHaveLength(60)
  expect(schedule.plays[0]).toBe(midnight + 9 * HOUR + MINUTE)
  const opening = (day: number) => midnight + (24 * day + 9) * HOUR
  expect(schedule.spans).toEqual([0, 1].map(day => [opening(day), opening(day) + HOUR]))
  expect([playsFrom(schedule, 0), onAirFrom(schedule, 0)]).toEqual([60, 2 * HOUR])
  const halfPast = opening(0) + 30 * MINUTE
  expect([playsFrom(schedule, halfPast), onAirFrom(schedule, halfPast)]).toEqual([45, 1.5 * HOUR])
  expect([playsFrom(schedule, sought.until), onAirFrom(schedule, sought.until)]).toEqual([0, 0])
})

test('one that has more plays than are wanted ends with the last of them, and says so', async () => {
  const schedule = await scheduleOf(manifest, { ...sought, max: 40 })
  expect(schedule.plays).toHaveLength(40)
  expect(schedule.until).toBe((schedule.plays.at(-1) ?? 0) + MINUTE)
  expect(onAirFrom(schedule, 0)).toBe(80 * MINUTE)
})
