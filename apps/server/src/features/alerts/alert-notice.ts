import { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { notify } from '../../platform/database/notify.ts'

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
export function notifyAlert(writes: Writes, notice: AlertNotice): Promise<void> {
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
