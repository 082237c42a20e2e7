import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

/** The changed items, which determine the manifests to make again. Several kinds can be given at once. */
export interface ManifestChange {
  /** Devices with another name, kind, tags or group. */
  devices?: readonly string[]
  /** Groups with other tags or updates. */
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
  /** Tags or tag policy of the whole client changed. */
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

/** In SQL: the groups that a change concerns. */
function concernedGroups(change: ManifestChange): RawBuilder<unknown> {
  const media = [...(change.media ?? []), ...(change.loudness ?? [])]
  return sql`(
    g.uid = ${anyOf([...(change.groups ?? []), ...(change.profileGroups ?? [])])}
    or g.uid in (select p.group_uid from publications p where p.uid = ${anyOf(change.publications)})
    or g.uid in (select p.group_uid from publications p
      where p.state <> 'disabled' and p.playlist_uid = ${anyOf(change.playlists)})
    or g.uid in (${groupsPlaying(media)})
    or g.uid in (${groupsSounding(media)}))`
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

/** A group whose devices get new manifests. */
export interface MarkedGroup {
  clientId: string
  groupUid: string
}

const isOfGroups = ({ groups, profileGroups, publications, playlists, media, loudness }: ManifestChange) =>
  [groups, profileGroups, publications, playlists, media, loudness].some(uids => uids?.length)

/**
 * Raises the manifest revision of each group that a change concerns, one row a group, always in the same order. An assignment
 * may give a group an item that a concurrent transaction changes without knowing this group: such groups stay pending (see
 * `GroupPart` in manifest-parts.ts). @returns the groups
 */
export async function markGroups(writes: Writes, change: ManifestChange): Promise<MarkedGroup[]> {
  if (!isOfGroups(change)) return []
  const isAssignment = Boolean(change.publications?.length || change.profileGroups?.length)
  const pendingBelow = isAssignment ? 0 : null
  const { rows } = await sql<MarkedGroup>`
    insert into group_manifests (group_uid, client_id, pending_below)
    select g.uid, g.client_id, ${pendingBelow}::bigint from groups g where ${concernedGroups(change)}
    order by g.uid
    on conflict (group_uid) do update set revision = group_manifests.revision + 1,
      pending_below = coalesce(excluded.pending_below, group_manifests.pending_below)
    returning client_id, group_uid`.execute(writes)
  return rows
}

/** The devices of these groups outside the bin. */
export async function countDevices(reads: Reads, groups: readonly MarkedGroup[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from devices
    where deleted_at is null and group_uid = ${anyOf(groups.map(({ groupUid }) => groupUid))}`.execute(reads)
  return rows[0]?.count ?? 0
}

/** A device whose manifest is to be made again, with its group, which may be new. */
export interface MarkedDevice {
  clientId: string
  deviceUid: string
  groupUid: string | null
}

/** Marks the manifests of devices whose own data have changed, always in the same order. */
export async function markDevices(
  writes: Writes,
  deviceUids: readonly string[] | undefined,
): Promise<MarkedDevice[]> {
  if (!deviceUids?.length) return []
  const { rows } = await sql<MarkedDevice>`
    with marked as (
      insert into device_manifests (device_uid, client_id)
      select d.uid, d.client_id from devices d where d.deleted_at is null and d.uid = ${anyOf(deviceUids)}
      order by d.uid
      on conflict (device_uid) do update set own_revision = device_manifests.own_revision + 1
      returning device_uid)
    select d.client_id, d.uid as device_uid, d.group_uid from marked m join devices d on d.uid = m.device_uid`.execute(
    writes,
  )
  return rows
}

/** Marks the manifests of all devices of the transaction's client: one row. @returns the client's id */
export async function markClient(writes: Writes): Promise<string[]> {
  const { rows } = await sql<{ clientId: string }>`
    insert into client_manifests (client_id) values (current_setting('app.client_id')::uuid)
    on conflict (client_id) do update set revision = client_manifests.revision + 1
    returning client_id`.execute(writes)
  return rows.map(row => row.clientId)
}
