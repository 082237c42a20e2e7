import { describe, expect, it } from 'vitest'
import { createFormat } from './format.ts'

const english = createFormat('en')

describe('duration', () => {
  it.each([
    [0, '0:00'],
    [7.4, '0:07'],
    [187.35, '3:07'],
    [3599.6, '1:00:00'],
    [3765, '1:02:45'],
  ])('%d s is %s', (seconds, text) => {
    expect(english.duration(seconds)).toBe(text)
  })
})

describe('size', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [3_440_000, '3.4 MB'],
    [2_000_000_000, '2 GB'],
  ])('%d bytes is %s', (bytes, text) => {
    expect(english.size(bytes)).toBe(text)
  })
})

describe('relative', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  it.each([
    ['2026-11-21T11:59:40Z', 'this minute'],
    ['2026-11-21T11:52:00Z', '8 minutes ago'],
    ['2026-11-21T09:00:00Z', '3 hours ago'],
    ['2026-11-20T11:00:00Z', 'yesterday'],
    ['2026-12-21T12:00:00Z', 'in 30 days'],
  ])('%s is %s', (instant, text) => {
    expect(english.relative(instant, now)).toBe(text)
  })
})

it('writes another language its own way', () => {
  expect(createFormat('de').size(3_440_000)).toBe('3,4 MB')
})

it('formats days, months and wall times of other clocks as they are', () => {
  expect(english.day('2026-03-29')).toBe('Mar 29, 2026')
  expect(english.month('2026-03')).toBe('March 2026')
  expect(english.wallTime('2026-03-29T02:30:05+13:00')).toMatch(/^Mar 29, 2026, 2:30:05\sAM$/)
})

it('tells times by the clock of another zone', () => {
  const noon = '2026-06-10T12:00:00Z'
  expect(english.inZone('Asia/Riyadh').time(noon)).toMatch(/^3:00:00\sPM$/)
  expect(english.inZone('Asia/Riyadh').dateTime(noon)).toMatch(/^Jun 10, 2026, 3:00\sPM$/)
  expect(english.inZone('Nowhere/Land').time(noon)).toMatch(/^12:00:00\sPM$/)
})
