import { DEVICE_FILE_DAYS } from '@floorcast/contract/device-commands.ts'
import { sql } from 'kysely'
import { activityAt } from '../features/devices/devices-sql.ts'
import type { Writes } from '../platform/database/client-scope.ts'
import type { IngestWrites } from '../platform/database/ingest.ts'

/** Rows removed, by kind. */
export interface PurgedRows {
  sessions: number
  tickets: number
  reservations: number
  uploads: number
  messages: number
  deviceFiles: number
  boots: number
  programmes: number
}

const DAY_MS = 86_400_000
/** A device keeps undelivered events for ninety days, so no events of an older boot can arrive. */
const BOOT_RETENTION_MS = 120 * 86_400_000
/** A programme that no change has named for so long. If a device still plays it and asks, it is made again. */
const PROGRAMME_RETENTION_MS = 30 * 86_400_000

const countOf = ({ numDeletedRows }: { numDeletedRows: bigint }) => Number(numDeletedRows)

/** Deletes the rows of one client that expired before `moment`, and boots that were silent for long. Nothing reads them. */
export async function purgeEnded(writes: Writes, moment: Date): Promise<PurgedRows> {
  const before = moment.toISOString()
  const tickets = await writes.deleteFrom('tickets').where('expiresAt', '<', before).executeTakeFirst()
  const sessions = await writes
    .deleteFrom('sessions')
    .where(eb =>
      eb.or([eb('revokedAt', '<', before), eb('expiresAt', '<', before), eb('idleExpiresAt', '<', before)]),
    )
    .executeTakeFirst()
  const reservations = await writes
    .deleteFrom('storageReservations')
    .where('expiresAt', '<', before)
    .executeTakeFirst()
  const uploads = await writes.deleteFrom('uploads').where('expiresAt', '<', before).executeTakeFirst()
  const messages = await writes
    .deleteFrom('deviceOutbox')
    .where(eb => eb.or([eb('acknowledgedAt', '<', before), eb('expiresAt', '<', before)]))
    .executeTakeFirst()
  const deviceFiles = await writes
    .deleteFrom('deviceFiles')
    .where('madeAt', '<', new Date(moment.getTime() - DEVICE_FILE_DAYS * DAY_MS).toISOString())
    .executeTakeFirst()
  const boots = await writes
    .deleteFrom('deviceBoots')
    .where('lastSeenAt', '<', new Date(moment.getTime() - BOOT_RETENTION_MS).toISOString())
    .executeTakeFirst()
  const programmes = await writes
    .deleteFrom('programmes')
    .where('madeAt', '<', new Date(moment.getTime() - PROGRAMME_RETENTION_MS).toISOString())
    .executeTakeFirst()
  await writes.deleteFrom('idempotencyKeys').where('begunAt', '<', before).execute()
  return {
    tickets: countOf(tickets),
    sessions: countOf(sessions),
    reservations: countOf(reservations),
    uploads: countOf(uploads),
    messages: countOf(messages),
    deviceFiles: countOf(deviceFiles),
    boots: countOf(boots),
    programmes: countOf(programmes),
  }
}

/**
 * Forgets the lengths of files that are gone for as long as boots are kept: no play of them can arrive. Others are marked the first
 * time that they are found gone.
 */
export async function purgeLengths(writes: Writes, now: Date): Promise<void> {
  const isGone = sql`
    not exists (select from media_files f where f.media_uid = l.media_uid and f.sha256 = l.sha256)`
  await sql`update media_lengths l set gone_on = ${now.toISOString().slice(0, 10)}::date where l.gone_on is null and ${isGone}`.execute(
    writes,
  )
  const before = new Date(now.getTime() - BOOT_RETENTION_MS).toISOString().slice(0, 10)
  await sql`delete from media_lengths l where l.gone_on < ${before}::date and ${isGone}`.execute(writes)
}

/** A transaction that deletes so many entries takes about a second. */
const ENTRIES_PER_DELETE = 20_000

