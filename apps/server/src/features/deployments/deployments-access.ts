import type { PublicationState } from '@floorcast/contract/deployments.ts'
import type { Actor } from '../../platform/session/actor.ts'
import { mayChange } from '../../platform/session/rights.ts'

/** What this user may do with a publication: one that is on or waits must be turned off before it is deleted. */
export function publicationPermissions(by: Actor, publication: { state: PublicationState }) {
  const mayEdit = mayChange(by.session, by.now)
  return { mayEdit, mayDelete: mayEdit && publication.state === 'disabled' }
}
