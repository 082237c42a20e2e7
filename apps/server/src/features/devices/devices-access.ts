import { mayChange } from '../../platform/session/rights.ts'
import type { Actor } from '../../platform/session/actor.ts'

/** What this user may do with a device; whether one in a group can be deleted is told by its outcome. */
export function devicePermissions(by: Actor, device: { groupUid: string | null }) {
  const mayEdit = mayChange(by.session, by.now)
  return { mayEdit, mayDelete: mayEdit && device.groupUid === null }
}
