import type { Client } from 'pg'

/** Devices keep events as many days. */
export const RESTORED_DAYS = 90

/** The devices that may have delivered something since a moment, each with the last play that the database has of it. */
const REDELIVERIES = `
  insert into redeliveries (client_id, device_uid, epoch, played_since, played_until, is_new)
  select d.client_id, d.uid, e.epoch,
    greatest(e.restored_to - interval '${RESTORED_DAYS} days', least(e.restored_to, coalesce(p.last_at, b.first_seen_at, d.license_bound_at))),
    e.restored_at, p.last_at is null and b.first_seen_at is null
  from restorations e cross join devices d
    left join (select device_uid, max(last_at) as last_at from play_days group by 1) p on p.device_uid = d.uid
    left join (select device_uid, min(first_seen_at) as first_seen_at from device_boots group by 1) b on b.device_uid = d.uid
  where e.epoch = $1 and d.deleted_at is null`

/** Ends the alerts that are open, each with an entry in the audit of its client. */
const END_ALERTS = `
  with ended as (
    update alerts set ended_at = now() where ended_at is null
    returning uid, client_id, kind, device_uid, group_uid, is_drill, began_at),
  named as (
    select e.*, c.name as client, coalesce(d.name, g.name, e.device_uid::text, e.group_uid::text, 'all') as target
    from ended e join clients c on c.uid = e.client_id
      left join devices d on d.uid = e.device_uid left join groups g on g.uid = e.group_uid),
  noted as (
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name, changes)
    select gen_random_uuid(), client_id, now(), 'operator', 'end', 'alert', uid, target,
      jsonb_build_object('kind', jsonb_build_array(kind, null))
    from named)
  select kind, client, target, is_drill as "isDrill", began_at as "beganAt" from named order by began_at, client, target`

interface EndedAlert {
  kind: string
  client: string
  /** A device or group by its name, or `all`. */
  target: string
  isDrill: boolean
  beganAt: Date
}

/** What a restore has done, beside bringing rows back. */
export interface Restoration {
  /** The moment that the rows are of. */
  restoredTo: Date
  /** Alerts that were open at that moment. None if the restore was noted before. */
  ended: EndedAlert[]
  /** An operator had the installation read only at that moment. */
  isReadOnly: boolean
}

/**
 * Notes that the rows are of a former moment, and for each device what may be lost of it: devices deliver it again. The same moment is noted
 * once. Alerts that were open then are ended.
 * @param moment null: that of the newest sample of a server, for a restore by other means
 */
export async function noteRestored(owner: Client, moment: string | null): Promise<Restoration> {
  await owner.query('begin; set local statement_timeout = 0; set local role floorcast_definer')
  try {
    const restoration = await addRestoration(owner, moment)
    await owner.query('commit')
    return restoration
  } catch (error) {
    await owner.query('rollback').catch(() => undefined)
    throw error
  }
}

/** As `noteRestored`, within a transaction of the caller. */
export async function noteRestoredTogether(owner: Client, moment: string): Promise<Restoration> {
  await owner.query('set local role floorcast_definer')
  const restoration = await addRestoration(owner, moment)
  await owner.query('reset role')
  return restoration
}

async function addRestoration(owner: Client, moment: string | null): Promise<Restoration> {
  const { rows } = await owner.query<Omit<Restoration, 'ended'> & { epoch: string | null }>(
    `with wanted as (select coalesce($1, (select max(at) from server_samples), now()) as moment),
      noted as (
        insert into restorations select gen_random_uuid(), moment, now() from wanted
        where $1 is null or not exists (select from restorations where restored_to = moment) returning epoch)
     select moment as "restoredTo", (select epoch from noted) as epoch,
       (select read_only_since is not null and coalesce(read_only_until > now(), true) from auth_installation_state()) as "isReadOnly"
     from wanted`,
    [moment],
  )
  const [noted] = rows
  if (!noted) throw new Error('A restoration was not noted')
  const { epoch, ...restoration } = noted
  if (epoch === null) return { ...restoration, ended: [] }
  await owner.query(REDELIVERIES, [epoch])
  return { ...restoration, ended: (await owner.query<EndedAlert>(END_ALERTS)).rows }
}

const MAX_ALERT_LINES = 20

/** What an operator has to know of it, in lines. */
export function describeRestoration({ ended, isReadOnly }: Restoration): string[] {
  const lines: string[] = []
  if (ended.length > 0) {
    lines.push(
      `${ended.length} alerts were open at that moment and are ended now, so that no siren sounds again. Who still needs one begins it in the console:`,
    )
    for (const { kind, isDrill, client, target, beganAt } of ended.slice(0, MAX_ALERT_LINES)) {
      const of = target === 'all' ? 'all devices' : target
      lines.push(
        `  ${isDrill ? 'drill' : 'alert'} ${kind} of ${client}, ${of}, begun ${beganAt.toISOString()}`,
      )
    }
    const more = ended.length - MAX_ALERT_LINES
    if (more > 0) lines.push(`  and ${more} more; the audit of each client has its own`)
  }
  if (isReadOnly)
    lines.push('The installation is read only, as it was at that moment: an operator ends that at /operator')
  return lines
}
