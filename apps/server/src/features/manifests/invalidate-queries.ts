import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'

/** The changed items, which determine the manifests to mark. Several kinds can be given at once. */
export interface ManifestChange {
  /** Devices with another name, kind, tags or group. */
  devices?: readonly string[]
  /** Groups with other tags or alerts. */
  groups?: readonly string[]
  /** Groups whose profiles were added, removed or changed. They may have other alert sounds. */
  profileGroups?: readonly string[]
  /** Publications that were turned on, turned off, delayed, or have another playlist. Their revision grows. */
  publications?: readonly string[]
  /** Playlists with other items, dates, crossfade or name. The revisions of their publications grow. */
  playlists?: readonly string[]
  /** Media with a new file or name. The revisions of publications that play them grow, except of plans that keep a former file. */
  media?: readonly string[]
  /** Media with measured loudness. Devices get new manifests but need no new files. */
  loudness?: readonly string[]
  /** Tags, tag policy or an alert of the whole client changed. */
  client?: true
}

const anyOf = (uids: readonly string[] | undefined) => sql`any(${uids ?? []}::uuid[])`

/** Groups whose publications, in force or waiting, play any of these media. */
const groupsPlaying = (media: readonly string[]) => sql`
  select p.group_uid from publications p join playlist_items i on i.playlist_uid = p.playlist_uid
  where p.state <> 'disabled' and i.media_uid = ${anyOf(media)}`

/** Groups with a profile that names any of these media. */
const groupsSounding = (media: readonly string[]) => sql`
  select g.group_uid from profile_groups g join profile_media n on n.profile_uid = g.profile_uid
  where n.media_uid = ${anyOf(media)}`

/** In SQL: the devices that a change concerns. */
function concernedDevices(change: ManifestChange): RawBuilder<unknown> {
  if (change.client) return sql`true`
  const media = [...(change.media ?? []), ...(change.loudness ?? [])]
  return sql`(
    d.uid = ${anyOf(change.devices)}
    or d.group_uid = ${anyOf([...(change.groups ?? []), ...(change.profileGroups ?? [])])}
    or d.group_uid in (select p.group_uid from publications p where p.uid = ${anyOf(change.publications)})
    or d.group_uid in (select p.group_uid from publications p
      where p.state <> 'disabled' and p.playlist_uid = ${anyOf(change.playlists)})
    or d.group_uid in (${groupsPlaying(media)})
    or d.group_uid in (${groupsSounding(media)}))`
}

/** Raises the revisions of publications whose devices need other files. */
export async function raiseRevisions(writes: Writes, change: ManifestChange): Promise<void> {
  if (!change.publications?.length && !change.playlists?.length && !change.media?.length) return
  await sql`
    update publications p set revision = p.revision + 1
    where p.state <> 'disabled' and (
      p.uid = ${anyOf(change.publications)}
      or p.playlist_uid = ${anyOf(change.playlists)}
      or p.playlist_uid in (
        select i.playlist_uid from playlist_items i join media_items m on m.uid = i.media_uid
        where m.uid = ${anyOf(change.media)} and coalesce(i.pinned_file_version, m.file_version) = m.file_version))
  `.execute(writes)
}

/**
 * Marks the manifests that a change concerns, always in the same order. An assignment may give devices an item that a
 * concurrent transaction changes without knowing these devices: such manifests stay pending (see `staleUntil` in
 * manifests.ts). @returns the devices
 */
export async function markManifests(writes: Writes, change: ManifestChange): Promise<string[]> {
  const isAssignment = Boolean(
    change.devices?.length || change.publications?.length || change.profileGroups?.length,
  )
  const { rows } = await sql<{ deviceUid: string }>`
    insert into device_manifests (device_uid, client_id)
    select d.uid, d.client_id from devices d
    where d.deleted_at is null and ${concernedDevices(change)}
    order by d.uid
    on conflict (device_uid) do update set is_stale = true,
      pending_below = case when ${isAssignment} then 0 else device_manifests.pending_below end
    returning device_uid
  `.execute(writes)
  return rows.map(row => row.deviceUid)
}

/** Adds a notice of a new manifest to the outbox of each bound device. It replaces a notice that still waits. */
export async function enqueueManifestNotice(
  writes: Writes,
  deviceUids: readonly string[],
  at: Date,
): Promise<void> {
  const messageUids = deviceUids.map(() => uuidV7())
  await sql`
    insert into device_outbox (uid, client_id, device_uid, type, body, created_at)
    select x.message_uid, d.client_id, d.uid, 'manifest', '{}', ${at}
    from unnest(${deviceUids}::uuid[], ${messageUids}::uuid[]) as x(device_uid, message_uid)
    join devices d on d.uid = x.device_uid and d.license_bound_at is not null
    order by d.uid
    on conflict (client_id, device_uid) where type = 'manifest' and acknowledged_at is null
    do update set uid = excluded.uid, position = default, created_at = excluded.created_at
  `.execute(writes)
}

/** A message in a device's outbox that the device has not acknowledged. */
export interface WaitingMessage {
  uid: string
  deviceUid: string
  /** `alert` and `command` are reserved: no server posts them yet. */
  type: 'manifest' | 'alert' | 'command'
  body: Record<string, unknown>
}

/** The waiting messages of these devices, in the order of each outbox. */
export async function listWaiting(reads: Reads, deviceUids: readonly string[]): Promise<WaitingMessage[]> {
  return reads
    .selectFrom('deviceOutbox')
    .where('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .where('acknowledgedAt', 'is', null)
    .select(['uid', 'deviceUid', 'type', 'body'])
    .orderBy('deviceUid')
    .orderBy('position')
    .execute()
}

/** Marks messages as acknowledged. A device can only acknowledge its own messages. */
export async function acknowledge(
  writes: Writes,
  acks: readonly { deviceUid: string; messageUid: string }[],
  at: Date,
): Promise<void> {
  const rows = JSON.stringify(acks)
  await sql`
    update device_outbox o set acknowledged_at = ${at}
    from (select * from jsonb_to_recordset(${rows}::jsonb) as x("deviceUid" uuid, "messageUid" uuid)) as ack
    where o.uid = ack."messageUid" and o.device_uid = ack."deviceUid" and o.acknowledged_at is null
  `.execute(writes)
}
