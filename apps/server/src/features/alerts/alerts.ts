import { AlertKind } from '@floorcast/contract/alert-kind.ts'
import type { AlertFilter, OpenAlert } from '@floorcast/contract/alerts.ts'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'
import { orNotFound, OutcomeError } from '../../platform/lib/errors.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, recordChange } from '../audit/audit.ts'
import { addEvent } from '../client-events/client-events.ts'
import {
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
  readOpenAlerts,
  type StoredAlert,
} from './alerts-queries.ts'

export type { AlertTarget, StoredAlert } from './alerts-queries.ts'

const EVERYONE = { deviceUid: null, groupUid: null, name: 'all' }

export const listOpenAlerts = (reads: Reads) => listOpenRows(reads)

export const listAlerts = (reads: Reads, list: z.output<typeof AlertFilter>) => listAlertRows(reads, list)

/** @throws ProblemError 404 */
export const requireAlert = async (reads: Reads, uid: string): Promise<StoredAlert> =>
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
  const facts = factsOf({ ...notice, uid, kind, name })
  addEvent(writes, { clientId, at: ctx.now }, { kind: 'alert.ended', ...facts })
}

/** What the events of an alert say of it. */
function factsOf(alert: AlertTarget & { uid: string; kind: AlertKind; isDrill: boolean; name: string }) {
  const { uid: alertUid, kind: alertKind, isDrill, deviceUid, groupUid, name } = alert
  const uid = deviceUid ?? groupUid
  if (uid === null) return { alertUid, alertKind, isDrill, target: { kind: 'all' as const, uid, name: null } }
  const kind = deviceUid === null ? ('group' as const) : ('device' as const)
  return { alertUid, alertKind, isDrill, target: { kind, uid, name } }
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
    addEvent(writes, { clientId, at: ctx.now }, { kind: 'alert.begun', ...factsOf({ ...alert, name }) })
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

/** An alert that began or ended. The notice on the bus has all of it, so no server asks the database before it sends it. */
export interface AlertNotice {
  clientId: string
  alertUid: string
  kind: AlertKind
  step: 'begin' | 'end'
  /** Both null: every device of the client. */
  deviceUid: string | null
  groupUid: string | null
  beganAt: string
  isDrill: boolean
}

const NONE = '-'
const uidOrNone = z.union([z.uuid(), z.literal(NONE).transform(() => null)])
const Words = z.tuple([
  z.uuid(),
  z.uuid(),
  AlertKind,
  z.enum(['begin', 'end']),
  uidOrNone,
  uidOrNone,
  z.iso.datetime(),
  z.enum(['drill', 'real']),
])

/** Notifies every server of an alert when the transaction commits. */
function notifyAlert(writes: Writes, notice: AlertNotice): Promise<void> {
  const { clientId, alertUid, kind, step, deviceUid, groupUid, beganAt, isDrill } = notice
  const target = [deviceUid ?? NONE, groupUid ?? NONE]
  return notify(writes, 'alert', [
    clientId,
    alertUid,
    kind,
    step,
    ...target,
    beganAt,
    isDrill ? 'drill' : 'real',
  ])
}

/** Null for the notice of a server of another version. */
export function parseAlertNotice(words: readonly string[]): AlertNotice | null {
  const read = Words.safeParse(words).data
  if (!read) return null
  const [clientId, alertUid, kind, step, deviceUid, groupUid, beganAt, drill] = read
  return { clientId, alertUid, kind, step, deviceUid, groupUid, beganAt, isDrill: drill === 'drill' }
}

/** Those alerts of a client that concern a device in its group. */
export const alertsFor = (
  { deviceUid, groupUid }: Pick<DeviceIdentity, 'deviceUid' | 'groupUid'>,
  alerts: readonly OpenAlert[],
): OpenAlert[] =>
  alerts.filter(({ target }) => target.uid === null || target.uid === deviceUid || target.uid === groupUid)

/** A list is read again after this time, in case the bus lost a notice. */
const MAX_AGE_MS = 60_000
const CLIENTS_KEPT = 10_000

/**
 * The open alerts of each client, for the answers to heartbeats. The first question reads a client's list;
 * a notice on the bus that an alert of the client began or ended, or a minute, makes the next one read it again.
 */
export class OpenAlerts {
  readonly #context: Context
  readonly #lists = new LRUCache<string, Promise<OpenAlert[]>>({ max: CLIENTS_KEPT, ttl: MAX_AGE_MS })
  readonly #stopListening: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopListening = context.bus.listen('alert', {
      heard: ([clientId = '']) => void this.#lists.delete(clientId),
      missed: () => this.#lists.clear(),
    })
  }

  /** The open alerts for a device in its group, newest first. */
  async listFor(device: DeviceIdentity): Promise<OpenAlert[]> {
    return alertsFor(device, await this.list(device.clientId))
  }

  /** The open alerts of a client, newest first. */
  list(clientId: string): Promise<OpenAlert[]> {
    const cached = this.#lists.get(clientId)
    if (cached) return cached
    const alerts = readOpenAlerts(this.#context.database.reports.forClient(clientId).reads)
    this.#lists.set(clientId, alerts)
    alerts.catch(() => {
      if (this.#lists.peek(clientId) === alerts) this.#lists.delete(clientId)
    })
    return alerts
  }

  close(): void {
    this.#stopListening()
  }
}
