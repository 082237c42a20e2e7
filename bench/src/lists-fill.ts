import type { Pool } from 'pg'

/** The number of items of the large client; each small one has a five-hundredth of them, at least a few. */
export interface Size {
  devices: number
  groups: number
  media: number
  playlists: number
}

export const LARGE: Size = { devices: 100_000, groups: 2000, media: 200_000, playlists: 20_000 }
export const TENTH: Size = { devices: 10_000, groups: 200, media: 20_000, playlists: 2000 }
export const SMALL: Size = { devices: 200, groups: 10, media: 400, playlists: 40 }

const CITIES = `array['Berlin','Hamburg','München','Köln','Frankfurt','Stuttgart','Düsseldorf','Leipzig','Dortmund','Essen',
  'Bremen','Dresden','Hannover','Nürnberg','Москва','Київ','القاهرة','北京市','Lisboa','Lyon']`
const PLACES = `array['Till radio','Entrance','Food hall','Bakery','Garden centre','Car park','Café','Fitting rooms']`
const MOODS = `array['Découverte','Morning','Golden','Quiet','Summer','Electric','Velvet','Northern','Little','Blue','Paper']`
const THINGS = `array['Light','River','Avenue','Garden','Signal','Harbour','Window','Train','Letter','Orchard']`
const pick = (list: string, by: string) => `(${list})[1 + (${by})::int % cardinality(${list})]`
/** Scattered values that are the same in each run. */
const spread = (prime: number) => `((n::bigint * ${prime}) % 1000003)`

/** A client's items of a table, numbered from 0, to join by number: `NAME` with `uid` and `nr`, `NAME_count` with `n`. */
const numbered = (name: string, from: string) => `
  ${name} as materialized (select uid, row_number() over (order by name) - 1 as nr from ${from}),
  ${name}_count as materialized (select count(*) as n from ${name})`

const STATEMENTS: readonly ((size: Size) => string)[] = [
  ({ groups }) => `
    insert into groups (uid, client_id, kind, name, description, state, created_at, changed_at)
    select gen_random_uuid(), $1, 'audio', ${pick(CITIES, spread(7919))} || ' shops ' || n, 'Group of region ' || n % 40,
      'active', now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, ${groups}) n`,
  ({ devices, groups }) => `
    with ${numbered('g', 'groups where client_id = $1')}
    insert into devices (uid, client_id, kind, name, description, license_key, group_uid, created_at, changed_at)
    select gen_random_uuid(), $1, 'audio',
      ${pick(CITIES, spread(104_729))} || ' ' || lpad(n::text, 6, '0') || ' ' || ${pick(PLACES, spread(1_299_709))},
      case when n % 3 = 0 then 'Serviced by technician ' || n % 97 else '' end, gen_random_uuid()::text, g.uid,
      now() - n * interval '1 second', now() - n * interval '1 second'
    from generate_series(1, ${devices}) n left join g on g.nr = n % ${groups} and n % 20 > 0`,
  () => `
    insert into device_states (device_uid, client_id, last_contact_at, program_version, now_playing)
    select uid, client_id, now() - random() * interval '2 hours', '2.' || abs(hashtext(uid::text)) % 5 || '.0', null
    from devices where client_id = $1`,
  ({ media }) => `
    insert into media_items (uid, client_id, content_type, name, description, original_name, created_at, changed_at)
    select gen_random_uuid(), $1, case when n % 10 < 7 then 'melodies' when n % 10 < 9 then 'ads' else 'videos' end,
      ${pick(MOODS, spread(15_485_863))} || ' ' || ${pick(THINGS, spread(32_452_843))} || ' ' || n,
      case when n % 4 = 0 then 'Licensed from label ' || n % 311 else '' end,
      lpad(n::text, 6, '0') || ' - ' || ${pick(THINGS, spread(7919))} || '.mp3',
      now() - n * interval '1 second', now() - n * interval '1 second'
    from generate_series(1, ${media}) n`,
  () => `
    insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds,
      loudness_state, integrated_lufs, true_peak_dbtp, uploaded_at)
    select uid, 1, client_id, repeat(substr(uid::text, 1, 8), 8), 'audio/mpeg',
      1000000 + hashtext(name)::bigint % 999999, 180 + hashtext(name)::bigint % 60, 'measured', -14.5, -1.5, created_at
    from media_items where client_id = $1`,
  ({ playlists }) => `
    insert into playlists (uid, client_id, kind, name, description, state, created_at, changed_at)
    select gen_random_uuid(), $1, 'audio', ${pick(MOODS, spread(104_729))} || ' mix ' || lpad(n::text, 5, '0'), 'For ' || ${pick(CITIES, spread(7919))},
      'active', now() - n * interval '1 minute', now() - n * interval '1 minute'
    from generate_series(1, ${playlists}) n`,
  () => `
    with ${numbered('p', 'playlists where client_id = $1')},
      ${numbered('m', "media_items where client_id = $1 and content_type = 'melodies'")}
    insert into playlist_items (uid, client_id, playlist_uid, media_uid, position, repeat_count)
    select gen_random_uuid(), $1, p.uid, m.uid, i, 1
    from p cross join m_count cross join generate_series(1, 20) i
      join m on m.nr = (p.nr * 7919 + i * 104729) % m_count.n`,
  () => `
    with ${numbered('g', 'groups where client_id = $1')}, ${numbered('p', 'playlists where client_id = $1')}
    insert into publications (uid, client_id, kind, name, group_uid, playlist_uid, state, activated_at, created_at,
      changed_at)
    select gen_random_uuid(), $1, 'audio', 'On the air ' || g.nr, g.uid, p.uid, 'active', now(), now(), now()
    from g cross join p_count join p on p.nr = g.nr % p_count.n where g.nr % 2 = 0`,
  () => `
    insert into publication_holdings (publication_uid, device_uid, client_id, revision, missing, reported_at)
    select p.uid, d.uid, d.client_id, p.revision, case when abs(hashtext(d.uid::text)) % 50 = 0 then 3 else 0 end, now()
    from publications p join devices d on d.group_uid = p.group_uid where p.client_id = $1`,
]

interface Index {
  name: string
  definition: string
}

/** Drops the indexes that only make reading faster. @returns the statements that create them again */
async function dropIndexes(superuser: Pool): Promise<Index[]> {
  const { rows } = await superuser.query<Index>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
     from pg_index i where not i.indisunique
       and i.indrelid = any('{devices,device_states,media_items,media_files,playlists,playlist_items}'::regclass[])`,
  )
  for (const { name } of rows) await superuser.query(`drop index ${name}`)
  return rows
}

/** Adds the items of clients past row-level security, and runs vacuum and analyze. */
export async function fillClients(
  superuser: Pool,
  clients: readonly { clientId: string; size: Size }[],
): Promise<void> {
  const indexes = await dropIndexes(superuser)
  for (const { clientId, size } of clients)
    for (const statement of STATEMENTS) await superuser.query(statement(size), [clientId])
  for (const { definition } of indexes) await superuser.query(definition)
  await superuser.query('vacuum analyze')
}
