import type { BulkPlan, DeviceAction, LeftOutReason } from '@floorcast/contract/bulk-calls.ts'
import { MAX_WAITING_COMMANDS } from '@floorcast/contract/device-commands.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { type RawBuilder, sql } from 'kysely'
import { countBulk } from '../../platform/database/bulk-plan.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { newestChange } from '../audit/audit-sql.ts'
import { isOnlineAt } from '../devices/devices-sql.ts'

/** An action with what it needs of its group or of the user. */
export type PlannedAction =
  | Exclude<DeviceAction, { do: 'join' | 'undo-volume' }>
  | { do: 'join'; groupUid: string; groupKind: Kind }
  | { do: 'undo-volume'; volume: number; userUid: string }

/** For so long an action can be undone. */
const UNDO_MS = 10 * 60_000

/** In SQL: a tag of the group or the client has precedence over the device's own volume. */
const IS_VOLUME_OF_OTHERS = sql`exists (
  select from tags t
  where t.key = 'volume' and t.client_id = d.client_id and t.device_uid is null
    and (case coalesce(d.tag_policy, (select c.tag_policy from clients c))
      when 'device' then false
      when 'group' then t.group_uid = d.group_uid
      else t.group_uid is null or t.group_uid = d.group_uid end))`

const commandsWaiting = (now: Date) => sql`(
  select count(*) from device_outbox o
  where o.device_uid = d.uid and o.acknowledged_at is null and o.expires_at > ${now})`

/** In SQL: the newest change of the volume of the device `d`. */
const VOLUME_CHANGE = newestChange({ clientId: sql`d.client_id`, uid: sql`d.uid`, field: 'volume' })

/** In SQL: the device has the volume that the user has set by its last change. */
const isVolumeOfUser = ({ volume, userUid }: { volume: number; userUid: string }, now: Date) => sql`(
  exists (select from ${VOLUME_CHANGE} c
    where c.user_uid = ${userUid}::uuid and c.after = ${String(volume)} and c.at >= ${new Date(now.getTime() - UNDO_MS)})
  and exists (select from tags t
    where t.client_id = d.client_id and t.device_uid = d.uid and t.key = 'volume' and t.value = ${String(volume)}))`

/** In SQL: why an action leaves the device `d` out; null if it does not. */
function whyLeftOut(action: PlannedAction, now: Date): RawBuilder<unknown> {
  switch (action.do) {
    case 'join':
      return sql`case
        when d.group_uid = ${action.groupUid} then 'already-so'
        when d.group_uid is not null then 'device-in-a-group'
        when ${action.groupKind} = 'video' and d.kind = 'audio' then 'kind-does-not-fit' end`
    case 'leave':
      return sql`case when d.group_uid is null then 'device-not-in-group' end`
    case 'volume':
      return sql`case when ${IS_VOLUME_OF_OTHERS} then 'volume-by-policy' end`
    case 'undo-volume':
      return sql`case when not ${isVolumeOfUser(action, now)} then 'volume-changed-since' end`
    case 'restart':
      return sql`case when ${commandsWaiting(now)} >= ${MAX_WAITING_COMMANDS} then 'too-many-commands' end`
    case 'delete':
      return sql`case when d.group_uid is not null then 'device-in-a-group' end`
    case 'tag':
      return sql`null::text`
  }
}

/** Counts what an action does to selected devices. @param selected in SQL: their uids */
export const countDeviceAction = (
  reads: Reads,
  { selected, action, now }: { selected: RawBuilder<unknown>; action: PlannedAction; now: Date },
): Promise<BulkPlan> =>
  countBulk(reads, {
    selected,
    from: sql`from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null`,
    uid: sql`d.uid`,
    why: whyLeftOut(action, now),
    isOffline: sql`${isOnlineAt(now)} is not true`,
  })

export interface BatchDevice {
  uid: string
  name: string
  groupUid: string | null
  /** Why the action leaves it out. */
  reason: LeftOutReason | null
}

/** Locks devices outside the bin, always in the same order, with what the action does to each. */
export async function lockBatch(
  writes: Writes,
  { uids, action, now }: { uids: readonly string[]; action: PlannedAction; now: Date },
): Promise<BatchDevice[]> {
  await sql`select from devices where uid = any(${uids}::uuid[]) order by uid for update`.execute(writes)
  const { rows } = await sql<BatchDevice>`
    select d.uid, d.name, d.group_uid, ${whyLeftOut(action, now)} as reason
    from devices d where d.uid = any(${uids}::uuid[]) and d.deleted_at is null order by d.uid`.execute(writes)
  return rows
}

/** Sets one tag of locked devices, by one statement. @returns the former value of each that had one */
export async function setTagOfAll(
  writes: Writes,
  uids: readonly string[],
  tag: { clientId: string; key: string; value: string; description: string | null; at: Date },
): Promise<Map<string, string>> {
  const { clientId, key, value, description, at } = tag
  const tagUids = uids.map(() => uuidV7())
  const { rows } = await sql<{ deviceUid: string; value: string }>`
    with former as materialized (
      select device_uid, value from tags where device_uid = any(${uids}::uuid[]) and key = ${key}),
    saved as (
      insert into tags (uid, client_id, device_uid, key, value, description, created_at, changed_at)
      select x.tag_uid, ${clientId}, x.device_uid, ${key}, ${value}, coalesce(${description}::text, ''), ${at}, ${at}
      from unnest(${tagUids}::uuid[], ${uids}::uuid[]) as x(tag_uid, device_uid)
      on conflict (client_id, device_uid, group_uid, key) do update
      set value = excluded.value, description = coalesce(${description}::text, tags.description), changed_at = ${at})
    select device_uid, value from former`.execute(writes)
  return new Map(rows.map(row => [row.deviceUid, row.value]))
}

/** Gives locked devices back the volume that they had before its last change. @returns it; null: it had no tag */
export async function restoreVolumes(
  writes: Writes,
  uids: readonly string[],
  { now }: { now: Date },
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ uid: string; former: string | null }>`
    with former as materialized (
      select d.uid, c.before as former from devices d cross join lateral ${VOLUME_CHANGE} c
      where d.uid = any(${uids}::uuid[])),
    deleted as (
      delete from tags t using former f where t.device_uid = f.uid and t.key = 'volume' and f.former is null),
    saved as (
      update tags t set value = f.former, changed_at = ${now} from former f
      where t.device_uid = f.uid and t.key = 'volume' and f.former is not null)
    select uid, former from former`.execute(writes)
  return new Map(rows.map(row => [row.uid, row.former]))
}
