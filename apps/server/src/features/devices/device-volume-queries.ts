import type { TagLevel } from '@floorcast/contract/tag-calls.ts'
import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'

/** The sources of a device's volume: its tags on three levels and its group's profiles. */
export async function findVolumeSources(reads: Reads, device: { uid: string; groupUid: string | null }) {
  const { rows: tags } = await sql<{ level: TagLevel; value: string }>`
    select case when device_uid is not null then 'device' when group_uid is not null then 'group' else 'client' end
      as level, value
    from tags
    where key = 'volume' and (device_uid = ${device.uid} or group_uid = ${device.groupUid}
      or (device_uid is null and group_uid is null))`.execute(reads)
  const { rows } = await sql<{ tagPolicy: TagLevel; profileVolume: number | null }>`
    select coalesce((select d.tag_policy from devices d where d.uid = ${device.uid}), c.tag_policy) as tag_policy, (
      select (f.active_settings->>'defaultVolume')::int from profiles f
      join profile_groups fg on fg.profile_uid = f.uid
      where fg.group_uid = ${device.groupUid} and f.active_settings ? 'defaultVolume'
      order by f.activated_at desc, f.uid desc limit 1) as profile_volume
    from clients c`.execute(reads)
  return { tags, tagPolicy: rows[0]?.tagPolicy ?? 'device', profileVolume: rows[0]?.profileVolume ?? null }
}

/** Saves the volume tag of a device that the caller has locked; the card's slider changes it. @returns the former value, if any */
export async function saveVolumeTag(
  writes: Writes,
  tag: { clientId: string; deviceUid: string; volume: number; at: Date },
): Promise<string | null> {
  const { clientId, deviceUid, volume, at } = tag
  const { rows } = await sql<{ former: string | null }>`
    with former as (select value from tags where device_uid = ${deviceUid} and key = 'volume')
    insert into tags (uid, client_id, device_uid, key, value, created_at, changed_at)
    values (${uuidV7()}, ${clientId}, ${deviceUid}, 'volume', ${String(volume)}, ${at}, ${at})
    on conflict (client_id, device_uid, group_uid, key) do update set value = excluded.value, changed_at = ${at}
    returning (select value from former) as former`.execute(writes)
  return rows[0]?.former ?? null
}

/** @returns whether the device had a volume tag of its own */
export async function deleteVolumeTag(writes: Writes, deviceUid: string): Promise<boolean> {
  const { numDeletedRows } = await writes
    .deleteFrom('tags')
    .where('deviceUid', '=', deviceUid)
    .where('key', '=', 'volume')
    .executeTakeFirst()
  return numDeletedRows > 0n
}
