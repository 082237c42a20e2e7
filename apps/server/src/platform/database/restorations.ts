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

/**
 * Notes that the rows are of a former moment, and for each device what may be lost of it: devices deliver it again. The same moment is noted
 * once.
 * @param moment null: that of the newest sample of a server, for a restore by other means
 * @returns the moment
 */
export async function noteRestored(owner: Client, moment: string | null): Promise<Date> {
  await owner.query('begin; set local statement_timeout = 0; set local role floorcast_definer')
  try {
    const restoredTo = await addRestoration(owner, moment)
    await owner.query('commit')
    return restoredTo
  } catch (error) {
    await owner.query('rollback').catch(() => undefined)
    throw error
  }
}

/** As `noteRestored`, within a transaction of the caller. */
export async function noteRestoredTogether(owner: Client, moment: string): Promise<void> {
  await owner.query('set local role floorcast_definer')
  await addRestoration(owner, moment)
  await owner.query('reset role')
}

async function addRestoration(owner: Client, moment: string | null): Promise<Date> {
  const { rows } = await owner.query<{ restoredTo: Date; epoch: string | null }>(
    `with wanted as (select coalesce($1, (select max(at) from server_samples), now()) as moment),
      noted as (
        insert into restorations select gen_random_uuid(), moment, now() from wanted
        where $1 is null or not exists (select from restorations where restored_to = moment) returning epoch)
     select moment as "restoredTo", (select epoch from noted) as epoch from wanted`,
    [moment],
  )
  const [noted] = rows
  if (!noted) throw new Error('A restoration was not noted')
  if (noted.epoch !== null) await owner.query(REDELIVERIES, [noted.epoch])
  return noted.restoredTo
}
