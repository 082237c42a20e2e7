import { useTranslate } from './i18n.ts'
import { compareNames, once } from './name-order.ts'

const relativeSteps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Formats numbers, dates, durations and sizes in one language. Instants are ISO 8601 strings. */
export interface Format {
  number(value: number, maximumFractionDigits?: number): string
  percent(share: number, maximumFractionDigits?: number): string
  date(instant: string): string
  dateTime(instant: string): string
  time(instant: string): string
  /** Day and time to the second, for logs. */
  moment(instant: string): string
  /** A calendar day without a zone, from YYYY-MM-DD. */
  day(day: string): string
  /** A month and its year, from YYYY-MM. */
  month(month: string): string
  /** Day and time to the second of another clock, from YYYY-MM-DDTHH:MM:SS; an offset after it changes nothing. */
  wallTime(time: string): string
  /** 'Nov 21'. */
  shortDay(instant: string): string
  /** The same of the day in UTC. */
  shortUtcDay(instant: string): string
  /** '2:00 PM', '14:00'. */
  clock(instant: string): string
  /** The same of an hour of day, 0 to 23. */
  hourOfDay(hour: number): string
  /** A large number, short: '12K'. */
  compact(value: number): string
  /** The same by the clock of another zone, of IANA; an unknown one is UTC. */
  inZone(timeZone: string): Pick<Format, 'dateTime' | 'time'>
  /** The browser's time zone, which all other formats of instants use: 'GMT+1'. */
  zone: string
  /** 'in 3 hours', '2 days ago'. @param nowMs the present, in ms since the epoch */
  relative(instant: string, nowMs: number): string
  /** '50 min' from seconds; at least one. */
  minutes(seconds: number): string
  /** 3:07 or 1:02:45 from seconds, for the lengths of tracks and places in them. */
  duration(seconds: number): string
  /** '15 min', '11 hr', '1 hr 30 min' from seconds, for texts and beside times of day: 15:00 is three o'clock there. */
  span(seconds: number): string
  /** 3.4 MB from bytes, in steps of 1000. */
  size(bytes: number): string
  /** $29 from US dollars. */
  dollars(amount: number): string
  list(names: readonly string[]): string
  /** The names and what stands between them, for names that are elements of their own. */
  listParts(names: readonly string[]): { type: 'element' | 'literal'; value: string }[]
  temperature(celsius: number): string
  /** The order of names, as the server has it in every language: numbers by value, Chinese by pinyin, ñ after n. */
  compareNames(one: string, other: string): number
  /** The name of a country from its code of ISO 3166; the code where the browser knows none. */
  country(code: string): string
}

type NumberFormat = Pick<Intl.NumberFormat, 'format'>

const numberFormats = new Map<string, NumberFormat>()
const formats = new Map<string, Format>()

/** Below this, numbers have no grouping. */
const FIRST_GROUPED = 1000

/** The digits of a small whole number; null for one that needs a formatter, the first of which took 28 ms of a traced visit. */
function plainDigits(tag: string, value: number, minDigits = 1): string | null {
  const isPlain = Number.isInteger(value) && value >= 0 && value < FIRST_GROUPED && !tag.startsWith('ar')
  return isPlain ? String(value).padStart(minDigits, '0') : null
}

function numbers(tag: string, options: Intl.NumberFormatOptions): NumberFormat {
  const key = `${tag} ${JSON.stringify(options)}`
  const known = numberFormats.get(key)
  if (known) return known
  const own = new Intl.NumberFormat(tag, options)
  const format = { format: (value: number) => unbroken(withLatinPercent(withMinus(own.format(value)))) }
  numberFormats.set(key, format)
  return format
}

/** With a true minus: `Intl` writes a hyphen in these languages, where a line may break. */
const withMinus = (number: string) => number.replace('-', '−')

/** `Intl` keeps the Arabic sign beside Latin digits in some regions: '67٪' in Saudi Arabia. The marks hold sign and digits together. */
const withLatinPercent = (number: string) => number.replace('٪', '\u200e%\u200e')

/** With spaces where no line breaks: `Intl` writes plain ones in many languages, '26' / 'Nov', '3.4' / 'MB'. */
const unbroken = (text: string) => text.replaceAll(' ', '\u00a0')

