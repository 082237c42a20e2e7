import { locales } from '@floorcast/contract/locales.ts'
import { expect, it } from 'vitest'
import { chooseRegion, createFormat } from './format.ts'

const english = createFormat('en')
const tags = locales.map(({ tag }) => tag)

it.each(tags)('writes small numbers in %s as Intl does', tag => {
  const own = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 })
  for (const value of [0, 7, 42, 999, 1000, -3, 2.4])
    expect(createFormat(tag).number(value).replace('−', '-')).toBe(
      own.format(value).replaceAll(' ', '\u00a0'),
    )
})

const noonUtc = '2026-11-26T12:00:00.000Z'
it.each(tags)('a line of text breaks in %s within no date, time or value with a unit', tag => {
  const format = createFormat(tag)
  const values = [
    format.date(noonUtc),
    format.time(noonUtc),
    format.day('2026-11-26'),
    format.month('2026-11'),
    format.shortDay(noonUtc),
    format.shortUtcDay(noonUtc),
    format.clock(noonUtc),
    format.hourOfDay(14),
    format.inZone('Europe/Kyiv').time(noonUtc),
    format.number(1_234_567),
    format.percent(0.5),
    format.compact(12_345),
    format.size(3_440_000),
    format.size(12),
    format.dollars(29),
    format.temperature(5),
  ]
  expect(values.filter(text => text.includes(' '))).toEqual([])
})

it.each(tags)('a line of text breaks in %s between a date and its time, and only there', tag => {
  const format = createFormat(tag)
  const both = [
    format.dateTime(noonUtc),
    format.moment(noonUtc),
    format.wallTime(noonUtc),
    format.inZone('Europe/Kyiv').dateTime(noonUtc),
  ]
  for (const text of both) expect(text).toMatch(/^[^ ]*\d[^ ]* [^ ]*\d{1,2}:\d\d[^ ]*$/)
})

it.each(tags)('a line of text keeps in %s the unit beside the number of a distance in time', tag => {
  const text = createFormat(tag).relative(noonUtc, Date.parse(noonUtc) - 3 * 3_600_000)
  expect(text).toMatch(/3[^\d ]/)
})

it.each(tags)('duration has the digits of %s', tag => {
  const own = new Intl.NumberFormat(tag, { minimumIntegerDigits: 2, useGrouping: false })
  const parts = [12, 3, 45].map(part => own.format(part))
  expect(createFormat(tag).duration(12 * 3600 + 3 * 60 + 45)).toBe(parts.join(':'))
  expect(createFormat(tag).duration(1234 * 3600)).toMatch(new RegExp(`^${own.format(1234)}:`))
})

it.each([
  [0, '0:00'],
  [7.4, '0:07'],
  [187.35, '3:07'],
  [3599.6, '1:00:00'],
  [3765, '1:02:45'],
])('duration %d s is %s', (seconds, text) => {
  expect(english.duration(seconds)).toBe(text)
})

it.each([
  ['en', '15\u00a0min', '11\u00a0hr', '1\u00a0hr 30\u00a0min', '6\u00a0min 20\u00a0sec'],
  ['en-GB-u-nu-latn', '15\u00a0min', '11\u00a0hr', '1\u00a0hr 30\u00a0min', '6\u00a0min 20\u00a0sec'],
  ['de', '15\u00a0Min.', '11\u00a0Std.', '1\u00a0Std. 30\u00a0Min.', '6\u00a0Min. 20\u00a0Sek.'],
  ['es', '15\u00a0min', '11\u00a0h', '1\u00a0h 30\u00a0min', '6\u00a0min 20\u00a0s'],
  ['fr', '15\u00a0min', '11\u202fh', '1\u202fh 30\u00a0min', '6\u00a0min 20\u202fs'],
  ['pt', '15\u00a0min', '11\u00a0h', '1\u00a0h 30\u00a0min', '6\u00a0min 20\u00a0s'],
  ['ru', '15\u00a0мин', '11\u00a0ч', '1\u00a0ч 30\u00a0мин', '6\u00a0мин 20\u00a0с'],
  ['uk', '15\u00a0хв', '11\u00a0год', '1\u00a0год 30\u00a0хв', '6\u00a0хв 20\u00a0с'],
  ['ar', '15\u00a0دقيقة', '11\u00a0ساعة', 'ساعة و30\u00a0دقيقة', '6\u00a0دقائق و20\u00a0ثانية'],
  ['zh-Hans', '15分钟', '11小时', '1小时30分钟', '6分钟20秒'],
])('a span in %s is no time of day', (tag, ...texts) => {
  const { span } = createFormat(tag)
  expect([900, 39_600, 5400, 380].map(span)).toEqual(texts)
})

it('a span of nothing is none', () => {
  expect(english.span(0.2)).toBe('0\u00a0sec')
})

it.each(['ar', 'ar-SA-u-nu-latn', 'ar-SO-u-nu-latn', 'ar-EG-u-nu-latn'])(
  'a percentage in Arabic has Latin digits and their sign, kept together: %s',
  tag => expect(createFormat(tag).percent(0.67)).toMatch(/^67\u200e%\u200e$/),
)

