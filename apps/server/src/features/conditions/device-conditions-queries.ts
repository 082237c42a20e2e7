import type { SilentReason } from '@floorcast/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Writes } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { activityAt, GOOD_REASONS, isOnlineAt, silentReasonAt } from '../devices/devices-sql.ts'

/*
 * Devices that are late or down (`contact`), or silent without a good reason (`sound`), have rows in `conditions`. One statement finds the
 * clients with devices that differ from their rows; each of these clients is settled in a transaction of its own.
 */

/** Devices that are silent for less have no event: a track that is missing, a restart. */
const MIN_SILENCE = sql`interval '5 minutes'`

export interface Look {
  now: Date
  /** False while the server has not looked for long enough: devices that are late then may be coming back. */
  isSteady: boolean
}

/** In SQL: the devices that ever reported and are not in the bin; whether one plays is not known while it is out of contact. */
const currentDevices = (now: Date) => sql`
  select client_id, device_uid, contact, contact is null as is_heard,
    case when silent_reason <> all(${GOOD_REASONS}::text[]) then silent_reason end as sound
  from (
    select s.client_id, s.device_uid, ${silentReasonAt(now, sql`a.activity`)} as silent_reason,
      case when ${isOnlineAt(now)} is not true then 'down' when a.activity = 'late' then 'late' end as contact
    from device_states s cross join lateral (select ${activityAt(now)} as activity) a
    where s.last_contact_at is not null
      and s.device_uid not in (select uid from devices where deleted_at is not null)
  ) seen`

/** In SQL: devices whose contact differs from their row; `uid` of one that is gone has no `is_living`. */
const contactChanges = ({ isSteady }: Look) => sql`
  select coalesce(n.client_id, c.client_id) as client_id, coalesce(n.device_uid, c.item_uid) as uid, n.contact as state, c.state as former,
    n.device_uid is not null as is_living
  from current n
  full join (select * from conditions where about = 'contact') c on c.client_id = n.client_id and c.item_uid = n.device_uid
  where n.contact is distinct from c.state and (n.contact is null or ${isSteady})`

/** In SQL: devices whose silence begins, ends or has lasted. */
const soundChanges = ({ now }: Look) => sql`
  select coalesce(n.client_id, c.client_id) as client_id, coalesce(n.device_uid, c.item_uid) as uid, n.sound as state,
    n.device_uid is not null as is_living, c.told_at is not null as was_told,
    c.item_uid is not null and n.sound is not null as has_lasted
  from current n
  full join (select * from conditions where about = 'sound') c on c.client_id = n.client_id and c.item_uid = n.device_uid
  where n.device_uid is null
    or n.is_heard and ((n.sound is null) <> (c.item_uid is null)
      or n.sound is not null and c.told_at is null and c.since <= ${now}::timestamptz - ${MIN_SILENCE})`

/** The clients with devices that differ from their conditions. Reads all devices once. */
export async function findClientsWithNews(reports: IngestWrites, look: Look): Promise<string[]> {
  const { rows } = await sql<{ clientId: string }>`
    with current as materialized (${currentDevices(look.now)})
    select client_id from (${contactChanges(look)}) contact
    union select client_id from (${soundChanges(look)}) sound`.execute(reports)
  return rows.map(({ clientId }) => clientId)
}

export interface ContactChange {
  uid: string
  /** Null: it reports again. */
  state: 'late' | 'down' | null
  former: 'late' | 'down' | null
}

const settle = (
  about: string,
  { changes, now, told }: { changes: RawBuilder<unknown>; now: Date; told: RawBuilder<unknown> },
) => sql`
  changed as materialized (${changes}),
  gone as (
    delete from conditions c using changed x where c.about = ${about} and c.item_uid = x.uid and x.state is null),
  kept as (
    insert into conditions (client_id, about, item_uid, state, since, told_at)
    select client_id, ${about}, uid, state, ${now}::timestamptz, ${told} from changed where state is not null
    on conflict (client_id, about, item_uid) do update set state = excluded.state, told_at = excluded.told_at,
      since = case when excluded.about = 'sound' then conditions.since else excluded.since end)`

/** Brings the rows of the client's devices up to date. @returns what has changed; devices that are gone have no news */
export async function settleContact(writes: Writes, look: Look): Promise<ContactChange[]> {
  const changes = contactChanges(look)
  const { rows } = await sql<ContactChange>`
    with current as materialized (${currentDevices(look.now)}),
    ${settle('contact', { changes, now: look.now, told: sql`${look.now}::timestamptz` })}
    select uid, state, former from changed where is_living order by uid`.execute(writes)
  return rows
}

export interface SoundChange {
  uid: string
  /** Null: it plays again, or is silent for a good reason. */
  state: SilentReason | null
}

/** As `settleContact`. @returns the devices whose silence is told, and those whose told silence is over */
export async function settleSound(writes: Writes, look: Look): Promise<SoundChange[]> {
  const told = sql`case when has_lasted then ${look.now}::timestamptz end`
  const { rows } = await sql<SoundChange>`
    with current as materialized (${currentDevices(look.now)}),
    ${settle('sound', { changes: soundChanges(look), now: look.now, told })}
    select uid, state from changed
    where is_living and case when state is null then was_told else has_lasted end order by uid`.execute(
    writes,
  )
  return rows
}
