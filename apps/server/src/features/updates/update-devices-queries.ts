import type { UpdateStep } from '@floorcast/contract/events.ts'
import type { UpdateDevice } from '@floorcast/contract/updates.ts'
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { type ListPage, type ListRequest, readPage } from '../../platform/database/list.ts'
import { connectivityAt } from '../devices/devices-sql.ts'

export interface DeviceList extends ListRequest {
  group?: string | undefined
  step?: UpdateStep | undefined
}

export type DeviceRecord = Omit<UpdateDevice, 'offered'>

/** Devices with what they run and how far their last update came; one row of newest state each. */
export function listDeviceRecords(
  reads: Reads,
  list: DeviceList,
  now: Date,
): Promise<ListPage<DeviceRecord>> {
  const parts = [sql`d.deleted_at is null`]
  if (list.group) parts.push(sql`d.group_uid = ${list.group}`)
  if (list.step) parts.push(sql`u.step = ${list.step}`)
  return readPage<DeviceRecord>(reads, list, {
    columns: sql`d.uid, d.name,
      case when g.uid is not null then jsonb_build_object('uid', g.uid, 'name', g.name) end as "group",
      ${connectivityAt(now)} as connectivity, s.program_version as held_version, u.step, u.version as step_version,
      u.at as step_at,
      case when u.step in ('refused', 'failed', 'returned') then coalesce(u.message, u.step) end as error`,
    from: sql`from devices d left join groups g on g.uid = d.group_uid
      left join device_states s on s.device_uid = d.uid left join device_update_states u on u.device_uid = d.uid`,
    where: sql.join(parts, sql` and `),
    searched: [sql`d.name`, sql`g.name`, sql`s.program_version`, sql`u.version`, sql`u.message`],
    sorts: {
      name: sql`lower(d.name)`,
      group: sql`lower(g.name)`,
      heldVersion: sql`s.program_version`,
      step: sql`u.step`,
      stepAt: sql`u.at`,
    },
    newest: sql`d.changed_at`,
    uid: sql`d.uid`,
  })
}
