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
] as const

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
