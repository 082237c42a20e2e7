import { expect, it } from 'vitest'
import { parseHour, showHour } from './hours-step.tsx'

it.each([
  ['9', '09:00'],
  ['12', '12:00'],
  ['930', '09:30'],
  ['1230', '12:30'],
  ['9:05', '09:05'],
  ['9.30', '09:30'],
  [' 09:30 ', '09:30'],
  ['00:00', '00:00'],
  ['23:59', '23:59'],
  ['', ''],
  ['24:00', ''],
  ['25', ''],
  ['9:5', ''],
  ['9:60', ''],
  ['noon', ''],
])('an hour as it is typed %s is %s', (text, time) => {
  expect(parseHour(text, false)).toBe(time)
})

it('an hour as it is typed may be midnight at the end of the window', () => {
  for (const text of ['24:00', '24', '2400', '23:59']) expect(parseHour(text, true)).toBe('23:59')
  expect(parseHour('24:30', true)).toBe('')
  expect(showHour('23:59', true)).toBe('24:00')
  expect(showHour('23:59', false)).toBe('23:59')
  expect(showHour('22:00', true)).toBe('22:00')
})
