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
  findFormerTarget,
  findOpenAlert,
  findTarget,
  insertAlert,
  listOpenAlerts,
  lockAlerts,
} from './alerts-queries.ts'

export { type AlertNotice, parseAlertNotice } from './alert-notice.ts'
export { alertsFor, OpenAlerts } from './open-alerts.ts'

const EVERYONE = { deviceUid: null, groupUid: null, name: 'all' }

export const readOpenAlerts = (reads: Reads) => listOpenAlerts(reads)

async function targetOf(reads: Reads, uid: string): Promise<AlertTarget & { name: string }> {
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
 * would count for the alert. A drill during a real alert returns the real one. @returns the uid of the alert
 * @throws ProblemError 404
 */
export async function beginAlert(
  ctx: RequestContext,
  { target: uid, kind, isDrill }: { target: string; kind: AlertKind; isDrill: boolean },
): Promise<string> {
  return ctx.scope.write(async writes => {
    await lockAlerts(writes, ctx.scope.clientId)
    const { name, ...target } = await targetOf(writes, uid)
    const open = await findOpenAlert(writes, kind, target)
    if (open && (isDrill || !open.isDrill)) return open.uid
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
    return alert.uid
  })
}

/**
 * Ends the alert of this kind for the same target, which may be in the recycle bin or purged. Deleting a target does not end
 * its alert: a group that is deleted by mistake in an emergency and restored would be silent.
 * @throws OutcomeError notDone `no-open-alert`; ProblemError 404
 */
export async function endAlert(
  ctx: RequestContext,
  { target: uid, kind }: { target: string; kind: AlertKind },
) {
  return ctx.scope.write(async writes => {
    await lockAlerts(writes, ctx.scope.clientId)
    const { name, ...target } = uid === 'all' ? EVERYONE : orNotFound(await findFormerTarget(writes, uid))
    const open = await findOpenAlert(writes, kind, target)
    if (!open) throw new OutcomeError('notDone', { reason: 'no-open-alert' })
    await closeOne(writes, ctx, { ...open, ...target, kind, name })
    return open.uid
  })
}
