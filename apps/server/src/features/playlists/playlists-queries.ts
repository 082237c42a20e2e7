import { type RawBuilder, sql } from 'kysely'
import type { EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { Kind, KindFilter } from '@floorcast/contract/fields.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import type { PlaylistForm, PlaylistItem, PlaylistRow } from '@floorcast/contract/playlists.ts'
import { countBulk, selectedUids } from '../../platform/database/bulk-plan.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import {
  readMatching,
  readPage,
  readRows,
  type ListColumns,
  type ListPage,
  type ListRequest,
  type Matching,
} from '../../platform/database/list.ts'
import { findNames, findUnused } from '../../platform/database/names.ts'
import type { BulkSelection } from '../../platform/lib/bulk.ts'
import { isOnSomewhere } from '../publication-state/publication-state-sql.ts'

const JOIN_FILES = sql`
  join media_items m on m.uid = i.media_uid
  join media_files f on f.media_uid = m.uid and f.file_version = coalesce(i.pinned_file_version, m.file_version)`

/** Plays in a row of an item `i` of the file `f`: its repeats, or the whole plays that fit, at least one. */
const PLAYS = sql`coalesce(i.repeat_count, greatest(1, floor(i.replay_seconds / f.duration_seconds)))`

/** Seconds by which a play covers the start of the next one, as devices compute it (packages/playback/src/media.ts). */
const overlap = (next: { seconds: RawBuilder<unknown>; isAd: RawBuilder<unknown> }) => sql`
  case when x.is_ad or ${next.isAd} then 0
  else least(round(l.crossfade_seconds * 1000), floor(round(least(x.seconds, ${next.seconds}) * 1000) / 2)) / 1000 end`

const ITSELF = { seconds: sql`x.seconds`, isAd: sql`x.is_ad` }
const NEXT = { seconds: sql`x.next_seconds`, isAd: sql`x.next_is_ad` }

/**
 * The length of a playlist `l` in seconds. Of a simple one: a round as devices play it, with the repeats, less the
 * crossfades; items with a time of day are no part of the round. Of a smart one: the content of its day.
 */
const PLAYLIST_LENGTH = sql<number>`coalesce(l.planned_seconds, (
  select sum(x.plays * x.seconds - (x.plays - 1) * ${overlap(ITSELF)} - ${overlap(NEXT)})
  from (
    select y.*, coalesce(lead(y.seconds) over w, first_value(y.seconds) over w) as next_seconds,
      coalesce(lead(y.is_ad) over w, first_value(y.is_ad) over w) as next_is_ad
    from (
      select i.position, ${PLAYS} as plays, f.duration_seconds as seconds,
        m.content_type in ('ads', 'videosAds') as is_ad
      from playlist_items i ${JOIN_FILES} where i.playlist_uid = l.uid and i.start_time is null) y
    window w as (order by y.position)) x), 0)`

/** A filter of playlists. */
export interface PlaylistSet {
  kind: KindFilter
  state?: EditState | undefined
  form?: PlaylistForm | undefined
}
export type PlaylistList = PlaylistSet & ListRequest
/** The playlists of a bulk call. */
export type PlaylistSelection = BulkSelection<PlaylistSet & { search: string }>

const ITEM_COUNT = sql<number>`coalesce(l.planned_plays, (select count(*) from playlist_items i where i.playlist_uid = l.uid))`

/** A plan keeps a former file only if the newest has another length. Then the plan no longer fits. */
const PLAN_STATE = sql<'fits' | 'plan-again' | null>`case when l.form = 'smart' then case when exists (
    select from playlist_items i join media_items m on m.uid = i.media_uid
    where i.playlist_uid = l.uid and (i.pinned_file_version < m.file_version or m.deleted_at is not null))
  then 'plan-again' else 'fits' end end`

const playlistColumns = {
  uid: { select: sql<string>`l.uid` },
  name: { select: sql<string>`l.name`, sort: sql`l.sort_name`, sortIndex: 'never-null' },
  description: { select: sql<string>`l.description` },
  kind: { select: sql<Kind>`l.kind`, sort: true },
  form: { select: sql<PlaylistForm>`l.form`, sort: true },
  state: { select: sql<EditState>`l.state`, sort: true },
  isUsed: {
    select: sql<boolean>`
      exists (select from publications u where u.playlist_uid = l.uid and u.deleted_at is null)`,
  },
  itemCount: { select: ITEM_COUNT, sort: true },
  durationSeconds: { select: PLAYLIST_LENGTH, sort: true },
  planState: { select: PLAN_STATE },
  startDate: { select: sql<string | null>`l.start_date`, sort: true },
  endDate: { select: sql<string | null>`l.end_date`, sort: true },
  changedAt: { select: sql<string>`l.changed_at`, sort: true, sortIndex: 'never-null' },
} satisfies ListColumns

const isInForce = (playlist: RawBuilder<unknown>, now: Date) => sql<boolean>`
  exists (select from publications p where p.playlist_uid = ${playlist} and ${isOnSomewhere(now)})`

const cardColumns = (now: Date) =>
  ({
    ...playlistColumns,
    crossfadeSeconds: { select: sql<number>`l.crossfade_seconds` },
    isInForce: { select: isInForce(sql`l.uid`, now) },
    createdAt: { select: sql<string>`l.created_at` },
    version: { select: sql<number>`l.version` },
  }) satisfies ListColumns

function conditions(list: PlaylistSet): RawBuilder<unknown> {
  const parts = [sql`l.deleted_at is null`]
  if (list.kind !== 'all') parts.push(sql`l.kind = ${list.kind}`)
  if (list.state) parts.push(sql`l.state = ${list.state}`)
  if (list.form) parts.push(sql`l.form = ${list.form}`)
  return sql.join(parts, sql` and `)
}

