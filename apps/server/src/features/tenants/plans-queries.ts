import type { Plan } from '@floorcast/contract/plans.ts'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'

export async function listPlans(reads: Reads): Promise<Plan[]> {
  const { rows } = await sql<Plan>`
    select p.key, p.media_gigabytes::float8 as media_gigabytes, p.statistics_gigabytes::float8 as statistics_gigabytes,
      p.device_limit, p.price_usd_per_month, p.has_support, p.has_extended_support,
      exists (select from clients c where c.plan_key = p.key) as is_current,
      (select r.requested_at from plan_requests r where r.plan_key = p.key) as requested_at
    from plans p order by p.position, p.key`.execute(reads)
  return rows
}

export async function isPlan(reads: Reads, key: string): Promise<boolean> {
  const plan = await reads.selectFrom('plans').select('key').where('key', '=', key).executeTakeFirst()
  return plan !== undefined
}

/** Locks the client's request, also one that there is not yet, until the transaction ends. */
export async function lockPlanRequest(
  writes: Writes,
  clientId: string,
): Promise<Selectable<Tables['planRequests']> | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plan request ${clientId}`}, 0))`.execute(writes)
  return writes.selectFrom('planRequests').selectAll().executeTakeFirst()
}

/** Saves the client's request instead of the former one. */
export async function savePlanRequest(
  writes: Writes,
  request: Insertable<Tables['planRequests']>,
): Promise<void> {
  const { planKey, userUid, requestedAt } = request
  await writes
    .insertInto('planRequests')
    .values(request)
    .onConflict(conflict => conflict.column('clientId').doUpdateSet({ planKey, userUid, requestedAt }))
    .execute()
}

export async function deletePlanRequest(writes: Writes): Promise<void> {
  await writes.deleteFrom('planRequests').execute()
}
