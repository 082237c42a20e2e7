import { asSuperuser } from './test-database.ts'

/** Queries that must find no uids in any database, also after concurrent calls. */
const CONTRADICTIONS: Readonly<Record<string, string>> = {
  'a device is in a group that is in the bin': `
    select d.uid from devices d join groups g on g.uid = d.group_uid where d.deleted_at is null and g.deleted_at is not null`,
  'a device in the bin is in a group': `select uid from devices where deleted_at is not null and group_uid is not null`,
  'a publication names a group in the bin': `
    select p.uid from publications p join groups g on g.uid = p.group_uid where p.deleted_at is null and g.deleted_at is not null`,
  'a publication names a playlist in the bin': `
    select p.uid from publications p join playlists l on l.uid = p.playlist_uid
    where p.deleted_at is null and l.deleted_at is not null`,
  'a publication is on or waits, its group or playlist is being edited': `
    select p.uid from publications p join groups g on g.uid = p.group_uid join playlists l on l.uid = p.playlist_uid
    where p.state <> 'disabled' and (g.state = 'paused' or l.state = 'paused')`,
  'a publication is on or waits with nothing to play': `
    select p.uid from publications p where p.state <> 'disabled'
    and (select form from playlists l where l.uid = p.playlist_uid) = 'simple'
    and not exists (select from playlist_items i where i.playlist_uid = p.playlist_uid)`,
  'a playlist plays an item in the bin': `
    select l.uid from playlists l join playlist_items i on i.playlist_uid = l.uid join media_items m on m.uid = i.media_uid
    where l.deleted_at is null and m.deleted_at is not null`,
  'a profile names a sound in the bin': `
    select n.profile_uid as uid from profile_media n join media_items m on m.uid = n.media_uid where m.deleted_at is not null`,
  'a profile names sounds that are not those of its settings': `
    select f.uid from profiles f where array(select n.media_uid::text from profile_media n where n.profile_uid = f.uid order by 1)
      is distinct from array(select distinct s.value from (values (f.settings), (f.active_settings)) g(settings)
        cross join lateral jsonb_each_text(g.settings) s where s.key like '%Media' order by 1)`,
  'positions have holes or doubles': `
    select playlist_uid as uid from playlist_items group by playlist_uid
    having min(position) <> 1 or max(position) <> count(*) or count(distinct position) <> count(*)`,
  'a client has more devices than its plan': `
    select c.uid from clients c join plans p on p.key = c.plan_key
    where (select count(*) from devices d where d.client_id = c.uid and d.deleted_at is null) > p.device_limit`,
  'a search would not find a publication by the names that it has': `
    select p.uid from publications p join playlists l on l.uid = p.playlist_uid
    where p.on_air_words is distinct from
      case when p.state <> 'disabled' then lower(p.name || E'\\x1f' || l.name) end`,
  'two files of a content type have one name': `
    select min(uid::text) as uid from media_items where deleted_at is null
    group by client_id, content_type, original_name having count(*) > 1`,
}

/** One line for each contradiction in the database. */
export const findContradictions = (superuserUrl: string): Promise<string[]> =>
  asSuperuser(superuserUrl, async superuser => {
    const found: string[] = []
    for (const [says, query] of Object.entries(CONTRADICTIONS)) {
      const { rows } = await superuser.query<{ uid: string }>(query)
      found.push(...rows.map(({ uid }) => `${says}: ${uid}`))
    }
    return found
  })
