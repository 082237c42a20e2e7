import type { Pool } from 'pg'

/*
 * What `npm run fill` does not write, for reports and charts: devices and the publication that are as old as their plays, tags,
 * connectivity, alerts with receipts, and samples. One statement each; $1 is the client, $2 and $3 are the first and the last day.
 */

const AGE = [
  `update devices set created_at = $2::date - 1 where client_id = $1 and $3::date is not null`,
  `update publications set activated_at = $2::date - 1, created_at = $2::date - 1 where client_id = $1 and $3::date is not null`,
]

const TAGS = `
  insert into tags (uid, client_id, device_uid, key, value, created_at, changed_at)
  select gen_random_uuid(), client_id, uid, key, key || ' ' || left(uid::text, 2), $2::date, $3::date
  from devices cross join unnest(array['district', 'floor', 'manager']) key where client_id = $1`

/** Each device goes offline and comes back four times a day, some minutes apart from its neighbors. */
const TRANSITIONS = `
  insert into device_transitions (device_uid, at, client_id, state)
  select d.uid, day + interval '7 hours' + (n * 90 + d.nr % 60) * interval '1 minute', $1,
    case when n % 2 = 0 then 'online' else 'linkdown' end
  from (select uid, row_number() over (order by uid) as nr from devices where client_id = $1) d,
    generate_series($2::date::timestamptz, $3::date, interval '1 day') day, generate_series(0, 8) n
  order by day, n, 2 on conflict do nothing`

/** One a day, three of four are drills. */
const ALERTS = `
  insert into alerts (uid, client_id, kind, is_drill, began_at, ended_at)
  select gen_random_uuid(), $1, (array['air', 'chemical', 'nuclear'])[1 + nr % 3], nr % 4 > 0,
    day + interval '12 hours', day + interval '12 hours 5 minutes'
  from generate_series($2::date::timestamptz, $3::date, interval '1 day') with ordinality as a(day, nr)`
const RECEIPTS = `
  insert into alert_receipts (alert_uid, device_uid, client_id, received_at, started_at, ended_at)
  select a.uid, d.uid, $1, a.began_at + interval '0.1 second', a.began_at + interval '0.2 second' * (1 + d.nr % 5), a.ended_at
  from alerts a, (select uid, row_number() over (order by uid) as nr from devices where client_id = $1) d
  where a.client_id = $1 and a.began_at between $2::date and $3::date + 1 order by 1, 2`

const samplesOf = (insert: string) => `
  ${insert} from generate_series($2::date::timestamptz, $3::date + interval '1 day', interval '1 minute') at
  where (at >= $3::date or extract(minute from at)::int % 10 = 0) and $1::uuid is not null on conflict do nothing`
const SAMPLES = [
  samplesOf(`insert into connectivity_samples (client_id, at, online, linkdown, linklost, neverup)
    select $1, at, 900 + extract(minute from at)::int, 100 - extract(minute from at)::int, 0, 0`),
  samplesOf(`insert into server_samples (server, at, load_one, load_five, load_fifteen, free_bytes, total_bytes)
    select 'shop-server', at, 0.5, 0.6, 0.7, 200000000000, 256000000000`),
]

/** As many a group as a server writes, which folders of former versions lack. */
const GROUP_SAMPLES = `
  insert into group_connectivity_samples (client_id, group_uid, at, online, linkdown, linklost, neverup)
  select $1, g.uid, at, 900 + extract(minute from at)::int, 100 - extract(minute from at)::int, 0, 0
  from generate_series($2::date::timestamptz, $3::date + interval '1 day', interval '10 minutes') at, groups g
  where g.client_id = $1 order by at on conflict do nothing`

/** Writes what a folder does not have yet. One that has connectivity has the rest but for the samples of groups. */
export async function addHistory(
  superuser: Pool,
  { clientId, from, to }: { clientId: string; from: string; to: string },
): Promise<void> {
  const lacks = async (table: string) => {
    const first = `select from ${table} where client_id = $1 and at < $2::date + 1 limit 1`
    return (await superuser.query(first, [clientId, from])).rows.length === 0
  }
  const statements = [
    ...((await lacks('device_transitions')) ? [...AGE, TAGS, ALERTS, RECEIPTS, ...SAMPLES, TRANSITIONS] : []),
    ...((await lacks('group_connectivity_samples')) ? [GROUP_SAMPLES] : []),
  ]
  for (const statement of statements) await superuser.query(statement, [clientId, from, to])
  if (statements.length > 0) await superuser.query('vacuum analyze')
}
