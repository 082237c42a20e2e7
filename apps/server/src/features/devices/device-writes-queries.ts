import type { addDevice, editDevice } from '@floorcast/contract/devices.ts'
import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { EveryColumn } from '../../platform/database/every-column.ts'
import type { NamedItem } from '../../platform/lib/bulk.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'

/** Devices are counted against the plan one after another, so that two added at once do not pass its limit. */
export async function lockDeviceCount(writes: Writes, clientId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`devices ${clientId}`}, 0))`.execute(writes)
}

export async function countDevices(reads: Reads): Promise<{ used: number; limit: number }> {
  const { rows } = await sql<{ used: number; limit: number }>`
    select (select count(*) from devices where deleted_at is null) as used, p.device_limit as "limit"
    from clients c join plans p on p.key = c.plan_key`.execute(reads)
  return rows[0] ?? { used: 0, limit: 0 }
}

type NewDevice = Pick<
  Insertable<Tables['devices']>,
  keyof BodyOf<typeof addDevice> | 'uid' | 'clientId' | 'kind' | 'licenseKey'
>

export async function insertDevice(writes: Writes, device: NewDevice, at: Date): Promise<void> {
  await writes
    .insertInto('devices')
    .values({
      uid: device.uid,
      clientId: device.clientId,
      kind: device.kind,
      name: device.name,
      description: device.description,
      licenseKey: device.licenseKey,
      createdAt: at,
      changedAt: at,
    } satisfies EveryColumn<NewDevice>)
    .execute()
}

export type StoredDevice = Selectable<Tables['devices']>

/** The device, locked until the transaction ends. */
export function lockDevice(writes: Writes, uid: string): Promise<StoredDevice | undefined> {
  return writes
    .selectFrom('devices')
    .selectAll()
    .where('uid', '=', uid)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

type DeviceUpdate = Pick<
  Updateable<Tables['devices']>,
  | Exclude<keyof BodyOf<typeof editDevice>, 'uid' | 'version' | 'volume'>
  | 'groupUid'
  | 'licenseKey'
  | 'licenseBoundAt'
  | 'boxUid'
  | 'tokenHash'
  | 'deletedAt'
  | 'deletedBy'
>

/** Resolves to the device as it is now. */
export async function updateDevice(
  writes: Writes,
  uid: string,
  { at, ...change }: DeviceUpdate & { at: Date },
): Promise<StoredDevice> {
  return writes
    .updateTable('devices')
    .set({
      name: change.name,
      description: change.description,
      expiresAt: change.expiresAt,
      groupUid: change.groupUid,
      licenseKey: change.licenseKey,
      licenseBoundAt: change.licenseBoundAt,
      boxUid: change.boxUid,
      tokenHash: change.tokenHash,
      deletedAt: change.deletedAt,
      deletedBy: change.deletedBy,
      changedAt: at,
      version: sql<number>`version + 1`,
    } satisfies EveryColumn<DeviceUpdate>)
    .where('uid', '=', uid)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Takes every device out of a group; resolves to them. */
export async function emptyGroup(writes: Writes, groupUid: string, at: Date): Promise<NamedItem[]> {
  return writes
    .updateTable('devices')
    .set(eb => ({ groupUid: null, changedAt: at, version: eb('version', '+', 1) }))
    .where('groupUid', '=', groupUid)
    .returning(['uid', 'name'])
    .execute()
}

/** Puts those of the devices that are in no group, nor in the bin, into one; resolves to them. */
export async function joinFreeDevices(
  writes: Writes,
  uids: readonly string[],
  { groupUid, at }: { groupUid: string; at: Date },
): Promise<NamedItem[]> {
  if (uids.length === 0) return []
  return writes
    .updateTable('devices')
    .set(eb => ({ groupUid, changedAt: at, version: eb('version', '+', 1) }))
    .where('uid', 'in', uids)
    .where('groupUid', 'is', null)
    .where('deletedAt', 'is', null)
    .returning(['uid', 'name'])
    .execute()
}

/** The device's own volume tag, which the card's slider writes. Resolves to the value before, if there was one. */
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

/** Back to never up: the last contact is forgotten; resolves to when it was. */
export async function forgetContact(
  writes: Writes,
  device: { clientId: string; deviceUid: string; at: Date },
): Promise<string | null> {
  const state = await writes
    .selectFrom('deviceStates')
    .selectAll()
    .where('deviceUid', '=', device.deviceUid)
    .forUpdate()
    .executeTakeFirst()
  await writes
    .updateTable('deviceStates')
    .set({ lastContactAt: null, nowPlaying: null })
    .where('deviceUid', '=', device.deviceUid)
    .execute()
  await writes
    .insertInto('deviceTransitions')
    .values({ deviceUid: device.deviceUid, clientId: device.clientId, at: device.at, state: 'neverup' })
    .onConflict(conflict => conflict.doNothing())
    .execute()
  return state?.lastContactAt ?? null
}
