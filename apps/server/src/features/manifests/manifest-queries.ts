import type { Kind } from '@floorcast/contract/fields.ts'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import type { TagPolicy, Tags } from '@floorcast/contract/tags.ts'
import { type Insertable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { readUpdates } from './update-offers.ts'
import type { SourceBlock, SourceFile, SourceItem, SourcePublication } from './programme-body.ts'
import { soundsOf } from './alert-sounds.ts'

/** A playlist may have 100,000 items: the server answers other calls between two reads. */
const ITEMS_A_READ = 2000

/** The devices of a group outside the bin. */
export async function listGroupDevices(reads: Reads, groupUid: string): Promise<string[]> {
  const rows = await reads
    .selectFrom('devices')
    .where('groupUid', '=', groupUid)
    .where('deletedAt', 'is', null)
    .select('uid')
    .orderBy('uid')
    .execute()
  return rows.map(({ uid }) => uid)
}

/** What is a device's own in its manifest, and what its manifest was made of; the revisions are those of now. */
export interface DeviceRow {
  uid: string
  name: string
  kind: Kind
  groupUid: string | null
  /** Null: the client's. */
  tagPolicy: TagPolicy | null
  tags: Tags
  generation: number
  /** The hash of the manifest that was made last; empty before the first. */
  etag: string
  ownRevision: number
  groupRevision: number
  clientRevision: number
  madeOwnRevision: number | null
  madeGroupUid: string | null
  madeGroupRevision: number | null
  madeClientRevision: number | null
  madeAlerts: string
}

/** The rows of these devices outside the recycle bin. */
export async function readDeviceRows(reads: Reads, deviceUids: readonly string[]): Promise<DeviceRow[]> {
  const { rows } = await sql<DeviceRow>`
    select d.uid, d.name, d.kind, d.group_uid, d.tag_policy,
      coalesce((select jsonb_object_agg(t.key, t.value) from tags t
        where t.client_id = d.client_id and t.device_uid = d.uid), '{}') as tags,
      coalesce(m.generation, 0) as generation, coalesce(m.etag, '') as etag, coalesce(m.own_revision, 0) as own_revision,
      coalesce(g.revision, 0) as group_revision, coalesce(c.revision, 0) as client_revision,
      m.made_own_revision, m.made_group_uid, m.made_group_revision, m.made_client_revision,
      coalesce(m.made_alerts, '') as made_alerts
    from devices d
    left join device_manifests m on m.device_uid = d.uid
    left join group_manifests g on g.group_uid = d.group_uid
    left join client_manifests c on c.client_id = d.client_id
    where d.uid = any(${deviceUids}::uuid[]) and d.deleted_at is null`.execute(reads)
  return rows
}

/** A manifest that was made of a device's row, and of which revisions. */
export interface MadeManifest {
  deviceUid: string
  formerGeneration: number
  generation: number
  etag: string
  ownRevision: number
  groupUid: string | null
  /** Null: the group is pending, so the manifest is to be made again. */
  groupRevision: number | null
  clientRevision: number
  alerts: string
}

/**
 * Saves the numbers of manifests, always in the same order. A manifest that another one has overtaken is not saved.
 * @returns the devices whose manifest was saved
 */
export async function saveManifests(writes: Writes, made: readonly MadeManifest[]): Promise<Set<string>> {
  const records = JSON.stringify(made)
  const uids = made.map(({ deviceUid }) => deviceUid)
  const { rows } = await sql<{ deviceUid: string }>`
    with made as (
      select * from jsonb_to_recordset(${records}::jsonb) as x(
        "deviceUid" uuid, "formerGeneration" bigint, generation bigint, etag text, "ownRevision" bigint, "groupUid" uuid,
        "groupRevision" bigint, "clientRevision" bigint, alerts text)),
    locked as materialized (
      -- The list makes PostgreSQL look up these rows; from the records alone it would read those of all devices.
      select m.device_uid from device_manifests m
      where m.device_uid = any(${uids}::uuid[]) order by m.device_uid for update)
    update device_manifests m set generation = x.generation, etag = x.etag, made_own_revision = x."ownRevision",
      made_group_uid = x."groupUid", made_group_revision = x."groupRevision", made_client_revision = x."clientRevision",
      made_alerts = x.alerts
    from made x, locked l where m.device_uid = x."deviceUid" and l.device_uid = m.device_uid
      and m.generation = x."formerGeneration"
    returning m.device_uid`.execute(writes)
  return new Set(rows.map(row => row.deviceUid))
}

/** What all devices of a client share. */
export interface ClientPart {
  revision: number
  tagPolicy: TagPolicy
  tags: Tags
}

export async function readClientPart(reads: Reads): Promise<ClientPart> {
  const { rows } = await sql<ClientPart>`
    select coalesce(m.revision, 0) as revision, c.tag_policy,
      coalesce((select jsonb_object_agg(t.key, t.value) from tags t
        where t.client_id = c.uid and t.device_uid is null and t.group_uid is null), '{}') as tags
    from clients c left join client_manifests m on m.client_id = c.uid`.execute(reads)
  if (!rows[0]) throw new Error('a client without its row')
  return rows[0]
}

/** The ids of the oldest other transaction that is writing (null: none) and of the next one. */
export async function readRunning(reads: Reads): Promise<RunningTransactions> {
  const { rows } = await sql<RunningTransactions>`
    select (select min(running::text::bigint) from pg_snapshot_xip(pg_current_snapshot()) running) as oldest,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next`.execute(reads)
  if (!rows[0]) throw new Error('PostgreSQL did not say what runs')
  return rows[0]
}

export interface RunningTransactions {
  oldest: number | null
  next: number
}

/** The database rows that a group's part of manifests is made of. */
export interface GroupSource {
  revision: number
  pendingBelow: number | null
  deviceCount: number
  tags: Tags
  /** Settings of the profiles that apply, as last activated, the one that was activated last at the end: it wins. */
  profiles: readonly unknown[]
  /** The files of the media that those profiles name, by media uid. */
  sounds: ReadonlyMap<string, SourceFile>
  publications: readonly SourcePublication[]
  update: ManifestUpdate | null
}

/** Reads what all devices of a group share. The reads must see one state of the database. */
export async function readGroupSource(reads: Reads, groupUid: string): Promise<GroupSource> {
  const { rows } = await sql<Pick<GroupSource, 'revision' | 'pendingBelow' | 'deviceCount' | 'tags'>>`
    select coalesce(m.revision, 0) as revision, m.pending_below,
      (select count(*) from devices d where d.group_uid = g.uid and d.deleted_at is null) as device_count,
      coalesce((select jsonb_object_agg(t.key, t.value) from tags t
        where t.client_id = g.client_id and t.group_uid = g.uid), '{}') as tags
    from groups g left join group_manifests m on m.group_uid = g.uid where g.uid = ${groupUid}`.execute(reads)
  const head = rows[0] ?? { revision: 0, pendingBelow: null, deviceCount: 0, tags: {} }
  const profiles = await listProfiles(reads, groupUid)
  const sounds = await readSounds(reads, profiles)
  const publications = await listPublications(reads, groupUid)
  const updates = await readUpdates(reads, [groupUid])
  return { ...head, profiles, sounds, publications, update: updates.get(groupUid) ?? null }
}

/**
 * Notes until which transaction a group is pending, unless the group has changed since or is being changed: a device that asks
 * for its manifest waits for no other transaction.
 */
export async function savePending(
  writes: Writes,
  { groupUid, revision, pendingBelow }: { groupUid: string; revision: number; pendingBelow: number | null },
): Promise<void> {
  await sql`
    update group_manifests set pending_below = ${pendingBelow}::bigint where group_uid in (
      select group_uid from group_manifests where group_uid = ${groupUid} and revision = ${revision}
      for update skip locked)`.execute(writes)
}

async function listProfiles(reads: Reads, groupUid: string): Promise<unknown[]> {
  const rows = await reads
    .selectFrom('profiles')
    .innerJoin('profileGroups', 'profileGroups.profileUid', 'profiles.uid')
    .where('profileGroups.groupUid', '=', groupUid)
    .where('profiles.activeSettings', 'is not', null)
    .select('profiles.activeSettings')
    .orderBy('profiles.activatedAt')
    .orderBy('profiles.uid')
    .execute()
  return rows.map(row => row.activeSettings)
}

/** The publications of a group in force or waiting, with the items of their playlists. */
async function listPublications(reads: Reads, groupUid: string): Promise<SourcePublication[]> {
  const rows = await reads
    .selectFrom('publications')
    .innerJoin('playlists', 'playlists.uid', 'publications.playlistUid')
    .where('publications.groupUid', '=', groupUid)
    .where('publications.state', '<>', 'disabled')
    .where('publications.deletedAt', 'is', null)
    .select(['publications.uid', 'publications.name', 'publications.revision', 'publications.activatedAt'])
    .select(['publications.startsAt', 'publications.startsAtWall', 'publications.state'])
    .select([
      'playlists.uid as playlistUid',
      'playlists.name as playlistName',
      'playlists.kind as playlistKind',
    ])
    .select(['playlists.crossfadeSeconds', 'playlists.startDate', 'playlists.endDate'])
    .select(['playlists.windowStart', 'playlists.windowEnd'])
    .orderBy('publications.state')
    .orderBy('publications.uid')
    .execute()
  const playlistUids = [...new Set(rows.map(row => row.playlistUid))]
  const items = await readItems(reads, playlistUids)
  const blocks = await readBlocks(reads, playlistUids)
  return rows.map(row => {
    const isDelayed = row.state === 'delayed'
    return {
      uid: row.uid,
      name: row.name,
      revision: row.revision,
      activatedAt: row.activatedAt ?? '',
      startsAt: isDelayed ? row.startsAt : null,
      startsAtWall: isDelayed ? row.startsAtWall : null,
      playlist: {
        uid: row.playlistUid,
        name: row.playlistName,
        kind: row.playlistKind,
        crossfadeSeconds: row.crossfadeSeconds,
        startDate: row.startDate,
        endDate: row.endDate,
      },
      items: items.get(row.playlistUid) ?? [],
      day: dayOf(row, blocks.get(row.playlistUid) ?? []),
    }
  })
}

/** Null for a simple playlist, which has no window. */
function dayOf(
  { windowStart, windowEnd }: { windowStart: string | null; windowEnd: string | null },
  blocks: readonly SourceBlock[],
): SourcePublication['day'] {
  return windowStart === null || windowEnd === null
    ? null
    : { startDay: windowStart, endDay: windowEnd, blocks }
}

async function readBlocks(
  reads: Reads,
  playlistUids: readonly string[],
): Promise<Map<string, SourceBlock[]>> {
  const rows = await reads
    .selectFrom('playlistBlocks')
    .where('playlistUid', '=', sql<string>`any(${playlistUids}::uuid[])`)
    .select(['playlistUid', 'kind', 'startSeconds', 'durationSeconds', 'tracks', 'starts'])
    .orderBy('playlistUid')
    .orderBy('position')
    .execute()
  return Map.groupBy(rows, row => row.playlistUid)
}

/** The items; those of a smart playlist that its day plays. */
async function readItems(reads: Reads, playlistUids: readonly string[]): Promise<Map<string, SourceItem[]>> {
  const read: (SourceItem & { playlistUid: string })[] = []
  let page: typeof read
  do {
    const last = read.at(-1)
    page = await readSomeItems(reads, playlistUids, last)
    read.push(...page)
  } while (page.length === ITEMS_A_READ)
  return Map.groupBy(read, row => row.playlistUid)
}

async function readSomeItems(
  reads: Reads,
  playlistUids: readonly string[],
  after: { playlistUid: string; position: number } | undefined,
): Promise<(SourceItem & { playlistUid: string })[]> {
  return reads
    .selectFrom('playlistItems as i')
    .innerJoin('mediaItems as m', 'm.uid', 'i.mediaUid')
    .innerJoin('mediaFiles as f', join =>
      join
        .onRef('f.mediaUid', '=', 'm.uid')
        .on(eb => eb('f.fileVersion', '=', eb.fn.coalesce('i.pinnedFileVersion', 'm.fileVersion'))),
    )
    .where('i.playlistUid', '=', sql<string>`any(${playlistUids}::uuid[])`)
    .$if(after !== undefined, query =>
      query.where(sql<boolean>`(i.playlist_uid, i.position) > (${after?.playlistUid}, ${after?.position})`),
    )
    .where(eb => eb.or([eb('i.plannedPlays', 'is', null), eb('i.plannedPlays', '>', 0)]))
    .select([
      'i.playlistUid',
      'i.position',
      'i.uid',
      'i.repeatCount',
      'i.replaySeconds',
      'i.startTime',
      'i.mediaUid',
    ])
    .select(['m.name as mediaName', 'm.contentType', 'f.sha256', 'f.sizeBytes', 'f.durationSeconds'])
    .select(['f.integratedLufs', 'f.truePeakDbtp'])
    .orderBy('i.playlistUid')
    .orderBy('i.position')
    .limit(ITEMS_A_READ)
    .execute()
}

/** Whether a publication of a group, in any state and with its former playlist, or a profile of it plays a media item. */
export async function isGroupMedia(reads: Reads, groupUid: string, mediaUid: string): Promise<boolean> {
  const { rows } = await sql<{ isNamed: boolean }>`
    select exists (
        select from publications p join playlist_items i on i.playlist_uid in (p.playlist_uid, p.former_playlist_uid)
        where p.group_uid = ${groupUid} and p.deleted_at is null and i.media_uid = ${mediaUid})
      or exists (
        select from profile_groups g join profile_media m on m.profile_uid = g.profile_uid
        where g.group_uid = ${groupUid} and m.media_uid = ${mediaUid}) as is_named`.execute(reads)
  return rows[0]?.isNamed === true
}

/** The bytes of a client's programmes. A device that asks for one that went has it made again. */
const MAX_PROGRAMME_BYTES = 2_000_000_000

/** Stores a programme; one that is stored counts as made now. The oldest above the limit go. */
export async function saveProgramme(
  writes: Writes,
  { clientId, sha256, body, madeAt }: Insertable<Tables['programmes']>,
  maxBytes = MAX_PROGRAMME_BYTES,
): Promise<void> {
  await writes
    .insertInto('programmes')
    .values({ clientId, sha256, body, madeAt })
    .onConflict(conflict => conflict.columns(['clientId', 'sha256']).doUpdateSet({ madeAt }))
    .execute()
  await sql`
    delete from programmes where sha256 in (
      select sha256 from (
        select sha256, sum(pg_column_size(body)) over (order by made_at desc, sha256) as bytes from programmes) as p
      where p.bytes > ${maxBytes}::bigint)`.execute(writes)
}

/** The compressed bytes of a programme. */
export async function findProgramme(reads: Reads, sha256: string): Promise<Buffer | null> {
  const row = await reads
    .selectFrom('programmes')
    .where('sha256', '=', sha256)
    .select('body')
    .executeTakeFirst()
  return row?.body ?? null
}

/** The newest files of the media that any of these profiles' settings name, by media uid. */
async function readSounds(reads: Reads, profiles: readonly unknown[]): Promise<Map<string, SourceFile>> {
  const named = profiles.flatMap(profile => soundsOf([profile]))
  const uids = [...new Set(named.map(({ mediaUid }) => mediaUid))]
  if (uids.length === 0) return new Map()
  const rows = await reads
    .selectFrom('mediaItems as m')
    .innerJoin('mediaFiles as f', join =>
      join.onRef('f.mediaUid', '=', 'm.uid').onRef('f.fileVersion', '=', 'm.fileVersion'),
    )
    .where('m.uid', '=', sql<string>`any(${uids}::uuid[])`)
    .select(['m.uid as mediaUid', 'm.name as mediaName', 'm.contentType'])
    .select(['f.sha256', 'f.sizeBytes', 'f.durationSeconds', 'f.integratedLufs', 'f.truePeakDbtp'])
    .execute()
  return new Map(rows.map(row => [row.mediaUid, row]))
}
