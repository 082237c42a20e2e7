import type { Held } from '@floorcast/contract/device-protocol.ts'
import type { AlertStep } from '@floorcast/contract/events.ts'
import { sql } from 'kysely'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { channelOf } from '../../platform/database/notify.ts'

/** What a device holds of its publications, with the ids of its session. */
export interface HeldReport {
  clientId: string
  deviceUid: string
  held: Held[]
  /** ISO 8601. */
  reportedAt: string
}

/** Stores what devices hold in one statement, with one notice for each publication. Of several reports of one device the last counts. */
export async function storeHeld(writes: IngestWrites, reports: readonly HeldReport[]): Promise<void> {
  const rows = reports.map((report, n) => ({ n, ...report }))
  const publicationUids = [
    ...new Set(reports.flatMap(({ held }) => held.map(({ publicationUid }) => publicationUid))),
  ]
  await sql`
    with newest as (
      select distinct on ("deviceUid") * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as b(
        n integer, "clientId" uuid, "deviceUid" uuid, held jsonb, "reportedAt" timestamptz)
      order by "deviceUid", n desc),
    kept as (
      insert into publication_holdings as h (publication_uid, device_uid, client_id, revision, missing, reported_at)
      select distinct on (p.uid, b."deviceUid") p.uid, b."deviceUid", b."clientId", x.revision, x.missing, b."reportedAt"
      from newest b
      cross join lateral jsonb_to_recordset(b.held) as x("publicationUid" uuid, revision integer, missing integer)
      join publications p on p.uid = x."publicationUid" and p.client_id = b."clientId"
        and p.uid = any(${publicationUids}::uuid[])
      order by p.uid, b."deviceUid", x.revision desc
      on conflict (publication_uid, device_uid) do update
        set revision = excluded.revision, missing = excluded.missing, reported_at = excluded.reported_at
        where (h.revision, h.missing) is distinct from (excluded.revision, excluded.missing)
      returning client_id, publication_uid)
    select pg_notify(${channelOf('live')}, concat_ws(' ', client_id, 'publication', publication_uid))
    from (select distinct client_id, publication_uid from kept) as changed`.execute(writes)
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

/** Stores receipts in one statement. The first of each step counts. */
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
    on conflict (alert_uid, device_uid) do update set
      received_at = coalesce(r.received_at, excluded.received_at),
      started_at = coalesce(r.started_at, excluded.started_at),
      ended_at = coalesce(r.ended_at, excluded.ended_at)`.execute(writes)
}