/** A client's audit entries and ended alerts at most. Only a flood of changes reaches it before AUDIT_DAYS. */
export const MAX_ENTRIES = 1_000_000
export const MAX_ALERTS = 100_000

/**
 * Deletes a part of the audit's entries before `moment` and of those above `max`, the oldest first.
 * @returns how many; 0 at the end
 */
export async function purgeAudit(writes: Writes, moment: Date, max = MAX_ENTRIES): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit_entries where uid in (
      select uid from audit_entries
      where client_id = (nullif(current_setting('app.client_id', true), ''))::uuid
        and at < greatest(${moment.toISOString()}::timestamptz, (
          select at from audit_entries order by at desc, uid desc offset ${max - 1} limit 1))
      order by at, uid limit ${ENTRIES_PER_DELETE})`.execute(writes)
  return Number(numAffectedRows ?? 0n)
}

/** Deletes ended alerts above `max`, the oldest first. */
export async function purgeAlerts(writes: Writes, max = MAX_ALERTS): Promise<void> {
  await sql`
    delete from alerts where ended_at is not null and began_at < (
      select began_at from alerts order by began_at desc offset ${max - 1} limit 1)`.execute(writes)
}

/** A client's events at most. Only a flood reaches it before EVENT_DAYS. */
export const MAX_EVENTS = 200_000

/** Deletes events before `moment` and those above `max`, the oldest first; readers of what is gone are told so. */
export async function purgeEvents(writes: Writes, moment: Date, max = MAX_EVENTS): Promise<void> {
  await sql`
    with gone as (
      delete from client_events where at < ${moment.toISOString()}::timestamptz
        or position <= (select position from client_events order by position desc offset ${max} limit 1)
      returning position)
    update event_positions set purged = greatest(purged, (select max(position) from gone))
    where exists (select from gone)`.execute(writes)
}

/** Merges the rows of each of a client's counts into one. Rows that are committed at the same time stay separate. */
export async function mergeCounts(writes: Writes): Promise<void> {
  await sql`
    with gone as (delete from list_counts returning client_id, list, kind, change)
    insert into list_counts (client_id, list, kind, change)
    select client_id, list, kind, sum(change) from gone group by client_id, list, kind having sum(change) <> 0
  `.execute(writes)
}

/** Merges what devices reported of alerts. */
export async function mergeAlertCounts(writes: Writes): Promise<void> {
  await sql`
    with gone as (
      delete from alert_counts returning client_id, alert_uid, failed, received, sounding, ended, sounded)
    insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
    select client_id, alert_uid, sum(failed), sum(received), sum(sounding), sum(ended), sum(sounded)
    from gone group by client_id, alert_uid`.execute(writes)
}

/** Merges what devices reported of publications; deletes the reports on former revisions and of devices that left the group. */
export async function mergePublicationCounts(writes: Writes): Promise<void> {
  await sql`
    delete from publication_holdings h using publications p, devices d
    where p.uid = h.publication_uid and d.uid = h.device_uid
      and (h.revision < p.revision or d.group_uid is distinct from p.group_uid)`.execute(writes)
  await sql`
    with gone as (
      delete from publication_counts returning client_id, publication_uid, revision, holding, reported)
    insert into publication_counts (client_id, publication_uid, revision, holding, reported)
    select g.client_id, g.publication_uid, g.revision, sum(g.holding), sum(g.reported)
    from gone g join publications p on p.uid = g.publication_uid and p.revision <= g.revision
    group by g.client_id, g.publication_uid, g.revision
    having sum(g.holding) <> 0 or sum(g.reported) <> 0`.execute(writes)
}

/** How many online devices of each client are silent; clients without such devices are left out. */
export async function countSilent(
  reports: IngestWrites,
  now: Date,
): Promise<{ clientId: string; silent: number }[]> {
  const { rows } = await sql<{ clientId: string; silent: number }>`
    select s.client_id, count(*)::int as silent from device_states s
    where s.device_uid not in (select uid from devices where deleted_at is not null) and ${activityAt(now)} = 'silent'
    group by s.client_id`.execute(reports)
  return rows
}
