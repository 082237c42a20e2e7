/** What is wrong with a shop of the demonstration, so that one sees what trouble looks like. */
export type Trouble =
  /** It has not reported since: down, or late if it is minutes. */
  | { kind: 'away'; hoursAgo: number }
  | { kind: 'never' }
  /** A fault of its simulated player, by its name in the fleet. */
  | { kind: 'fault'; fault: 'no-files' | 'player-broken' | 'clock-back' | 'full-disk' | 'old-version' }
  | { kind: 'muted' }
  /** It is open for an hour in the night of its own zone. */
  | { kind: 'closed' }
  /** Its group has no publication. */
  | { kind: 'unpublished' }

interface TroubledShop {
  name: string
  storeNumber: string
  trouble: Trouble
}

/** A dozen shops with trouble, in the group of the first show but for the one without a publication. */
export const troubledShops: readonly TroubledShop[] = [
  { name: 'Nice Masséna', storeNumber: '121', trouble: { kind: 'away', hoursAgo: 2.2 } },
  { name: 'Oslo Karl Johan', storeNumber: '122', trouble: { kind: 'away', hoursAgo: 30 } },
  { name: 'Genova Fiumara', storeNumber: '123', trouble: { kind: 'away', hoursAgo: 75 } },
  { name: 'Cork Patrick Street', storeNumber: '124', trouble: { kind: 'away', hoursAgo: 0.2 } },
  { name: 'Utrecht Stationsplein', storeNumber: '125', trouble: { kind: 'never' } },
  { name: 'Bilbao Gran Vía', storeNumber: '126', trouble: { kind: 'fault', fault: 'no-files' } },
  { name: 'Lublin Krakowskie', storeNumber: '127', trouble: { kind: 'fault', fault: 'player-broken' } },
  { name: 'Split Marmontova', storeNumber: '128', trouble: { kind: 'fault', fault: 'clock-back' } },
  { name: 'Aarhus Strøget', storeNumber: '129', trouble: { kind: 'fault', fault: 'full-disk' } },
  { name: 'Kraków Sukiennice', storeNumber: '130', trouble: { kind: 'fault', fault: 'old-version' } },
  { name: 'Bruges Steenstraat', storeNumber: '131', trouble: { kind: 'muted' } },
  { name: 'Basel Freie Strasse', storeNumber: '132', trouble: { kind: 'closed' } },
  { name: 'Riga Akropole', storeNumber: '133', trouble: { kind: 'unpublished' } },
]

const hour = (at: Date, hours: number) => `${String((at.getUTCHours() + hours) % 24).padStart(2, '0')}:00`

/** The tags that make the trouble. */
export function tagsOf({ kind }: Trouble, now: Date): Record<string, string> {
  if (kind === 'muted') return { volume: '0' }
  if (kind === 'closed') return { timeZone: 'UTC', openingTime: hour(now, 12), closingTime: hour(now, 13) }
  return {}
}
