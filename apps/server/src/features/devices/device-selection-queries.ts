import type { Kind } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { selectedUids } from '../../platform/database/bulk-plan.ts'
import type { BulkSelection, NamedItem } from '../../platform/lib/bulk.ts'
import type { DeviceSet } from './device-set-sql.ts'
import { deviceSource } from './devices-queries.ts'
import { isOnlineAt } from './devices-sql.ts'

/** The devices of a bulk call: by uid, or all that a list's filter finds. */
export type DeviceSelection = BulkSelection<DeviceSet & { search: string }>

/** In SQL: the uids of the selected devices. Named ones may be in the bin. */
export const selectedDevices = (selection: DeviceSelection, now: Date): RawBuilder<unknown> =>
  selectedUids(selection, filter => deviceSource(filter, now))

/** In SQL: a group of this kind takes the device `d`. A video group takes no audio device. */
const isTakenBy = (kind: Kind) => (kind === 'video' ? sql`d.kind = 'video'` : sql`true`)

/** Counts of devices that something is published to. */
export interface ChosenDevices {
  count: number
  offline: number
  tooSmall: number
  inGroups: number
  otherKind: number
}

interface Wanted {
  /** The size of the playlist's files. */
  sizeBytes: number
  now: Date
}

const COUNTED = ({ sizeBytes, now }: Wanted) => sql`
  count(*) filter (where is_taken)::int as count,
  count(*) filter (where is_taken and ${isOnlineAt(now)} is not true)::int as offline,
  count(*) filter (where is_taken and s.memory_size_bytes < ${sizeBytes})::int as too_small,
  count(*) filter (where is_in_group)::int as in_groups,
  count(*) filter (where not is_in_group and not is_taken)::int as other_kind`

const none: ChosenDevices = { count: 0, offline: 0, tooSmall: 0, inGroups: 0, otherKind: 0 }

/** Counts the selected devices by what keeps them out of a new group of a kind, or from playing its files. */
export async function countChosenDevices(
  reads: Reads,
  { devices, kind, ...wanted }: Wanted & { devices: DeviceSelection; kind: Kind },
): Promise<ChosenDevices> {
  const { rows } = await sql<ChosenDevices>`
    select ${COUNTED(wanted)}
    from (
      select d.uid, d.group_uid is not null as is_in_group, d.group_uid is null and ${isTakenBy(kind)} as is_taken
      from devices d where d.deleted_at is null and d.uid = any(array(${selectedDevices(devices, wanted.now)}))) chosen
    left join device_states s on s.device_uid = chosen.uid`.execute(reads)
  return rows[0] ?? none
}

/** Counts the devices of a group by what keeps them from playing files. */
export async function countMembers(reads: Reads, groupUid: string, wanted: Wanted): Promise<ChosenDevices> {
  const { rows } = await sql<ChosenDevices>`
    select ${COUNTED(wanted)}
    from (
      select d.uid, false as is_in_group, true as is_taken from devices d
      where d.group_uid = ${groupUid} and d.deleted_at is null) chosen
    left join device_states s on s.device_uid = chosen.uid`.execute(reads)
  return rows[0] ?? none
}

/** Adds those of the selected devices to a group that it takes and that are in no group, always in the same order. @returns them */
export async function joinSelectedDevices(
  writes: Writes,
  devices: DeviceSelection,
  { groupUid, kind, at }: { groupUid: string; kind: Kind; at: Date },
): Promise<NamedItem[]> {
  const { rows } = await sql<NamedItem>`
    with free as materialized (
      select d.uid from devices d
      where d.uid = any(array(${selectedDevices(devices, at)})) and d.deleted_at is null and d.group_uid is null
        and ${isTakenBy(kind)}
      order by d.uid for update)
    update devices d set group_uid = ${groupUid}, changed_at = ${at}, version = d.version + 1
    from free where d.uid = free.uid returning d.uid, d.name`.execute(writes)
  return rows
}

/** Takes devices out of their groups. */
export async function removeFromGroups(writes: Writes, uids: readonly string[], at: Date): Promise<void> {
  await sql`
    update devices set group_uid = null, changed_at = ${at}, version = version + 1
    where uid = any(${uids}::uuid[])`.execute(writes)
}
