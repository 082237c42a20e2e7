import { toAsciiDigits } from '@floorcast/contract/digits.ts'

const lastHour = 23

/**
 * Reads a time of day: 9, 930, 9.30, 09:30, 9:30 pm.
 * @returns HH:MM; null if the text is not a time
 */
export function readTime(text: string): string | null {
  const typed = toAsciiDigits(text).replaceAll('：', ':').trim().toLowerCase()
  const found = /^(\d{1,2})(?:[:.h ]?([0-5]\d))?\s*(?:([ap])\.?\s?m\.?)?$/.exec(typed)
  if (!found) return null
  const [, digits = '', minutes = '00', half] = found
  const hours = Number(digits)
  if (half === undefined) return hours > lastHour ? null : `${digits.padStart(2, '0')}:${minutes}`
  if (hours < 1 || hours > 12) return null
  return `${String((hours % 12) + (half === 'p' ? 12 : 0)).padStart(2, '0')}:${minutes}`
}
