import type { Redelivered } from '@floorcast/contract/redelivery.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { RESTORED_DAYS } from '../../platform/database/restorations.ts'
import { zoneOfEach } from '../tags/tags-sql.ts'

/** The devices of all clients that have not answered yet, and the epoch that they are to answer. */
export interface AwaitedDevices {
  /** Null: the database was never restored. */
  epoch: string | null
  deviceUids: Set<string>
}

export async function readAwaitedDevices(writes: IngestWrites): Promise<AwaitedDevices> {
  const [newest, rows] = await Promise.all([
    sql<{ epoch: string }>`${newestEpoch}`.execute(writes),
    writes
      .selectFrom('redeliveries')
      .select('deviceUid')
      .distinct()
      .where('answeredAt', 'is', null)
      .execute(),
  ])
  return {
    epoch: newest.rows[0]?.epoch ?? null,
    deviceUids: new Set(rows.map(({ deviceUid }) => deviceUid)),
  }
}

const newestEpoch = sql`select epoch from restorations order by restored_at desc limit 1`

/** The server has again what the device holds: what is left of its periods is lost. An answer of a former epoch counts nothing. */
export async function storeAnswer(
  writes: IngestWrites,
  deviceUid: string,
  { epoch, heldSince }: Redelivered,
): Promise<void> {
  await sql`
    with newest as materialized (${newestEpoch}),
    answered as (
      select r.client_id, r.device_uid, r.epoch, r.is_new or ${heldSince}::timestamptz <= r.played_since as is_whole
      from redeliveries r where r.device_uid = ${deviceUid} and exists (select from newest where newest.epoch = ${epoch})
      for update),
    whole as (
      delete from redeliveries r using answered a
      where a.is_whole and (r.client_id, r.device_uid, r.epoch) = (a.client_id, a.device_uid, a.epoch))
    update redeliveries r set played_until = least(r.played_until, ${heldSince}::timestamptz), answered_at = now()
    from answered a where not a.is_whole and (r.client_id, r.device_uid, r.epoch) = (a.client_id, a.device_uid, a.epoch)
  `.execute(writes)
}

/** Days of a report. */
export interface RestoredPeriod {
  /** Days of the zone, both inclusive. */
  from: string
  to: string
  /** An IANA zone, or DEVICE_ZONES. */
  zone: string
}

/** The days of a device that may lack plays since a restore. */
export interface RestoredDays {
  deviceUid: string
  from: string
  to: string
  /** The device holds them no more. Else it has not answered yet. */
  isLost: boolean
}

/** The days of a period that may lack plays, by device: one row for each restore that it has not made good. */
export async function listRestoredDays(
  reads: Reads,
  { from, to, zone }: RestoredPeriod,
): Promise<RestoredDays[]> {
  const zones = zone === DEVICE_ZONES ? zoneOfEach : { joins: sql``, zone: sql`${zone}::text` }
  const { rows } = await sql<RestoredDays>`
    select device_uid, is_lost, greatest(first_day, ${from}::date)::text as from, least(last_day, ${to}::date)::text as to
    from (
      select r.device_uid, r.answered_at is not null or e.restored_at < now() - interval '${sql.raw(String(RESTORED_DAYS))} days' as is_lost,
        (r.played_since at time zone ${zones.zone})::date as first_day,
        (r.played_until at time zone ${zones.zone})::date as last_day
      from redeliveries r join restorations e on e.epoch = r.epoch join clients c on c.uid = r.client_id
        left join devices d on d.uid = r.device_uid ${zones.joins}
    ) days
    where first_day <= ${to}::date and last_day >= ${from}::date
    order by device_uid, first_day, last_day`.execute(reads)
  return rows
}
