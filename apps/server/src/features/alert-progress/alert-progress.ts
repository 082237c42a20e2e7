import type { AlertCard, AlertDeviceFilter } from '@floorcast/contract/alert-devices.ts'
import type { AlertReach } from '@floorcast/contract/alerts.ts'
import type { z } from 'zod'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { readTarget, requireAlert } from '../alerts/alerts.ts'
import * as queries from './alert-progress-queries.ts'

/** An alert with the number of its devices by what they have done with it. @throws ProblemError 404 */
export async function readAlert({ reads }: { reads: Reads }, uid: string): Promise<AlertCard> {
  const alert = await requireAlert(reads, uid)
  return { ...alert, devices: await queries.countAlertDevices(reads, alert) }
}

/** @throws ProblemError 404 */
export async function listAlertDevices(
  { scope: { reads }, now }: RequestContext,
  uid: string,
  list: z.output<typeof AlertDeviceFilter>,
) {
  return queries.listAlertDevices(reads, await requireAlert(reads, uid), { ...list, now })
}

/** How many devices an alert would reach. @throws ProblemError 404 */
export async function readAlertReach(
  { scope: { reads }, now }: RequestContext,
  uid: string,
): Promise<AlertReach> {
  const { name, ...target } = await readTarget(reads, uid)
  const kind = target.deviceUid !== null ? 'device' : target.groupUid !== null ? 'group' : 'all'
  const named = { kind, uid: uid === 'all' ? null : uid, name: uid === 'all' ? null : name } as const
  return { target: named, ...(await queries.countReach(reads, target, now)) }
}
