import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError } from '../../platform/lib/errors.ts'
import { findPublicationsNaming, type PublishedItem } from './publication-state-queries.ts'

export { findPublicationsNaming } from './publication-state-queries.ts'

/** @throws OutcomeError groupTaken while a publication of the group or playlist is in force or waiting */
export async function refuseInForce(writes: Writes, item: PublishedItem, now: Date): Promise<void> {
  const publications = await findPublicationsNaming(writes, item, now)
  const names = publications.filter(({ isOn }) => isOn).map(({ name }) => name)
  if (names.length > 0) throw new OutcomeError('groupTaken', { reason: 'in-force-cannot-be-paused', names })
}