/** A date, a time, or both; a line may break between the two. */
interface DateFormat {
  format(date: Date): string
}

function dates(tag: string, options: Intl.DateTimeFormatOptions): DateFormat {
  const own = once(() => new Intl.DateTimeFormat(tag, options))
  if (options.dateStyle === undefined || options.timeStyle === undefined)
    return { format: date => unbroken(own().format(date)) }
  return { format: date => joinParts(own().formatToParts(date)) }
}

function joinParts(parts: readonly Intl.DateTimeFormatPart[]): string {
  const gap = parts.findIndex(({ type }) => type === 'hour' || type === 'dayPeriod') - 1
  return parts.map(({ value }, n) => (n === gap ? value : unbroken(value))).join('')
}

const zoneFormats = new Map<string, ReturnType<Format['inZone']>>()

function formatInZone(tag: string, timeZone: string): ReturnType<Format['inZone']> {
  const key = `${tag} ${timeZone}`
  const known = zoneFormats.get(key)
  if (known) return known
  const zone = isZone(timeZone) ? timeZone : 'UTC'
  const dateTime = dates(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone })
  const time = dates(tag, { timeStyle: 'medium', timeZone: zone })
  const format = {
    dateTime: (instant: string) => dateTime.format(new Date(instant)),
    time: (instant: string) => time.format(new Date(instant)),
  }
  zoneFormats.set(key, format)
  return format
}

function isZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).format(0) !== ''
  } catch {
    return false
  }
}

/** @param tag a BCP 47 language tag */
export function createFormat(tag: string): Format {
  const date = dates(tag, { dateStyle: 'medium' })
  const dateTime = dates(tag, { dateStyle: 'medium', timeStyle: 'short' })
  const time = dates(tag, { timeStyle: 'medium' })
  const moment = dates(tag, { dateStyle: 'medium', timeStyle: 'medium' })
  const utc = { timeZone: 'UTC' } as const
  const day = dates(tag, { dateStyle: 'medium', ...utc })
  const month = dates(tag, { year: 'numeric', month: 'long', ...utc })
  const wallTime = dates(tag, { dateStyle: 'medium', timeStyle: 'medium', ...utc })
  const shortDay = dates(tag, { day: 'numeric', month: 'short' })
  const shortUtcDay = dates(tag, { day: 'numeric', month: 'short', ...utc })
  const clock = dates(tag, { timeStyle: 'short' })
  const utcClock = dates(tag, { timeStyle: 'short', ...utc })
  const relative = once(() => new Intl.RelativeTimeFormat(tag, { numeric: 'auto' }))
  const list = once(() => new Intl.ListFormat(tag))
  const countries = once(() => new Intl.DisplayNames(tag, { type: 'region' }))
  const zone = once(() => nameZone(tag))
  return {
    number: (value, maximumFractionDigits = 0) =>
      plainDigits(tag, value) ?? numbers(tag, { maximumFractionDigits }).format(value),
    percent: (share, maximumFractionDigits = 0) =>
      numbers(tag, { style: 'percent', maximumFractionDigits }).format(share),
    date: instant => date.format(new Date(instant)),
    dateTime: instant => dateTime.format(new Date(instant)),
    time: instant => time.format(new Date(instant)),
    moment: instant => moment.format(new Date(instant)),
    day: text => day.format(new Date(`${text}T00:00:00Z`)),
    month: text => month.format(new Date(`${text}-01T00:00:00Z`)),
    wallTime: text => wallTime.format(new Date(`${text.slice(0, 19)}Z`)),
    shortDay: instant => shortDay.format(new Date(instant)),
    shortUtcDay: instant => shortUtcDay.format(new Date(instant)),
    clock: instant => clock.format(new Date(instant)),
    hourOfDay: hour => utcClock.format(new Date(hour * 3_600_000)),
    compact: value => numbers(tag, { notation: 'compact', maximumFractionDigits: 1 }).format(value),
    inZone: timeZone => formatInZone(tag, timeZone),
    get zone() {
      return zone()
    },
    relative: (instant, nowMs) => formatRelative(relative(), (Date.parse(instant) - nowMs) / 1000),
    duration: seconds => formatDuration(tag, seconds),
    span: seconds => formatSpan(tag, seconds),
    minutes: seconds => formatMinutes(tag, seconds),
    size: bytes => formatSize(tag, bytes),
    dollars: amount => formatDollars(tag, amount),
    list: names => list().format(names),
    country: code => countries().of(code) ?? code,
    listParts: names => list().formatToParts(names),
    compareNames,
    temperature: celsius =>
      numbers(tag, { style: 'unit', unit: 'celsius', maximumFractionDigits: 0 }).format(celsius),
  }
}

