import { type RawBuilder, sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { publicationStateAt } from '../publication-state/publication-state-sql.ts'

/* Publications, updates and alerts: in each of these conditions is a part that finds news of all clients, and one that settles a client's. */

const HOUR_MS = 3_600_000
const SOON_MS = 2 * HOUR_MS
/** Devices have this time to say that they do not play an alert, or to be reached. */
const ALERT_MS = 120_000

const shifted = (now: Date, ms: number) => new Date(now.getTime() + ms)

/**
 * In SQL: publications that are on or wait, by whether the devices of the group that ever reported hold the files. The state has the revision:
 * a publication that was ready stays it when a device joins, until it changes.
 */
const currentPublications = (now: Date) => {
  const begins = sql`${publicationStateAt(shifted(now, SOON_MS))} = 'active' and p.state = 'delayed'`
  const plays = sql`p.state = 'active' and p.activated_at <= ${shifted(now, -HOUR_MS)}::timestamptz`
  return sql`
    select p.client_id, p.uid, g.devices, least(c.reported, g.devices) - least(c.holding, g.devices) as missing,
      case
        when g.devices > 0 and c.holding >= g.devices then 'ready '
        when c.reported > c.holding and (${begins} or ${plays}) then 'missing '
        when f.state like '% ' || p.revision then split_part(f.state, ' ', 1) || ' '
        else 'waiting '
      end || p.revision as state
    from publications p
    cross join lateral (
      select coalesce(sum(n.reported), 0)::int as reported, coalesce(sum(n.holding), 0)::int as holding from publication_counts n
      where n.client_id = p.client_id and n.publication_uid = p.uid and n.revision = p.revision) c
    left join heard h on h.group_uid = p.group_uid
    cross join lateral (select coalesce(h.devices, 0) as devices) g
    left join conditions f on f.client_id = p.client_id and f.about = 'publication' and f.item_uid = p.uid
    where p.deleted_at is null and p.state <> 'disabled' and ${publicationStateAt(now)} <> 'disabled'`
}

/** In SQL: how many devices of each group have ever reported. */
const HEARD = sql`
  select d.group_uid, count(*)::int as devices from devices d join device_states s on s.device_uid = d.uid
  where d.deleted_at is null and d.group_uid is not null and s.last_contact_at is not null group by d.group_uid`

const currentUpdates = sql`
  select u.client_id, u.device_uid as uid, u.version as state from device_update_states u
  where u.step in ('failed', 'refused', 'returned')
    and u.device_uid not in (select uid from devices where deleted_at is not null)`

const currentAlerts = (now: Date) => sql`
  select client_id, uid, 'looked' as state from alerts
  where ended_at is null and began_at <= ${shifted(now, -ALERT_MS)}::timestamptz`

const newsOf = (about: string, current: RawBuilder<unknown>) => sql`
  select coalesce(n.client_id, c.client_id) as client_id
  from (${current}) n
  full join (select * from conditions where about = ${about}) c on c.client_id = n.client_id and c.item_uid = n.uid
  where n.state is distinct from c.state`

/** The clients with publications, updates or alerts that differ from their conditions. */
export async function findClientsWithItemNews(reports: IngestWrites, now: Date): Promise<string[]> {
  const { rows } = await sql<{ clientId: string }>`
    with heard as materialized (${HEARD})
    ${newsOf('publication', currentPublications(now))}
    union ${newsOf('update', currentUpdates)}
    union ${newsOf('alert', currentAlerts(now))}`.execute(reports)
  return rows.map(({ clientId }) => clientId)
}

export interface ItemChange {
  uid: string
  /** Null: nothing is amiss any more. */
  state: string | null
  former: string | null
}

/** Brings the conditions of one kind up to date. @param current in SQL: uid and state of all of them @returns what has changed */
async function settle(
  writes: Writes,
  { about, now }: { about: string; now: Date },
  current: RawBuilder<unknown>,
): Promise<ItemChange[]> {
  const { rows } = await sql<ItemChange>`
    with heard as materialized (${HEARD}),
    changed as materialized (
      select coalesce(n.uid, c.item_uid) as uid, n.state, c.state as former
      from (${current}) n full join (select * from conditions where about = ${about}) c on c.item_uid = n.uid
      where n.state is distinct from c.state),
    gone as (
      delete from conditions c using changed x where c.about = ${about} and c.item_uid = x.uid and x.state is null),
    kept as (
      insert into conditions (client_id, about, item_uid, state, since, told_at)
      select nullif(current_setting('app.client_id', true), '')::uuid, ${about}, uid, state, ${now}::timestamptz, ${now}::timestamptz
      from changed where state is not null
      on conflict (client_id, about, item_uid) do update
        set state = excluded.state, since = excluded.since, told_at = excluded.told_at)
    select uid, state, former from changed order by uid`.execute(writes)
  return rows
}

export const settlePublications = (writes: Writes, now: Date) =>
  settle(writes, { about: 'publication', now }, currentPublications(now))

export const settleUpdates = (writes: Writes, now: Date) =>
  settle(writes, { about: 'update', now }, currentUpdates)

export const settleAlerts = (writes: Writes, now: Date) =>
  settle(writes, { about: 'alert', now }, currentAlerts(now))

/** As the others, of conditions that the caller has found. */
export const settleGiven = (
  writes: Writes,
  about: { about: string; now: Date },
  current: readonly { uid: string; state: string }[],
) =>
  settle(
    writes,
    about,
    sql`select uid, state from unnest(${current.map(({ uid }) => uid)}::uuid[], ${current.map(({ state }) => state)}::text[]) g(uid, state)`,
  )

/** A publication with the devices that have its files, or lack some of them; also in the bin, without its devices. */
export interface PublicationFacts {
  uid: string
  name: string
  devices: number
  missing: number
}

export async function findPublicationFacts(
  reads: Reads,
  uids: readonly string[],
  now: Date,
): Promise<PublicationFacts[]> {
  const { rows } = await sql<PublicationFacts>`
    with heard as materialized (${HEARD}), current as (${currentPublications(now)})
    select p.uid, p.name, coalesce(c.devices, 0) as devices, coalesce(c.missing, 0) as missing
    from publications p left join current c on c.uid = p.uid where p.uid = any(${uids}::uuid[])`.execute(
    reads,
  )
  return rows
}
