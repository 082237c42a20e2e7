import { toAsciiDigits } from './digits.ts'

/** The tag keys that Floorcast interprets; all others are free text. */
export const KNOWN_TAG_KEYS = [
  'region',
  'city',
  'country',
  'district',
  'community',
  'address',
  'volume',
  'openingTime',
  'closingTime',
  'timeZone',
  'latitude',
  'longitude',
  'audience',
  'zone',
] as const

/** The zones of a store, as the in-store standard of IAB and IAB Europe (December 2024) names them. */
export const STORE_ZONES = ['entrance', 'aisle', 'checkout', 'exterior', 'other'] as const
export type StoreZone = (typeof STORE_ZONES)[number]

/** An IANA zone by its name, such as Europe/Oslo or UTC; no offset. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: text })
    return true
  } catch {
    return false
  }
}

/** The volume without a tag or profile, 0 to 100. */
export const DEFAULT_VOLUME = 70

/** The levels of tags. */
export const TAG_LEVELS = ['device', 'group', 'client'] as const
/** The level whose tags win when device, group and client have the same key. */
export type TagPolicy = (typeof TAG_LEVELS)[number]

export type Tags = Readonly<Record<string, string>>

const order = {
  device: ['client', 'group', 'device'],
  group: ['client', 'device', 'group'],
  client: ['device', 'group', 'client'],
} as const

/** The effective tags of a device, sorted by key; the level of the policy wins. */
export function effectiveTags(
  policy: TagPolicy,
  levels: { device: Tags; group: Tags; client: Tags },
): Record<string, string> {
  const merged = Object.assign({}, ...order[policy].map(level => levels[level])) as Record<string, string>
  return Object.fromEntries(Object.entries(merged).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The number of a volume tag; null if it is missing or no whole number from 0 to 100. */
export function volumeOf(tags: Tags): number | null {
  const text = tags['volume']
  if (text === undefined || !/^\d{1,3}$/.test(text)) return null
  const volume = Number(text)
  return volume <= 100 ? volume : null
}

const HOURS = 24

/** Commas of Latin, Chinese and Arabic, or spaces alone. */
const BETWEEN_NUMBERS = /\s*[,，、،]\s*|\s+/

/**
 * The people in an hour by a text of one whole number, or of 24 with commas or spaces between them, the first for the hour after
 * midnight, in the digits of any script. @returns 24 numbers, by hour of the device's day; null for another text
 */
export function parseAudience(text: string): number[] | null {
  const numbers = toAsciiDigits(text.trim()).split(BETWEEN_NUMBERS)
  if (!numbers.every(each => /^\d{1,6}$/.test(each))) return null
  if (numbers.length === 1) return Array<number>(HOURS).fill(Number(numbers[0]))
  return numbers.length === HOURS ? numbers.map(Number) : null
}

/** The people in an hour by the tag `audience`, for each hour of the device's day; null if it is missing. */
export const audienceOf = (tags: Tags): number[] | null => parseAudience(tags['audience'] ?? '')

/** The device's zone of the store by the tag `zone`; null if it is missing. */
export const storeZoneOf = (tags: Tags): StoreZone | null =>
  STORE_ZONES.find(zone => zone === tags['zone']) ?? null
