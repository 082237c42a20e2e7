import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { readSounds } from './alert-sounds-queries.ts'
import { readUpdates } from './update-offers.ts'
import type {
  ManifestDocument,
  ManifestSource,
  SourceBlock,
  SourceItem,
  SourcePublication,
} from './manifest-body.ts'

/**
 * The stored manifest of a device. `body` is null if `held` is its ETag: a 304 reads one row by its key, without the body.
 */
export async function readManifestRow(
  reads: Reads,
  deviceUid: string,
  held: string | null,
): Promise<{ etag: string; isStale: boolean; body: string | null } | undefined> {
  return reads
    .selectFrom('deviceManifests')
    .where('deviceUid', '=', deviceUid)
    .select(['etag', 'isStale'])
    .select(eb =>
      eb
        .case()
        .when('etag', '=', held)
        .then(null)
        .else(eb.ref('body'))
        .end()
        .$castTo<string | null>()
        .as('body'),
    )
    .executeTakeFirst()
}

export async function readGroupName(reads: Reads, groupUid: string): Promise<string | null> {
  const row = await reads.selectFrom('groups').where('uid', '=', groupUid).select('name').executeTakeFirst()
  return row?.name ?? null
}

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

/** Locks the manifests of these devices, always in the same order. */
export function lockManifests(
  writes: Writes,
  deviceUids: readonly string[],
): Promise<(ManifestDocument & { deviceUid: string; isStale: boolean; pendingBelow: number | null })[]> {
  return writes
    .selectFrom('deviceManifests')
    .where('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .select(['deviceUid', 'generation', 'etag', 'body', 'isStale', 'pendingBelow'])
    .orderBy('deviceUid')
    .forUpdate()
    .execute()
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

export async function saveManifest(
  writes: Writes,
  deviceUid: string,
  document: ManifestDocument & { madeAt: Date; pendingBelow: number | null },
): Promise<void> {
  const { generation, etag, body, madeAt, pendingBelow } = document
  await writes
    .updateTable('deviceManifests')
    .set({ generation, etag, body, madeAt, pendingBelow, isStale: pendingBelow !== null })
    .where('deviceUid', '=', deviceUid)
    .execute()
}

/** Reads the sources of these devices' manifests. */
export async function readSources(reads: Reads, deviceUids: readonly string[]): Promise<ManifestSource[]> {
  const devices = await reads
    .selectFrom('devices')
    .innerJoin('clients', 'clients.uid', 'devices.clientId')
    .where('devices.uid', '=', sql<string>`any(${deviceUids}::uuid[])`)
    .select(['devices.uid', 'devices.name', 'devices.kind', 'devices.groupUid'])
    .select(eb => eb.fn.coalesce('devices.tagPolicy', 'clients.tagPolicy').as('tagPolicy'))
    .execute()
  const groupUids = [...new Set(devices.flatMap(({ groupUid }) => groupUid ?? []))]
  const tags = await readTags(reads, deviceUids, groupUids)
  const profiles = await readProfiles(reads, groupUids)
  const sounds = await readSounds(
    reads,
    profiles.map(({ activeSettings }) => activeSettings),
  )
  const alerts = await readOpenAlerts(reads)
  const publications = await readPublications(reads, groupUids)
  const updates = await readUpdates(reads, groupUids)
  return devices.map(({ groupUid, tagPolicy, ...device }) => ({
    device,
    tagPolicy,
    tags: {
      device: tagsOf(tags.filter(tag => tag.deviceUid === device.uid)),
      group: tagsOf(tags.filter(tag => groupUid !== null && tag.groupUid === groupUid)),
      client: tagsOf(tags.filter(tag => tag.deviceUid === null && tag.groupUid === null)),
    },
    profiles: profiles
      .filter(profile => profile.groupUid === groupUid)
      .map(({ activeSettings }) => activeSettings),
    sounds,
    alerts: alerts.filter(
      alert =>
        alert.deviceUid === device.uid ||
        (alert.groupUid !== null && alert.groupUid === groupUid) ||
        (alert.deviceUid === null && alert.groupUid === null),
    ),
    publications: publications.get(groupUid ?? '') ?? [],
    update: updates.get(groupUid ?? '') ?? null,
  }))
}

const tagsOf = (tags: readonly { key: string; value: string }[]) =>
  Object.fromEntries(tags.map(({ key, value }) => [key, value]))

function readTags(reads: Reads, deviceUids: readonly string[], groupUids: readonly string[]) {
  return reads
    .selectFrom('tags')
    .where(eb =>
      eb.or([
        eb('deviceUid', '=', sql<string>`any(${deviceUids}::uuid[])`),
        eb('groupUid', '=', sql<string>`any(${groupUids}::uuid[])`),
        eb.and([eb('deviceUid', 'is', null), eb('groupUid', 'is', null)]),
      ]),
    )
    .select(['deviceUid', 'groupUid', 'key', 'value'])
    .execute()
}

function readProfiles(reads: Reads, groupUids: readonly string[]) {
  return reads
    .selectFrom('profiles')
    .innerJoin('profileGroups', 'profileGroups.profileUid', 'profiles.uid')
    .where('profileGroups.groupUid', '=', sql<string>`any(${groupUids}::uuid[])`)
    .where('profiles.activeSettings', 'is not', null)
    .select(['profileGroups.groupUid', 'profiles.activeSettings'])
    .orderBy('profiles.uid')
    .execute()
}

function readOpenAlerts(reads: Reads) {
  return reads
    .selectFrom('alerts')
    .where('endedAt', 'is', null)
    .select(['uid', 'kind', 'beganAt', 'isDrill', 'deviceUid', 'groupUid'])
    .orderBy('beganAt', 'desc')
    .orderBy('uid')
    .execute()
}

/** The publications in force or waiting, by group, with the items of their playlists. */
async function readPublications(
  reads: Reads,
  groupUids: readonly string[],
): Promise<Map<string, SourcePublication[]>> {
  const rows = await reads
    .selectFrom('publications')
    .innerJoin('playlists', 'playlists.uid', 'publications.playlistUid')
    .where('publications.groupUid', '=', sql<string>`any(${groupUids}::uuid[])`)
    .where('publications.state', '<>', 'disabled')
    .where('publications.deletedAt', 'is', null)
    .select(['publications.uid', 'publications.name', 'publications.revision', 'publications.activatedAt'])
    .select([
      'publications.startsAt',
      'publications.startsAtWall',
      'publications.groupUid',
      'publications.state',
    ])
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
  const found = new Map<string, SourcePublication[]>()
  for (const row of rows) {
    const isDelayed = row.state === 'delayed'
    const publication = {
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
    found.set(row.groupUid, [...(found.get(row.groupUid) ?? []), publication])
  }
  return found
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
  const rows = await reads
    .selectFrom('playlistItems as i')
    .innerJoin('mediaItems as m', 'm.uid', 'i.mediaUid')
    .innerJoin('mediaFiles as f', join =>
      join
        .onRef('f.mediaUid', '=', 'm.uid')
        .on(eb => eb('f.fileVersion', '=', eb.fn.coalesce('i.pinnedFileVersion', 'm.fileVersion'))),
    )
    .where('i.playlistUid', '=', sql<string>`any(${playlistUids}::uuid[])`)
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
    .execute()
  return Map.groupBy(rows, row => row.playlistUid)
}