it.each(tags)('a negative number has a minus in %s, and no hyphen', tag => {
  const { number, percent, temperature, compact } = createFormat(tag)
  for (const text of [number(-11.6, 1), percent(-0.5), temperature(-5), compact(-12_345)])
    expect(text).toMatch(/^[^-]*−[^-]*$/)
})

it.each([
  [
    'de',
    ['Zürich', 'Ärzte', 'Ulm', 'Filiale 10', 'Filiale 9'],
    ['Ärzte', 'Filiale 9', 'Filiale 10', 'Ulm', 'Zürich'],
  ],
  ['es', ['Oviedo', 'Ñuñoa', 'Nules'], ['Nules', 'Ñuñoa', 'Oviedo']],
  ['en', ['باب', 'Яма', '北京', 'Ñandú', 'Núria', 'Øst'], ['Núria', 'Ñandú', 'Øst', 'Яма', 'باب', '北京']],
  ['ru', ['Зал 10', 'зал 9', 'Ёлка 2', 'Елка 1'], ['Елка 1', 'Ёлка 2', 'зал 9', 'Зал 10']],
  [
    'zh-Hans',
    ['上海', '北京', '重庆', '第10店', '第9店', 'Apple'],
    ['Apple', '北京', '重庆', '第9店', '第10店', '上海'],
  ],
  ['zh-TW', ['上海', '北京'], ['北京', '上海']],
  [
    'uk',
    ['Яма', 'Їжак', 'Ірпінь', 'Гай', 'Ґанок', 'Дім', 'Йорж'],
    ['Гай', 'Ґанок', 'Дім', 'Ірпінь', 'Їжак', 'Йорж', 'Яма'],
  ],
  ['ar', ['تمر', 'البيت', 'باب'], ['البيت', 'باب', 'تمر']],
])('the order of names in %s', (tag, names, sorted) => {
  expect(names.toSorted(createFormat(tag).compareNames)).toEqual(sorted)
})

it.each([
  [0, '0\u00a0bytes'],
  [1, '1\u00a0byte'],
  [999, '999\u00a0bytes'],
  [1000, '1\u00a0kB'],
  [3_440_000, '3.4\u00a0MB'],
  [2_000_000_000, '2\u00a0GB'],
])('size %d bytes is %s', (bytes, text) => {
  expect(english.size(bytes)).toBe(text)
})

const now = Date.parse('2026-11-21T12:00:00Z')
it.each([
  ['2026-11-21T11:59:40Z', 'now'],
  ['2026-11-21T11:52:00Z', '8\u00a0minutes ago'],
  ['2026-11-21T09:00:00Z', '3\u00a0hours ago'],
  ['2026-11-20T11:00:00Z', 'yesterday'],
  ['2026-12-21T12:00:00Z', 'in 30\u00a0days'],
])('relative %s is %s', (instant, text) => {
  expect(english.relative(instant, now)).toBe(text)
})

it('writes another language its own way', () => {
  expect(createFormat('de').size(3_440_000)).toBe('3,4\u00a0MB')
})

it('formats days, months and wall times of other clocks as they are', () => {
  expect(english.day('2026-03-29')).toBe('Mar\u00a029,\u00a02026')
  expect(english.month('2026-03')).toBe('March\u00a02026')
  expect(english.wallTime('2026-03-29T02:30:05+13:00')).toMatch(/^Mar\u00a029,\u00a02026, 2:30:05\sAM$/)
})

it('tells times by the clock of another zone', () => {
  const noon = '2026-06-10T12:00:00Z'
  expect(english.inZone('Asia/Riyadh').time(noon)).toMatch(/^3:00:00\sPM$/)
  expect(english.inZone('Asia/Riyadh').dateTime(noon)).toMatch(/^Jun\u00a010,\u00a02026, 3:00\sPM$/)
  expect(english.inZone('Nowhere/Land').time(noon)).toMatch(/^12:00:00\sPM$/)
})

it('keeps the sign of dollars beside its letters, also in text from right to left', () => {
  expect(english.dollars(1299)).toBe('$1,299')
  expect(createFormat('ar').dollars(29)).toMatch(/^\u200F29\sUS\$\u200E$/)
})

it("formats in the browser's own region of the chosen language, with one kind of digits and one calendar", () => {
  expect(chooseRegion('en', ['de-DE', 'en-GB', 'en-US'])).toBe('en-GB-u-ca-gregory-nu-latn')
  expect(chooseRegion('ar', ['en-GB'])).toBe('ar-u-ca-gregory-nu-latn')
  expect(new Intl.NumberFormat(chooseRegion('ar', ['ar-EG'])).format(47)).toBe('47')
  const day = new Date('2026-11-22T00:00:00Z')
  expect(day.toLocaleDateString(chooseRegion('ar', ['ar-SA']), { timeZone: 'UTC' })).toContain('2026')
})
