import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'
import { orNotFound, OutcomeError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
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

const EVERYONE = { deviceUid: null, groupUid: null, name: 'all' }

export const readOpenAlerts = (reads: Reads) => listOpenAlerts(reads)

async function targetOf(reads: Reads, uid: string): Promise<AlertTarget & { name: string }> {
  return uid === 'all' ? EVERYONE : orNotFound(await findTarget(reads, uid))
}

/** Notifies devices: the alert is in their manifests and in the answer to their next heartbeat. */
async function tellDevices(
  writes: Writes,
  ctx: RequestContext,
  { deviceUid, groupUid }: AlertTarget,
): Promise<void> {
  await notify(writes, 'alert', [ctx.scope.clientId])
  if (deviceUid !== null) return invalidateManifests(writes, { devices: [deviceUid] }, ctx.now)
  if (groupUid !== null) return invalidateManifests(writes, { groups: [groupUid] }, ctx.now)
  return invalidateManifests(writes, { client: true }, ctx.now)
}

/** Ends an alert. The caller notifies the devices. */
async function closeOne(
  writes: Writes,
  ctx: RequestContext,
  { uid, kind, name }: { uid: string; kind: AlertKind; name: string },
): Promise<void> {
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
    if (open) await closeOne(writes, ctx, { uid: open.uid, kind, name })
    const alert = { ...target, uid: uuidV7(), clientId: ctx.scope.clientId, kind, isDrill }
    await insertAlert(writes, { ...alert, beganAt: ctx.now, beganBy: ctx.session.userUid })
    await tellDevices(writes, ctx, target)
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
    await closeOne(writes, ctx, { uid: open.uid, kind, name })
    await tellDevices(writes, ctx, target)
    return open.uid
  })
}
