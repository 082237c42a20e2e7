import { HEARTBEAT_SECONDS, type Demonstration } from './demonstration.ts'

/** The parts of the fleet bar. */
export const SHOP_STATES = ['playing', 'silent', 'late', 'linkdown', 'linklost', 'neverup'] as const
export type ShopState = (typeof SHOP_STATES)[number]

interface ReportedShop {
  name: string
  state: ShopState
  /** The track of its last heartbeat. */
  track: string | null
}

/** The simulated shops report once a minute. Three missed heartbeats with their jitter, and a second. */
const lateAfterSeconds = (name: string) => 3.3 * (name.startsWith('Corner shop') ? HEARTBEAT_SECONDS : 60) + 1

interface LastHeartbeat {
  name: string
  age: number | null
  volume: number | null
  track: string | null
}

function stateOf({ name, age, volume, track }: LastHeartbeat): ShopState {
  if (age === null) return 'neverup'
  if (age > 86_400) return 'linklost'
  if (age > 3600) return 'linkdown'
  if (age > lateAfterSeconds(name)) return 'late'
  return track === null || volume === 0 ? 'silent' : 'playing'
}

/** The state of each shop, by what its newest heartbeat said alone: without the columns in which the product keeps its own view. */
export async function readShops(demonstration: Demonstration): Promise<ReportedShop[]> {
  const rows = await demonstration.query<LastHeartbeat>(`
    select d.name, extract(epoch from now() - s.last_contact_at)::float8 as age, s.volume, s.now_playing ->> 'name' as track
    from devices d left join device_states s on s.device_uid = d.uid
    where d.deleted_at is null`)
  return rows.map(row => ({ name: row.name, state: stateOf(row), track: row.track }))
}

export const countStates = (shops: readonly ReportedShop[]): Record<ShopState, number> => {
  const counts = { playing: 0, silent: 0, late: 0, linkdown: 0, linklost: 0, neverup: 0 }
  for (const { state } of shops) counts[state] += 1
  return counts
}

export const namesOf = (shops: readonly ReportedShop[], state: ShopState): string[] =>
  shops.flatMap(shop => (shop.state === state ? [shop.name] : [])).toSorted((a, b) => a.localeCompare(b))

/** The faults of the demonstration, beside the corner shop whose player is killed. */
export const TROUBLE: Record<Exclude<ShopState, 'playing'>, string[]> = {
  silent: [
    'Basel Freie Strasse',
    'Bilbao Gran Vía',
    'Bruges Steenstraat',
    'Lublin Krakowskie',
    'Riga Akropole',
  ],
  late: ['Cork Patrick Street', 'Corner shop 3'],
  linkdown: ['Nice Masséna'],
  linklost: ['Oslo Karl Johan'],
  neverup: ['Utrecht Stationsplein'],
}
/** How the fleet bar calls them. */
export const LABELS: Record<ShopState, string> = {
  playing: 'Playing',
  silent: 'Online, silent',
  late: 'Late: reports overdue',
  linkdown: 'Offline: over an hour',
  linklost: 'Offline: over a day',
  neverup: 'Never connected',
}
/** A line under 'Needs attention', and the shops that it counts. */
export const ATTENTION: [RegExp, string[]][] = [
  [/offline for over a day/, TROUBLE.linklost],
  [/offline for over an hour/, TROUBLE.linkdown],
  [/devices are late/, TROUBLE.late],
  [/plays nothing: muted/, ['Bruges Steenstraat']],
  [/plays nothing: no publication/, ['Riga Akropole']],
  [/plays nothing: files not downloaded yet/, ['Bilbao Gran Vía']],
  [/plays nothing: the player is broken/, ['Lublin Krakowskie']],
  [/is missing files of “On the air in the high street”/, ['Bilbao Gran Vía']],
]
