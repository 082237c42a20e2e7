import type { DemoPlace } from './demo-content.ts'

/** What is wrong with a shop of the demonstration, so that one sees what trouble looks like. */
export type Trouble =
  /** It has not reported since: down, or late if it is minutes. */
  | { kind: 'away'; hoursAgo: number }
  | { kind: 'never' }
  /** A fault of its simulated player, by its name in the fleet. */
  | { kind: 'fault'; fault: 'no-files' | 'player-broken' }
  | { kind: 'muted' }
  /** It is open for an hour in the night of its own zone. */
  | { kind: 'closed' }
  /** Its group has no publication. */
  | { kind: 'unpublished' }

interface TroubledShop {
  place: DemoPlace
  storeNumber: string
  trouble: Trouble
}

/** One shop for each kind of trouble, in the group of the first show but for the one without a publication. */
export const troubledShops: readonly TroubledShop[] = [
  {
    place: ['Nice Masséna', 'Nice', 'FR', '43.697', '7.270', 'Europe/Paris'],
    storeNumber: '121',
    trouble: { kind: 'away', hoursAgo: 2.2 },
  },
  {
    place: ['Oslo Karl Johan', 'Oslo', 'NO', '59.913', '10.741', 'Europe/Oslo'],
    storeNumber: '122',
    trouble: { kind: 'away', hoursAgo: 30 },
  },
  {
    place: ['Cork Patrick Street', 'Cork', 'IE', '51.898', '-8.472', 'Europe/Dublin'],
    storeNumber: '123',
    trouble: { kind: 'away', hoursAgo: 0.2 },
  },
  {
    place: ['Utrecht Stationsplein', 'Utrecht', 'NL', '52.090', '5.110', 'Europe/Amsterdam'],
    storeNumber: '124',
    trouble: { kind: 'never' },
  },
  {
    place: ['Bilbao Gran Vía', 'Bilbao', 'ES', '43.263', '-2.935', 'Europe/Madrid'],
    storeNumber: '125',
    trouble: { kind: 'fault', fault: 'no-files' },
  },
  {
    place: ['Lublin Krakowskie', 'Lublin', 'PL', '51.248', '22.560', 'Europe/Warsaw'],
    storeNumber: '126',
    trouble: { kind: 'fault', fault: 'player-broken' },
  },
  {
    place: ['Bruges Steenstraat', 'Bruges', 'BE', '51.208', '3.223', 'Europe/Brussels'],
    storeNumber: '127',
    trouble: { kind: 'muted' },
  },
  {
    place: ['Basel Freie Strasse', 'Basel', 'CH', '47.556', '7.589', 'Europe/Zurich'],
    storeNumber: '128',
    trouble: { kind: 'closed' },
  },
  {
    place: ['Riga Akropole', 'Riga', 'LV', '56.924', '24.170', 'Europe/Riga'],
    storeNumber: '129',
    trouble: { kind: 'unpublished' },
  },
]

const hour = (at: Date, hours: number) => `${String((at.getUTCHours() + hours) % 24).padStart(2, '0')}:00`

/** The tags that make the trouble. */
export function tagsOf({ kind }: Trouble, now: Date): Record<string, string> {
  if (kind === 'muted') return { volume: '0' }
  if (kind === 'closed') return { openingTime: hour(now, 12), closingTime: hour(now, 13) }
  return {}
}
