import { toAsciiDigits } from '@floorcast/contract/digits.ts'

type Part = 'day' | 'month' | 'year'

/** How dates are written in a language, to read what is typed. */
interface DateWords {
  /** The order of the parts of a date in digits. */
  order: Part[]
  /** The names of each month, in the forms that stand alone and beside a day. */
  months: string[][]
  /** Other words of a date: 'de', 'г', '年'. */
  others: Set<string>
}

const known = new Map<string, DateWords>()
const utc = { timeZone: 'UTC' } as const
const wordsIn = (text: string, tag: string) => text.toLocaleLowerCase(tag).match(/\d+|[\p{L}\p{M}]+/gu) ?? []
const isDigits = (word: string) => /^\d+$/.test(word)

function datesOf(tag: string): DateWords {
  const found = known.get(tag)
  if (found) return found
  const formats = (
    [{ dateStyle: 'medium' }, { dateStyle: 'long' }, { month: 'short' }, { month: 'long' }] as const
  ).map(options => new Intl.DateTimeFormat(tag, { ...options, ...utc }))
  const months: string[][] = []
  const others = new Set<string>()
  for (let month = 0; month < 12; month++) {
    const parts = formats.flatMap(format => format.formatToParts(Date.UTC(2026, month, 22)))
    const names = new Set<string>()
    for (const { type, value } of parts)
      for (const word of wordsIn(value, tag))
        if (!isDigits(word)) (type === 'month' ? names : others).add(word)
    months.push([...names])
  }
  const numeric = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'numeric', day: 'numeric', ...utc })
  const order = numeric
    .formatToParts(0)
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
  const dates = { order, months, others }
  known.set(tag, dates)
  return dates
}

/** The number of the only month that has this name, or begins so; null if there is none. */
function monthOf(word: string, months: readonly string[][]): number | null {
  for (const isIt of [
    (name: string) => name === word,
    (name: string) => word.length >= 3 && name.startsWith(word),
  ]) {
    const found = months.flatMap((names, month) => (names.some(isIt) ? [month + 1] : []))
    if (found.length === 1) return found[0] ?? null
  }
  return null
}

/** Which number is the day, the month and the year; years of two digits are of this century. */
function arrange(numbers: readonly string[], order: readonly Part[]): Partial<Record<Part, number>> | null {
  if (numbers.length !== order.length) return null
  const isYearFirst = (numbers[0]?.length ?? 0) > 2
  const rest = order.filter(part => part !== 'year')
  // 2026-11-22 is read so in every language.
  const places = isYearFirst
    ? ['year' as const, ...(rest.length > 1 ? (['month', 'day'] as const) : rest)]
    : order
  const parts: Partial<Record<Part, number>> = {}
  for (const [at, part] of places.entries()) {
    const digits = numbers[at] ?? ''
    if (part === 'year' ? digits.length !== 2 && digits.length !== 4 : digits.length > 2) return null
    parts[part] = Number(digits) + (part === 'year' && digits.length === 2 ? 2000 : 0)
  }
  return parts
}

/** YYYY-MM-DD of a day that exists. */
function dayOf({ year = 0, month = 0, day = 0 }: Partial<Record<Part, number>>): string | null {
  const text = [
    String(year).padStart(4, '0'),
    ...[month, day].map(part => String(part).padStart(2, '0')),
  ].join('-')
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null
}

/**
 * Reads a date as it is written in a language, in digits or with the month's name, or as 2026-11-22.
 * @param tag BCP 47, with the Gregorian calendar
 * @returns YYYY-MM-DD; null if the text is not a date
 */
export function readDay(tag: string, text: string): string | null {
  const { order, months, others } = datesOf(tag)
  const numbers: string[] = []
  let named: number | null = null
  for (const word of wordsIn(toAsciiDigits(text), tag)) {
    if (isDigits(word)) numbers.push(word)
    else if (!others.has(word)) {
      const month = monthOf(word, months)
      if (month === null || named !== null) return null
      named = month
    }
  }
  const parts = arrange(numbers, named === null ? order : order.filter(part => part !== 'month'))
  return parts && dayOf(named === null ? parts : { ...parts, month: named })
}

/** Whether the year of what is typed is whole: 11/22/20 may become 11/22/2026. */
export const hasWholeYear = (text: string): boolean => /\d{4}/.test(toAsciiDigits(text))

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)
