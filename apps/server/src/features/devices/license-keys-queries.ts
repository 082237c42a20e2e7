import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { matches } from '../../platform/database/list-source.ts'
import type { DeviceSet } from './device-set-sql.ts'
import { deviceSource } from './devices-queries.ts'

/** The devices of an export. Those of an import come in the order of its lines, all others by name. */
export type KeyedDevices =
  | { uids: readonly string[] }
  | { filter: DeviceSet & { search: string }; except: readonly string[] }
  | { importUid: string }

export interface KeyRow {
  uid: string
  name: string
  storeNumber: string
  group: string | null
  /** Null once a player has bound it. */
  licenseKey: string | null
  /** The place in the order, for the next page. */
  place: string
}

function conditions(devices: KeyedDevices, now: Date): RawBuilder<unknown> {
  if ('uids' in devices) return sql`d.deleted_at is null and d.uid = any(${devices.uids}::uuid[])`
  if ('importUid' in devices) return sql`d.deleted_at is null and d.import_uid = ${devices.importUid}`
  const { search, ...set } = devices.filter
  const source = deviceSource(set, now)
  return sql`${source.where} and ${matches(search, source)} and d.uid <> all(${devices.except}::uuid[])`
}

/** The next devices after a row, at most `max`. */
export async function listKeys(
  reads: Reads,
  devices: KeyedDevices,
  { after, max, now }: { after: Pick<KeyRow, 'place' | 'uid'> | null; max: number; now: Date },
): Promise<KeyRow[]> {
  const isImport = 'importUid' in devices
  const place = isImport ? sql`d.import_line` : sql`d.sort_name`
  const isAfter = after
    ? sql`(${place}, d.uid) > (${after.place}::${isImport ? sql`int` : sql`text`}, ${after.uid}::uuid)`
    : sql`true`
  const { rows } = await sql<KeyRow>`
    select d.uid, d.name, d.store_number, g.name as "group",
      case when d.license_bound_at is null then d.license_key end as license_key, ${place}::text as place
    from devices d
    left join device_states s on s.device_uid = d.uid
    left join groups g on g.uid = d.group_uid
    where ${conditions(devices, now)} and ${isAfter}
    order by ${place}, d.uid limit ${max}`.execute(reads)
  return rows
}

/** The client's public key for update files, which a device gets at its installation; null if none is set. */
export async function findUpdateKey(reads: Reads): Promise<string | null> {
  const row = await reads.selectFrom('clients').select('updatePublicKey').executeTakeFirst()
  return row?.updatePublicKey ?? null
}

export async function findClientName(reads: Reads): Promise<string> {
  const row = await reads.selectFrom('clients').select('name').executeTakeFirst()
  return row?.name ?? ''
}
