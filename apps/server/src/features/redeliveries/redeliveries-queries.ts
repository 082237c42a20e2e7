import type { Redelivered, RestoredPlays, RestoredRange } from '@floorcast/contract/redelivery.ts'
import { DEVICE_ZONES } from '@floorcast/contract/reports.ts'
import { type RawBuilder, sql } from 'kysely'
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
  { epoch, heldSince, isPartial = false }: Redelivered,
): Promise<void> {
  await sql`
    with newest as materialized (${newestEpoch}),
    answered as (
      select r.client_id, r.device_uid, r.epoch,
        (r.is_new and not ${isPartial}::boolean) or ${heldSince}::timestamptz <= r.played_since as is_whole
      from redeliveries r where r.device_uid = ${deviceUid} and exists (select from newest where newest.epoch = ${epoch})
      for update),
    whole as (
      delete from redeliveries r using answered a
      where a.is_whole and (r.client_id, r.device_uid, r.epoch) = (a.client_id, a.device_uid, a.epoch))
    update redeliveries r set played_until = least(r.played_until, ${heldSince}::timestamptz), answered_at = now()
    from answered a where not a.is_whole and (r.client_id, r.device_uid, r.epoch) = (a.client_id, a.device_uid, a.epoch)
  `.execute(writes)
}

/** Whether nothing can come any more: the device has answered, was deleted for good, or keeps no event that is as old. */
const isLostAt = (now: Date) =>
  sql`r.answered_at is not null or d.uid is null or e.restored_at < ${now}::timestamptz - interval '${sql.raw(String(RESTORED_DAYS))} days'`

const periods = sql`redeliveries r join restorations e on e.epoch = r.epoch left join devices d on d.uid = r.device_uid`

interface RestoredTime {
  from: Date
  until: Date
  /** The zone of the days in the answer. */
  zone?: string
  /** The only device, or the devices that are in a group now; otherwise all. */
  device?: string | undefined
  group?: string | undefined
}

/** What the plays of a time may lack since a restore; null: nothing. */
export async function findRestoredPlays(
  reads: Reads,
  { from, until, zone = 'UTC', device, group }: RestoredTime,
  now: Date,
): Promise<RestoredPlays | null> {
  const dayOf = (instant: RawBuilder<unknown>) => sql`(${instant} at time zone ${zone}::text)::date::text`
  const { rows } = await sql<RestoredRange & { isLost: boolean }>`
    select is_lost, ${dayOf(sql`min(since)`)} as from, ${dayOf(sql`max(until)`)} as to, count(distinct device_uid)::int as devices
    from (
      select ${isLostAt(now)} as is_lost, r.device_uid, greatest(r.played_since, ${from}::timestamptz) as since,
        least(r.played_until, ${until}::timestamptz - interval '1 millisecond') as until
      from ${periods}
      where r.played_since < ${until} and r.played_until >= ${from}
        and ${device === undefined ? sql`true` : sql`r.device_uid = ${device}`}
        and ${group === undefined ? sql`true` : sql`d.group_uid = ${group}`}
    ) parts
    group by is_lost`.execute(reads)
  const rangeOf = (wanted: boolean) => {
    const row = rows.find(({ isLost }) => isLost === wanted)
    return row && { from: row.from, to: row.to, devices: row.devices }
  }
  const [awaited, lost] = [rangeOf(false), rangeOf(true)]
  return rows.length === 0 ? null : { ...(awaited && { awaited }), ...(lost && { lost }) }
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
  /** They come no more. Else the device has not answered yet. */
  isLost: boolean
}

/** The days of a period that may lack plays, by device: one row for each restore that it has not made good. */
export async function listRestoredDays(
  reads: Reads,
  { from, to, zone }: RestoredPeriod,
  now: Date,
): Promise<RestoredDays[]> {
  const zones = zone === DEVICE_ZONES ? zoneOfEach : { joins: sql``, zone: sql`${zone}::text` }
  const { rows } = await sql<RestoredDays>`
    select device_uid, is_lost, greatest(first_day, ${from}::date)::text as from, least(last_day, ${to}::date)::text as to
    from (
      select r.device_uid, ${isLostAt(now)} as is_lost,
        (r.played_since at time zone ${zones.zone})::date as first_day,
        (r.played_until at time zone ${zones.zone})::date as last_day
      from ${periods} join clients c on c.uid = r.client_id ${zones.joins}
    ) days
    where first_day <= ${to}::date and last_day >= ${from}::date
    order by device_uid, first_day, last_day`.execute(reads)
  return rows
}
