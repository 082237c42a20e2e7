import type { Held } from '@floorcast/contract/device-protocol.ts'
import type { AlertStep } from '@floorcast/contract/events.ts'
import { type RawBuilder, sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { ReportedChange } from '../../platform/database/collected-notices.ts'

/**
 * In SQL: keeps what devices hold of their publications, by a row of `newest` for each device with "deviceUid", "clientId",
 * `held` and "receivedAt".
 */
export function keepHoldings(reports: readonly { held: readonly Held[] }[]): RawBuilder<unknown> {
  // The list makes PostgreSQL look up these rows; from the records alone it would read those of all clients.
  const uids = new Set(reports.flatMap(({ held }) => held.map(({ publicationUid }) => publicationUid)))
  return sql`
    insert into publication_holdings as h (publication_uid, device_uid, client_id, revision, missing, reported_at)
    select distinct on (p.uid, b."deviceUid") p.uid, b."deviceUid", b."clientId", x.revision, x.missing, b."receivedAt"
    from newest b
    cross join lateral jsonb_to_recordset(b.held) as x("publicationUid" uuid, revision integer, missing integer)
    join publications p on p.uid = x."publicationUid" and p.client_id = b."clientId" and p.uid = any(${[...uids]}::uuid[])
    where not exists (
      select from publication_holdings k where k.publication_uid = p.uid and k.device_uid = b."deviceUid"
        and k.revision = x.revision and k.missing = x.missing)
    order by p.uid, b."deviceUid", x.revision desc
    on conflict (publication_uid, device_uid) do update
      set revision = excluded.revision, missing = excluded.missing, reported_at = excluded.reported_at
      where (h.revision, h.missing) is distinct from (excluded.revision, excluded.missing)
    returning h.client_id, h.device_uid, h.publication_uid`
}

/** What a device holds of its publications, with the ids of its session. */
export interface HeldReport {
  clientId: string
  deviceUid: string
  held: Held[]
  /** ISO 8601. */
  receivedAt: string
}

/**
 * Stores what devices hold in one statement. Of several reports of one device the last counts.
 * @returns the publications of which a device holds something else
 */
export async function storeHeld(
  writes: IngestWrites,
  reports: readonly HeldReport[],
): Promise<ReportedChange[]> {
  const rows = reports.map((report, n) => ({ n, ...report }))
  const { rows: changed } = await sql<ReportedChange>`
    with newest as (
      select distinct on ("deviceUid") * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(
        n integer, "clientId" uuid, "deviceUid" uuid, held jsonb, "receivedAt" timestamptz)
      order by "deviceUid", n desc),
    holdings as (${keepHoldings(reports)})
    select distinct client_id, 'publication' as entity, publication_uid as uid from holdings`.execute(writes)
  return changed
}

/** A device whose channel has closed. */
export interface LostChannel {
  deviceUid: string
  /** Its last heartbeat on this channel, and the end of the channel: ISO 8601. */
  reportedAt: string
  at: string
}

/** Stores that channels have closed, unless the device has reported since: then it has another one. @returns the devices */
export async function storeLostChannels(
  writes: IngestWrites,
  channels: readonly LostChannel[],
): Promise<ReportedChange[]> {
  const deviceUids = channels.map(({ deviceUid }) => deviceUid)
  const { rows } = await sql<ReportedChange>`
    with locked as materialized (
      select s.device_uid, s.last_contact_at from device_states s where s.device_uid = any(${deviceUids}::uuid[])
      order by s.device_uid for update),
    lost as (
      update device_states s set channel_lost_at = x.at
      from jsonb_to_recordset(${JSON.stringify(channels)}::jsonb) as x("deviceUid" uuid, "reportedAt" timestamptz, at timestamptz)
      join locked k on k.device_uid = x."deviceUid" and k.last_contact_at <= x."reportedAt"
      where s.device_uid = k.device_uid
      returning s.client_id, s.device_uid)
    select client_id, 'device' as entity, device_uid as uid from lost`.execute(writes)
  return rows
}

/** What a device has done with an alert, with the ids of its session. */
export interface Receipt {
  clientId: string
  deviceUid: string
  alertUid: string
  step: AlertStep
  /** ISO 8601. */
  at: string
}

/** In SQL: of several receipts of one step the earliest counts. */
export const MERGE_RECEIPTS = sql`
  on conflict (alert_uid, device_uid) do update set
    received_at = least(r.received_at, excluded.received_at),
    started_at = least(r.started_at, excluded.started_at),
    ended_at = least(r.ended_at, excluded.ended_at)`

/** The code of the log entry of a device whose alert did not play, or not with its sound. */
export const SOUND_FAILED = 'alert-sound-failed'

/** What a device has logged of an alert that it had received and that had not ended. */
export interface SoundFailure {
  clientId: string
  deviceUid: string
  /** ISO 8601. */
  at: string
  message: string
}

/** Adds to the receipts of alerts what went wrong. The last failure counts. */
export async function storeSoundFailures(
  writes: IngestWrites,
  failures: readonly SoundFailure[],
): Promise<void> {
  const deviceUids = failures.map(({ deviceUid }) => deviceUid)
  await sql`
    update alert_receipts r set failed_at = x.at, failure = x.message
    from (
      select distinct on ("deviceUid") * from jsonb_to_recordset(${JSON.stringify(failures)}::jsonb) as f(
        "clientId" uuid, "deviceUid" uuid, at timestamptz, message text)
      order by "deviceUid", at desc) x
    where r.client_id = x."clientId" and r.device_uid = x."deviceUid" and r.device_uid = any(${deviceUids}::uuid[])
      and least(r.received_at, r.started_at) <= x.at and coalesce(r.ended_at, 'infinity') >= x.at
      and coalesce(r.failed_at, '-infinity') <= x.at`.execute(writes)
}

/** Stores receipts in one statement. */
export async function storeReceipts(writes: IngestWrites, receipts: readonly Receipt[]): Promise<void> {
  const alertUids = [...new Set(receipts.map(({ alertUid }) => alertUid))]
  await sql`
    insert into alert_receipts as r (alert_uid, device_uid, client_id, received_at, started_at, ended_at)
    select a.uid, x."deviceUid", x."clientId", min(x.at) filter (where x.step = 'received'),
      min(x.at) filter (where x.step = 'started'), min(x.at) filter (where x.step = 'ended')
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as x(
      "clientId" uuid, "deviceUid" uuid, "alertUid" uuid, step text, at timestamptz)
    join alerts a on a.uid = x."alertUid" and a.client_id = x."clientId" and a.uid = any(${alertUids}::uuid[])
    group by a.uid, x."deviceUid", x."clientId" order by a.uid, x."deviceUid"
    ${MERGE_RECEIPTS}`.execute(writes)
}
