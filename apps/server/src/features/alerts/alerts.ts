import type { AlertFilter } from '@floorcast/contract/alerts.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { type AlertNotice, notifyAlert } from './alert-notice.ts'
import {
  type AlertKind,
  type AlertTarget,
  closeAlert,
  findAlert,
  findFormerTarget,
  findOpenAlert,
  findTarget,
  insertAlert,
  listAlertRows,
  listOpenRows,
  lockAlerts,
  type StoredAlert,
} from './alerts-queries.ts'

export { type AlertNotice, parseAlertNotice } from './alert-notice.ts'
export { alertsFor, OpenAlerts } from './open-alerts.ts'
export type { AlertTarget, StoredAlert } from './alerts-queries.ts'

const EVERYONE = { deviceUid: null, groupUid: null, name: 'all' }

export const readOpenAlerts = (reads: Reads) => listOpenRows(reads)

export const listAlerts = (reads: Reads, list: z.output<typeof AlertFilter>) => listAlertRows(reads, list)

/** @throws ProblemError 404 */
export const readAlert = async (reads: Reads, uid: string): Promise<StoredAlert> =>
  orNotFound(await findAlert(reads, uid))

/** The target of a uid, or of `all`. @throws ProblemError 404 */
export async function readTarget(reads: Reads, uid: string): Promise<AlertTarget & { name: string }> {
  return uid === 'all' ? EVERYONE : orNotFound(await findTarget(reads, uid))
}

/** Ends an alert and notifies the devices. */
async function closeOne(
  writes: Writes,
  ctx: RequestContext,
  {
    uid,
    kind,
    name,
    ...notice
  }: { uid: string; name: string } & Omit<AlertNotice, 'alertUid' | 'clientId' | 'step'>,
): Promise<void> {
  const { clientId } = ctx.scope
  await notifyAlert(writes, { ...notice, clientId, alertUid: uid, kind, step: 'end' })
  await closeAlert(writes, uid, { endedAt: ctx.now, endedBy: ctx.session.userUid })
  const changes: Changes = { kind: [kind, null] }
  await recordChange(writes, ctx, { action: 'end', entity: 'alert', uid, name, changes })
}

/**
 * Begins an alert unless one is open. A real alert ends an open drill and gets a new uid: otherwise receipts of the drill
 * would count for the alert. A drill during a real alert returns the real one. @returns the uid of the alert, and whether it
 * was open already
 * @throws ProblemError 404
 */
export async function beginAlert(
  ctx: RequestContext,
  { target: uid, kind, isDrill }: { target: string; kind: AlertKind; isDrill: boolean },
): Promise<{ uid: string; wasOpen: boolean }> {
  return ctx.scope.write(async writes => {
    await lockAlerts(writes, ctx.scope.clientId)
    const { name, ...target } = await readTarget(writes, uid)
    const open = await findOpenAlert(writes, kind, target)
    if (open && (isDrill || !open.isDrill)) return { uid: open.uid, wasOpen: true }
    if (open) await closeOne(writes, ctx, { ...open, ...target, kind, name })
    const alert = { ...target, uid: uuidV7(), clientId: ctx.scope.clientId, kind, isDrill }
    await insertAlert(writes, { ...alert, beganAt: ctx.now, beganBy: ctx.session.userUid })
    const { clientId } = ctx.scope
    const beganAt = ctx.now.toISOString()
    await notifyAlert(writes, {
      ...target,
      clientId,
      alertUid: alert.uid,
      kind,
      step: 'begin',
      beganAt,
      isDrill,
    })
    const changes: Changes = { kind: [null, kind], isDrill: [null, isDrill] }
    await recordChange(writes, ctx, { action: 'begin', entity: 'alert', uid: alert.uid, name, changes })
    return { uid: alert.uid, wasOpen: false }
  })
}

/**
 * Ends the alert of this kind for the same target, which may be in the recycle bin or purged. Deleting a target does not end
 * its alert: a group that is deleted by mistake in an emergency and restored would be silent.
 * @param alert ends this one only: a real alert may have taken the place of the drill that the caller saw
 * @throws OutcomeError notDone `no-open-alert`; ProblemError 404
 */
export async function endAlert(
  ctx: RequestContext,
  { target: uid, kind, alert }: { target: string; kind: AlertKind; alert: string | undefined },
) {
  return ctx.scope.write(async writes => {
    await lockAlerts(writes, ctx.scope.clientId)
    const { name, ...target } = uid === 'all' ? EVERYONE : orNotFound(await findFormerTarget(writes, uid))
    const open = await findOpenAlert(writes, kind, target)
    if (!open || (alert ?? open.uid) !== open.uid)
      throw new OutcomeError('notDone', { reason: 'no-open-alert' })
    await closeOne(writes, ctx, { ...open, ...target, kind, name })
    return open.uid
  })
}
