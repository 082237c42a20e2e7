import type { ZoneOffsets } from '@floorcast/contract/manifest.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openingAt } from './opening-hours.ts'
import { instantOfWall, listOffsets, nextClockChange, offsetAt, zoneOf } from './zone.ts'

const ms = (text: string) => Date.parse(text)
const RANGE = { from: ms('2025-01-01T00:00:00Z'), until: ms('2029-01-01T00:00:00Z') }

const iso = (at: number) => new Date(at).toISOString()
const zoneOffsetsOf = (zone: string): ZoneOffsets => ({
  from: iso(RANGE.from),
  until: iso(RANGE.until),
  offsets: listOffsets(zone, RANGE).map(({ from, offset }) => ({
    from: iso(from),
    minutes: offset / 60_000,
  })),
})

test('The offsets of a zone are the same by the list as by this program’s own rules, at any time', () => {
  const zones = [
    'UTC',
    'Europe/Oslo',
    'America/Edmonton',
    'Africa/Casablanca',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  ]
  const instants = fc.integer({ min: ms('2023-01-01T00:00:00Z'), max: ms('2031-01-01T00:00:00Z') })
  fc.assert(
    fc.property(fc.constantFrom(...zones), instants, (timeZone, at) => {
      const zone = zoneOf({ timeZone, zoneOffsets: zoneOffsetsOf(timeZone) })
      expect(offsetAt(zone, at)).toBe(offsetAt(timeZone, at))
      const limit = at + 400 * 86_400_000
      expect(nextClockChange(zone, at, limit)).toBe(nextClockChange(timeZone, at, limit))
      expect(instantOfWall(zone, at)).toBe(instantOfWall(timeZone, at))
    }),
  )
})

test('A device with older rules opens by those of the server', () => {
  const zoneOffsets: ZoneOffsets = {
    from: '2026-01-01T00:00:00.000Z',
    until: '2029-01-01T00:00:00.000Z',
    // A rule that no edition of the zones has.
    offsets: [
      { from: '2026-01-01T00:00:00.000Z', minutes: 60 },
      { from: '2026-12-01T00:00:00.000Z', minutes: 90 },
    ],
  }
  const device = { timeZone: 'Europe/Oslo', openingTime: '09:00', closingTime: '17:00', zoneOffsets }
  const stateAt = (at: string) =>
    openingAt({ uid: '', name: '', kind: 'audio', volume: 0, ...device }, ms(at)).state
  expect(['2026-12-10T07:29:00Z', '2026-12-10T07:30:00Z'].map(stateAt)).toEqual(['closed', 'open'])
  expect(['2029-02-01T07:59:00Z', '2029-02-01T08:00:00Z'].map(stateAt)).toEqual(['closed', 'open'])
})

test('A device whose program does not know a zone has its offsets from the server', () => {
  const zoneOffsets = zoneOffsetsOf('Asia/Tokyo')
  expect(offsetAt(zoneOf({ timeZone: 'Mars/Olympus', zoneOffsets }), ms('2026-05-01T00:00:00Z'))).toBe(
    9 * 3_600_000,
  )
})
