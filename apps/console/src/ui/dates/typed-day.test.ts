import { locales } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { createFormat, chooseRegion } from '../../platform/format.ts'
import { addMonths, firstWeekday, weeksOf } from './calendar.tsx'
import { readDay } from './typed-day.ts'
import { readTime } from './typed-time.ts'
import { readMoment } from './wall-moment.ts'

const regionOf = (tag: string) => chooseRegion(tag, [])

it.each([...locales.map(({ tag }) => tag), 'en-GB', 'ar-SA', 'zh-TW'])(
  'a typed day is read as %s writes it in the console, and longer or in digits',
  tag => {
    const region = regionOf(tag)
    for (let month = 1; month <= 12; month++) {
      const day = `2026-${String(month).padStart(2, '0')}-07`
      const at = new Date(day)
      const texts = (['medium', 'long', 'short'] as const).map(dateStyle =>
        new Intl.DateTimeFormat(region, { dateStyle, timeZone: 'UTC' }).format(at),
      )
      for (const text of [createFormat(region).day(day), ...texts, day])
        expect(readDay(region, text), text).toBe(day)
    }
  },
)

it.each([
  ['en-US', '11/22/26', '2026-11-22'],
  ['en-US', 'november 22 2026', '2026-11-22'],
  ['en-GB', '22.11.2026', '2026-11-22'],
  ['ar', '٢٢/١١/٢٠٢٦', '2026-11-22'],
  ['zh-CN', '２０２６/１１/２２', '2026-11-22'],
  ['ru', '22 мая 2026', '2026-05-22'],
  ['uk', '22 листопада 2026 року', null],
  ['en-US', '22/11/2026', null],
  ['en-US', '2/29/2026', null],
  ['en-US', 'tomorrow', null],
  ['en-US', '11/22', null],
  ['en-US', 'ju 22 2026', null],
  ['en-US', '11/22/026', null],
  ['de', '22. Nov 2026', '2026-11-22'],
  ['de', '1.2.3.2026', null],
])('a typed day in %s: %s is %s', (tag, text, day) => {
  expect(readDay(regionOf(tag), text)).toBe(day)
})

it.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['9.30', '09:30'],
  ['9:30 pm', '21:30'],
  ['12 AM', '00:00'],
  ['١٤:٠٥', '14:05'],
  ['24:00', null],
  ['13 pm', null],
  ['9:60', null],
])('a typed time: %s is %s', (text, time) => {
  expect(readTime(text)).toBe(time)
})

it('a moment is none but a whole one', () => {
  expect(readMoment('2026-03-04T05:06')).toBe(new Date(2026, 2, 4, 5, 6).getTime())
  for (const text of ['', '2026-03-04T', 'Jan 5T09:00', '2026-13-45T99:00'])
    expect(readMoment(text)).toBeNull()
})

it('a calendar begins its weeks as the region does, and keeps to the month', () => {
  expect(firstWeekday('de')).toBe(1)
  expect(weeksOf('2026-11-15', 0)[0]?.[0]).toBe('2026-11-01')
  expect(weeksOf('2026-11-15', 1)[0]?.[0]).toBe('2026-10-26')
  expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
  expect(addMonths('2026-03-31', -13)).toBe('2025-02-28')
})
