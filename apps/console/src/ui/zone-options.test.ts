import { expect, it } from 'vitest'
import { findZones, knownZones } from './zone-options.ts'

const options = knownZones().map(zone => ({ value: zone, label: zone }))
const find = (search: string) =>
  findZones({ options, search, limit: 1000 }).map(option => ('value' in option ? option.value : ''))

it.each([
  ['Kyiv', 'Europe/Kyiv'],
  ['kiev', 'Europe/Kyiv'],
  ['kolkata', 'Asia/Kolkata'],
  ['Calcutta', 'Asia/Kolkata'],
  ['ho chi minh', 'Asia/Ho_Chi_Minh'],
  ['saigon', 'Asia/Ho_Chi_Minh'],
  ['Nuuk', 'America/Nuuk'],
  ['buenos aires', 'America/Argentina/Buenos_Aires'],
  ['new york', 'America/New_York'],
])('time zones %s is found, by the name of today', (search, zone) => {
  expect(find(search)).toEqual([zone])
})

it('time zones are listed once, UTC first, and this machine knows each', () => {
  const zones = knownZones()
  expect([zones[0], new Set(zones).size]).toEqual(['UTC', zones.length])
  for (const zone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone: zone })).not.toThrow()
})
