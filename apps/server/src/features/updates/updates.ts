import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { ProblemError, stale } from '../../platform/lib/errors.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { invalidateManifests, isOfferedTo, readOffers } from '../manifests/manifests.ts'
import { findGroupsOf, shareChannels, listChannelUids } from './update-channels-queries.ts'
import { findUpdateKey, lockClient, saveUpdateKey } from './update-key-queries.ts'

export { readAddressCommand, runAddressCommand } from './address-commands.ts'
import { listDeviceRows, type DeviceList } from './update-packages-queries.ts'

/** Devices with their installed and offered versions, the newest step and the reason of a failure. */
export async function listUpdateDevices(ctx: RequestContext, list: DeviceList) {
  return ctx.scope.readTogether(async reads => {
    const page = await listDeviceRows(reads, list, ctx.now)
    const offers = await readOffers(reads, [...new Set(page.items.flatMap(({ group }) => group?.uid ?? []))])
    const items = page.items.map(row => {
      const offer = offers.get(row.group?.uid ?? '')
      return { ...row, offered: offer && isOfferedTo(offer, row.heldVersion) ? offer : null }
    })
    return { ...page, items }
  })
}

/*
 * A manifest has `update` if a released package is deployed, active or forced, on an open channel with the device's group;
 * otherwise the field is absent. A manifest names one package: a forced one first, then the highest version by its numbers,
 * then the newest deployment. A package whose files are not all signed for the client's key cannot leave its draft, and is
 * not offered when the key has changed since. A version below the one that the device has reported is offered by force only.
 *
 * - Only drafts can be changed; a package in testing or released is what was reviewed.
 * - A deploy package can be turned on only with a released package; otherwise the answer would be 'done' without effect.
 *   Taking a package back to draft is always allowed: it withdraws a bad one, as freezing the channel does.
 * - A deploy package can be deleted in any state: by rotation alone, an active one would have to be forced first.
 * - A file may be in several packages (`linkUid`). Within a package a file name is unique.
 * - Deletion is refused (409) for a package on channels, a channel with packages, and a file in packages. There is no
 *   recycle bin for them.
 * - Locks are taken in one order: package, channel, deploy package.
 * - The newest step of each device is one row, written with its events, so that lists read no history.
 */

/** The next state in a rotation; the first follows the last. */
export function nextState<State extends string>(
  states: readonly [State, ...State[]],
  { state, from }: { state: State; from: State | undefined },
): State {
  // A click on another state is refused.
  if (from !== undefined && from !== state) throw stale()
  return states[(states.indexOf(state) + 1) % states.length] ?? states[0]
}

/** 422 for an unknown item at a path of the body. */
export const unknownAt = (path: string) =>
  new ProblemError('wrong-fields', { errors: [{ path, message: 'unknown' }] })

/**
 * Marks the manifests of the channels' devices. It locks the channels before it reads their groups, so that a group that
 * joins at the same time is marked by this change or by its own.
 */
export async function touchChannels(writes: Writes, channelUids: readonly string[]): Promise<void> {
  if (channelUids.length === 0) return
  await shareChannels(writes, channelUids)
  const groups = await findGroupsOf(writes, channelUids)
  if (groups.length > 0) await invalidateManifests(writes, { groups })
}

export const readUpdateKey = async (ctx: RequestContext) => ({
  publicKey: await findUpdateKey(ctx.scope.reads),
})

/**
 * Sets or removes the public key. Packages whose files are not signed for the new key are not offered any more, and cannot
 * leave the draft again.
 */
export async function setUpdateKey(ctx: RequestContext, publicKey: string | null): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name, updatePublicKey } = await lockClient(writes)
    const { clientId } = ctx.scope
    await saveUpdateKey(writes, clientId, { updatePublicKey: publicKey, changedAt: ctx.now })
    const changes = changesBetween({ updatePublicKey }, { updatePublicKey: publicKey })
    if (publicKey !== updatePublicKey) await touchChannels(writes, await listChannelUids(writes))
    await recordChange(writes, ctx, {
      action: 'set-update-key',
      entity: 'client',
      uid: clientId,
      name,
      changes,
    })
  })
}
