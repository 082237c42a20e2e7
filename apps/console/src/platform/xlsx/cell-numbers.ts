/* Numbers as a spreadsheet shows them, where their form matters in a list: times, days, and store numbers with zeros before them. */

export type NumberFormat =
  | { kind: 'time' | 'elapsed' | 'day' | 'moment' }
  /** At least this number of digits. */
  | { kind: 'digits'; digits: number }
  | null

/** Excel's own formats by their number; those of days differ by language. */
function builtInFormat(id: number): NumberFormat {
  if (id === 46) return { kind: 'elapsed' }
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47) return { kind: 'time' }
  if (id === 22) return { kind: 'moment' }
  return (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
    ? { kind: 'day' }
    : null
}

/** Texts of a format, signs that stand for themselves, widths, and notes such as [Red] and [$-409]. */
const NOT_CODES = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi

/** @param code of the format: 'hh:mm', '0000', 'dd.mm.yyyy' */
export function readFormat(code: string): NumberFormat {
  const [signs = ''] = code.replaceAll(NOT_CODES, '').toLowerCase().split(';')
  const hasTime = /[hs]/.test(signs)
  if (/[yd]/.test(signs)) return { kind: hasTime ? 'moment' : 'day' }
  if (hasTime) return { kind: /\[[hms]+\]/.test(signs) ? 'elapsed' : 'time' }
  return /^0{2,}$/.test(signs) ? { kind: 'digits', digits: signs.length } : null
}

export const toFormat = (id: number, codes: ReadonlyMap<number, string>): NumberFormat => {
  const code = codes.get(id)
  return code === undefined ? builtInFormat(id) : readFormat(code)
}

const DAY_SECONDS = 86_400
/** 1 January 1970 as a day of Excel, and of its former calendar on the Mac. */
const EPOCH_DAY = 25_569
const EPOCH_DAY_1904 = 24_107

const two = (value: number) => String(value).padStart(2, '0')

function showTime(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
  return seconds % 60 === 0 ? time : `${time}:${two(seconds % 60)}`
}

/** Digits as Excel keeps them; 0.1 + 0.2 has more. */
const PRECISION = 15

export function showNumber(value: number, format: NumberFormat, is1904: boolean): string {
  if (!Number.isFinite(value)) return ''
  const plain = String(Number(value.toPrecision(PRECISION)))
  if (format === null || (format.kind !== 'digits' && value < 0)) return plain
  if (format.kind === 'digits')
    return Number.isInteger(value) && value >= 0 ? plain.padStart(format.digits, '0') : plain
  const seconds = Math.round(value * DAY_SECONDS)
  if (format.kind === 'elapsed') return showTime(seconds)
  const time = showTime(seconds % DAY_SECONDS)
  if (format.kind === 'time') return time
  const at = new Date((seconds - (is1904 ? EPOCH_DAY_1904 : EPOCH_DAY) * DAY_SECONDS) * 1000)
  if (Number.isNaN(at.getTime())) return plain
  const day = at.toISOString().slice(0, 10)
  return format.kind === 'day' ? day : `${day} ${time}`
}
