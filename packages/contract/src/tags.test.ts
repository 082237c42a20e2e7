import { expect, test } from 'vitest'
import { audienceOf, effectiveTags, storeZoneOf, volumeOf } from './tags.ts'

const levels = {
  device: { volume: '20', city: 'Lyon' },
  group: { volume: '40', country: 'FR' },
  client: { volume: '60', country: 'DE', timeZone: 'Europe/Paris' },
}

test('the policy says whose value is asked first', () => {
  expect(effectiveTags('device', levels)).toEqual({
    city: 'Lyon',
    country: 'FR',
    timeZone: 'Europe/Paris',
    volume: '20',
  })
  expect(effectiveTags('group', levels)['volume']).toBe('40')
  expect(effectiveTags('client', levels)).toMatchObject({ volume: '60', country: 'DE', city: 'Lyon' })
})

test('keys come sorted, whatever order they were written in', () => {
  const one = effectiveTags('device', { device: { b: '1', a: '2' }, group: {}, client: { c: '3' } })
  expect(Object.keys(one)).toEqual(['a', 'b', 'c'])
})

test('a volume is a whole number from 0 to 100', () => {
  expect(volumeOf({ volume: '0' })).toBe(0)
  expect(volumeOf({ volume: '100' })).toBe(100)
  for (const text of ['101', '-1', '7.5', 'loud', '']) expect(volumeOf({ volume: text })).toBeNull()
  expect(volumeOf({})).toBeNull()
})

test('an audience is one number for each hour of the day, or one for all', () => {
  expect(audienceOf({ audience: '120' })).toEqual(Array(24).fill(120))
  const byHour = Array.from({ length: 24 }, (_, hour) => hour * 10)
  expect(audienceOf({ audience: byHour.join(', ') })).toEqual(byHour)
  for (const text of ['', '1,2', '-1', '1.5', '1,'.repeat(24), '1000000'])
    expect(audienceOf({ audience: text })).toBeNull()
  expect(audienceOf({})).toBeNull()
})

test('a zone is one of the five of the standard', () => {
  expect(storeZoneOf({ zone: 'checkout' })).toBe('checkout')
  expect([storeZoneOf({ zone: 'cellar' }), storeZoneOf({})]).toEqual([null, null])
})

test('the audience is written with the commas, spaces and digits of any of our languages', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => hour * 10)
  for (const between of [',', ', ', '，', '、', '، ', ' '])
    expect(audienceOf({ audience: hours.join(between) })).toEqual(hours)
  expect(audienceOf({ audience: ' １２０ ' })).toEqual(Array(24).fill(120))
  expect(audienceOf({ audience: '١٢٠' })?.[0]).toBe(120)
  expect(audienceOf({ audience: '۱۲۰' })?.[23]).toBe(120)
  for (const audience of ['', '1,,2', `${hours.join(',')},`, '12 people'])
    expect(audienceOf({ audience })).toBeNull()
})