function nameZone(tag: string): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZoneName: 'short' }).formatToParts(new Date())
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

function formatRelative(format: Intl.RelativeTimeFormat, seconds: number): string {
  const step = relativeSteps.find(([, size]) => Math.abs(seconds) >= size)
  if (!step) return format.format(0, 'second')
  // The unit stays beside its number.
  return format.format(Math.trunc(seconds / step[1]), step[0]).replaceAll(/(?<=\p{Nd}) /gu, '\u00a0')
}

function formatDuration(tag: string, seconds: number): string {
  const total = Math.round(seconds)
  const plain = (value: number) =>
    plainDigits(tag, value) ?? numbers(tag, { useGrouping: false }).format(value)
  const padded = (value: number) =>
    plainDigits(tag, value, 2) ?? numbers(tag, { minimumIntegerDigits: 2 }).format(value)
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor((total % 3600) / 60), total % 60]
  const tail = padded(rest)
  return hours > 0 ? `${plain(hours)}:${padded(minutes)}:${tail}` : `${plain(minutes)}:${tail}`
}

/** Units have no plural in English: '15 min' in Britain too, where `Intl` writes '15 mins'. */
const unitTag = (tag: string) => (tag.startsWith('en') ? 'en-US' : tag)

function formatMinutes(tag: string, seconds: number): string {
  const format = numbers(unitTag(tag), { style: 'unit', unit: 'minute', unitDisplay: 'short' })
  return format.format(Math.max(1, Math.floor(seconds / 60)))
}

function formatDollars(tag: string, amount: number): string {
  const options = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  // Arabic writes the sign last. The mark keeps it beside the figure, from right to left too.
  return numbers(tag, { ...options, maximumFractionDigits: 0 })
    .format(amount)
    .replace(/^\u200f.*\$$/u, '$&\u200e')
}

const spanUnits = [
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

function formatSpan(tag: string, seconds: number): string {
  let rest = Math.round(seconds)
  const parts = spanUnits.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    // The short units of Arabic are single letters.
    const unitDisplay = tag.startsWith('ar') ? 'long' : 'short'
    return count > 0 ? [numbers(unitTag(tag), { style: 'unit', unit, unitDisplay }).format(count)] : []
  })
  if (parts.length === 0)
    return numbers(unitTag(tag), { style: 'unit', unit: 'second', unitDisplay: 'short' }).format(0)
  // In sentences: German would have commas, Ukrainian 'and'.
  if (!/^(?:ar|zh)/.test(tag)) return parts.join(' ')
  return new Intl.ListFormat(tag, { type: 'unit', style: 'narrow' }).format(parts)
}

const sizeUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function formatSize(tag: string, bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return numbers(tag, {
    style: 'unit',
    unit: sizeUnits[power] ?? 'byte',
    // `Intl` has no short unit for bytes that fits the others in Arabic: م.ب beside كيلوبايت.
    unitDisplay: power === 0 || tag.startsWith('ar') ? 'long' : 'short',
    maximumFractionDigits: power === 0 || value >= 100 ? 0 : 1,
  }).format(value)
}

/** The chosen language in the browser's region, as a BCP 47 tag. */
export function useRegion(): string {
  const { tag } = useTranslate()
  return chooseRegion(tag, navigator.languages)
}

/** The format of the chosen language in the browser's region. */
export function useFormat(): Format {
  const region = useRegion()
  const format = formats.get(region) ?? createFormat(region)
  formats.set(region, format)
  return format
}

/**
 * The browser's region of a language, for dates and numbers, by the Gregorian calendar and with 0 to 9, as they are typed.
 * @param preferred BCP 47 tags, best first, as in `navigator.languages`
 */
export function chooseRegion(tag: string, preferred: readonly string[]): string {
  const regional = preferred.find(one => one.split('-')[0] === tag.split('-')[0]) ?? tag
  return `${regional}-u-ca-gregory-nu-latn`
}
