import { sql } from 'kysely'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

export interface NewRow {
  kind: string
  at: string
  deviceCount: number | null
  deviceUids: readonly string[] | null
  /** The rest of the event. */
  data: object
}

export interface EventRow extends NewRow {
  position: number
}

/** In SQL: what an event is about, by its kind and facts. Webhooks get the events of one topic in their order. */
const TOPIC = sql`split_part(a.kind, '.', 1) || coalesce(
  ' ' || coalesce(a.data ->> 'alertUid', a.data #>> '{publication,uid}', a.data #>> '{media,uid}', a.data #>> '{user,uid}'), '')`

/** Takes positions and adds the events there, also for webhooks. The positions are the client's alone until the commit. */
export async function insertEvents(writes: Writes, clientId: string, rows: readonly NewRow[]): Promise<void> {
  const given = JSON.stringify(rows)
  await sql`
    with taken as (
      insert into event_positions as p (client_id, last) values (${clientId}, ${rows.length})
      on conflict (client_id) do update set last = p.last + excluded.last
      returning last - ${rows.length}::bigint as before),
    added as (
      insert into client_events (client_id, position, kind, at, device_count, device_uids, data)
      select ${clientId}, taken.before + n, e ->> 'kind', (e ->> 'at')::timestamptz, (e ->> 'deviceCount')::integer,
        case when e -> 'deviceUids' <> 'null' then array(select jsonb_array_elements_text(e -> 'deviceUids'))::uuid[] end, e -> 'data'
      from taken, jsonb_array_elements(${given}::jsonb) with ordinality as given(e, n)
      returning position, kind, at, data)
    insert into webhook_deliveries (client_id, webhook_uid, position, topic, added_at, due_at)
    select ${clientId}, w.uid, a.position, ${TOPIC}, a.at, a.at
    from added a join webhooks w on w.state = 'active' and (w.kinds is null or a.kind = any(w.kinds))`.execute(
    writes,
  )
}

/** Of the newest event, and of the newest that was deleted. Zero: there was none. */
export async function findPositions(reads: Reads): Promise<{ last: number; purged: number }> {
  const row = await reads.selectFrom('eventPositions').select(['last', 'purged']).executeTakeFirst()
  return row ?? { last: 0, purged: 0 }
}

/** @param asked `devices`: the most devices that an event names */
export async function listEventRows(
  reads: Reads,
  asked: {
    after: number
    kind: readonly string[] | undefined
    hidden: readonly string[]
    limit: number
    devices: number
  },
): Promise<EventRow[]> {
  return reads
    .selectFrom('clientEvents')
    .select(['position', 'kind', 'at', 'deviceCount', 'data'])
    .select(sql<string[] | null>`device_uids[1:${sql.lit(asked.devices)}]`.as('deviceUids'))
    .where('position', '>', asked.after)
    .where('kind', '<>', sql<string>`all(${asked.hidden}::text[])`)
    .$if(asked.kind !== undefined, query => query.where('kind', 'in', [...(asked.kind ?? [])]))
    .orderBy('position')
    .limit(asked.limit)
    .execute()
}
