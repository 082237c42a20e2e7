import type { Context } from '../../context.ts'
import { lookAtDevices } from './device-conditions.ts'
import { lookAtItems } from './item-conditions.ts'
import { lookAtPlans } from './plan-conditions.ts'

/*
 * Each minute one server looks at the devices, publications, updates and alerts of all clients, and each hour at plans and ads. What differs
 * from `conditions`, where the last look left it, becomes an event of the client.
 */

const MINUTE_MS = 60_000
/** After a longer pause devices have as long again to report, before they count as late. */
const PAUSE_MS = 5 * MINUTE_MS

type LookContext = Pick<Context, 'database' | 'files' | 'log' | 'now'>

/** @returns false if another server has looked in this minute */
export async function lookAtConditions(context: LookContext): Promise<boolean> {
  const { database, now } = context
  const minute = new Date(Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS)
  let hasLooked = false
  await database.jobs.withAdvisoryLock('conditions', async () => {
    const steadySince = await database.jobs.noteLook(minute, PAUSE_MS)
    if (steadySince === null) return
    hasLooked = true
    await lookAtDevices(context, {
      now: minute,
      isSteady: minute.getTime() - steadySince.getTime() >= PAUSE_MS,
    })
    await lookAtItems(context, minute)
    if (minute.getUTCMinutes() === 0) await lookAtPlans(context, minute)
  })
  return hasLooked
}