const playlistSource = (list: PlaylistSet) => ({
  columns: playlistColumns,
  from: sql`from playlists l`,
  where: conditions(list),
  newest: sql`l.changed_at`,
  large: {
    list: 'playlists' as const,
    kind: list.kind === 'all' ? null : list.kind,
    isFiltered: list.state !== undefined || list.form !== undefined,
    ownTable: sql`from playlists l`,
    hasTerm: (term: string) => sql`strpos(l.search_text, fold(${term})) > 0`,
  },
})

export const listPlaylistRows = (reads: Reads, list: PlaylistList): Promise<ListPage<PlaylistRow>> =>
  readPage(reads, list, playlistSource(list))

/** The playlists that a bulk call's filter finds. */
export const findPlaylistsMatching = (reads: Reads, list: PlaylistSet & Matching) =>
  readMatching(reads, list, playlistSource(list))

const isNamed = sql`exists (
  select from publications p where p.playlist_uid = l.uid and p.deleted_at is null)`

/** Why an action leaves a playlist out; null if it does not. */
const whyLeftOut = (action: EditAction, now: Date): RawBuilder<unknown> =>
  ({
    activate: sql`case when l.state = 'active' then 'already-so' when ${ITEM_COUNT} = 0 then 'playlist-empty' end`,
    pause: sql`case when l.state = 'paused' then 'already-so'
      when ${isInForce(sql`l.uid`, now)} then 'in-force-cannot-be-paused' end`,
    delete: sql`case when ${isNamed} then 'in-use' end`,
  })[action]

export const countPlaylistAction = (
  reads: Reads,
  { items, action, now }: { items: PlaylistSelection; action: EditAction; now: Date },
) =>
  countBulk(reads, {
    selected: selectedUids(items, playlistSource),
    from: sql`from playlists l where l.deleted_at is null`,
    uid: sql`l.uid`,
    why: whyLeftOut(action, now),
  })

export async function findPlaylist(reads: Reads, uid: string, now: Date) {
  const from = sql`from playlists l where l.uid = ${uid} and l.deleted_at is null`
  const [card] = await readRows(reads, cardColumns(now), from)
  return card
}

export interface PublishablePlaylist {
  uid: string
  name: string
  kind: Kind
  state: EditState
  endDate: string | null
  /** Items of a simple one, plays of a smart one's day. */
  itemCount: number
  /** The size of all its files, each counted once. */
  sizeBytes: number
}

/** A playlist outside the bin with what decides whether devices can play it. */
export async function findPublishable(reads: Reads, uid: string): Promise<PublishablePlaylist | undefined> {
  const { rows } = await sql<PublishablePlaylist>`
    select l.uid, l.name, l.kind, l.state, l.end_date, ${ITEM_COUNT} as item_count, (
      select coalesce(sum(file.size_bytes), 0)::bigint from (
        select distinct f.sha256, f.size_bytes from playlist_items i ${JOIN_FILES} where i.playlist_uid = l.uid) file
      ) as size_bytes
    from playlists l where l.uid = ${uid} and l.deleted_at is null`.execute(reads)
  return rows[0]
}

export async function findPlaylistItems(reads: Reads, playlistUid: string): Promise<PlaylistItem[]> {
  const { rows } = await sql<PlaylistItem>`
    select i.uid, i.position, i.media_uid, m.name, m.content_type, f.duration_seconds, i.repeat_count,
      i.replay_seconds, i.start_time
    from playlist_items i ${JOIN_FILES}
    where i.playlist_uid = ${playlistUid} order by i.position`.execute(reads)
  return rows
}

/** The groups of the publications that name a playlist. */
export async function findPlaylistGroups(reads: Reads, playlistUid: string) {
  return reads
    .selectFrom('groups as g')
    .select(['g.uid', 'g.name'])
    .where('g.uid', 'in', eb =>
      eb
        .selectFrom('publications')
        .select('groupUid')
        .where('playlistUid', '=', playlistUid)
        .where('deletedAt', 'is', null),
    )
    .orderBy('g.sortName')
    .orderBy('g.uid')
    .execute()
}

/** The playlist that this one will replace; null if there is none, or it is in the bin. */
export async function findEditOf(
  reads: Reads,
  uid: string,
  now: Date,
): Promise<{ uid: string; name: string; isInForce: boolean } | null> {
  const { rows } = await sql<{ uid: string; name: string; isInForce: boolean }>`
    select o.uid, o.name, ${isInForce(sql`o.uid`, now)} as is_in_force
    from playlists l join playlists o on o.uid = l.edit_of_uid
    where l.uid = ${uid} and o.deleted_at is null`.execute(reads)
  return rows[0] ?? null
}

/** More copies of one playlist are a mistake. */
const MAX_EDITS = 20

/** The copies that will replace this playlist, the newest first. */
export function findEdits(reads: Reads, uid: string): Promise<{ uid: string; name: string }[]> {
  return reads
    .selectFrom('playlists')
    .select(['uid', 'name'])
    .where('editOfUid', '=', uid)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('uid', 'desc')
    .limit(MAX_EDITS)
    .execute()
}

/** Names of those of the uids that are playlists outside the recycle bin. */
export const findPlaylistNames = (reads: Reads, uids: readonly string[]) =>
  findNames(reads, { table: 'playlists' }, uids)

/** Playlists that no publication outside the recycle bin names. */
export const findUnusedPlaylists = (reads: Reads) =>
  findUnused(
    reads,
    'playlists',
    sql`not exists (select from publications p where p.playlist_uid = t.uid and p.deleted_at is null)`,
  )
