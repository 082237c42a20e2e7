import type { UpdateStep } from '@floorcast/contract/events.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { type ListColumns, type ListRequest, readPage, referenceTo } from '../../platform/database/list.ts'
import { activityAt, changesInSecondsAt, connectivityAt, silentReasonAt } from '../devices/devices-sql.ts'

export interface DeviceList extends ListRequest {
  group?: string | undefined
  step?: readonly UpdateStep[] | undefined
  /** The devices of the channels that have this package. */
  package?: string | undefined
}

const deviceColumns = (now: Date) =>
  ({
    uid: { select: sql<string>`d.uid` },
    name: { select: sql<string>`d.name`, sort: sql`d.sort_name`, search: true },
    group: { select: referenceTo('g'), sort: sql`g.sort_name`, search: [sql`g.name`] },
    connectivity: { select: connectivityAt(now) },
    activity: { select: activityAt(now) },
    silentReason: { select: silentReasonAt(now) },
    isConnectionLost: { select: sql<boolean>`s.channel_lost_at is not null` },
    lastContactAt: { select: sql<string | null>`s.last_contact_at` },
    changesInSeconds: { select: changesInSecondsAt(now) },
    heldVersion: { select: sql<string | null>`s.program_version`, sort: true, search: true },
    step: { select: sql<UpdateStep | null>`u.step`, sort: true },
    stepVersion: { select: sql<string | null>`u.version`, search: true },
    stepAt: { select: sql<string | null>`u.at`, sort: true },
    error: {
      select: sql<string | null>`
        case when u.step in ('refused', 'failed', 'returned') then coalesce(u.message, u.step) end`,
      search: [sql`u.message`],
    },
  }) satisfies ListColumns

/** Devices with their installed version and the state of their last update. */
export function listDeviceRows(reads: Reads, list: DeviceList, now: Date) {
  const parts = [sql`d.deleted_at is null`]
  if (list.group) parts.push(sql`d.group_uid = ${list.group}`)
  if (list.step) parts.push(sql`u.step = any(${list.step}::text[])`)
  if (list.package)
    parts.push(sql`d.group_uid in (
      select cg.group_uid from update_channel_groups cg
      join deploy_packages dp on dp.channel_uid = cg.channel_uid where dp.package_uid = ${list.package})`)
  return readPage(reads, list, {
    columns: deviceColumns(now),
    from: sql`from devices d left join groups g on g.uid = d.group_uid
      left join device_states s on s.device_uid = d.uid left join device_update_states u on u.device_uid = d.uid`,
    where: sql.join(parts, sql` and `),
    newest: sql`d.changed_at`,
  })
}
