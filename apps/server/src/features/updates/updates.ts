import type { Writes } from '../../platform/database/client-scope.ts'
import { ProblemError, stale } from '../../platform/lib/errors.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { findGroupsOf, shareChannels } from './update-channels-queries.ts'

/** The states of a thing in the order in which it rotates; after the last comes the first. */
export function nextState<State extends string>(
  states: readonly [State, ...State[]],
  { state, from }: { state: State; from: State | undefined },
): State {
  // A click that was made on another state is not carried out on this one.
  if (from !== undefined && from !== state) throw stale()
  return states[(states.indexOf(state) + 1) % states.length] ?? states[0]
}

/** What a body names that is not there. */
export const unknownAt = (path: string) =>
  new ProblemError(422, 'wrong-fields', { errors: [{ path, message: 'unknown' }] })

/**
 * Marks the manifests of the channels' devices. The channels are held first and their groups read after, so that a group
 * that joins one meanwhile is marked by this change or by its own.
 */
export async function touchChannels(
  writes: Writes,
  channelUids: readonly string[],
  now: Date,
): Promise<void> {
  if (channelUids.length === 0) return
  await shareChannels(writes, channelUids)
  const groups = await findGroupsOf(writes, channelUids)
  if (groups.length > 0) await invalidateManifests(writes, { groups }, now)
}
