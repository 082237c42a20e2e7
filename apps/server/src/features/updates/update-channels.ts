import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { ChannelState } from '@floorcast/contract/update-channels.ts'
import type * as calls from '@floorcast/contract/update-channels.ts'
import type { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { assignGroups } from '../groups/groups.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import * as queries from './update-channels-queries.ts'
import { nextState, touchChannels } from './updates.ts'

export async function listChannels(ctx: RequestContext, list: queries.ChannelList) {
  const page = await queries.listChannelRows(ctx.scope.reads, list)
  return { ...page, items: page.items.map(row => ({ ...row, permissions: permissionsOf(ctx) })) }
}

/** Sets the groups of a channel. @throws ProblemError 422 at each unknown group */
async function setGroups(
  writes: Writes,
  ctx: RequestContext,
  { uid, groupUids }: { uid: string; groupUids: readonly string[] },
): Promise<Changes> {
  const before = await queries.findGroupsOf(writes, [uid])
  return assignGroups(writes, { before, groupUids }, async (wanted, groups) => {
    await queries.replaceGroups(writes, { uid, clientId: ctx.scope.clientId }, wanted)
    await invalidateManifests(writes, { groups })
  })
}

/** Adds an open channel. @throws ProblemError 422 for an unknown group */
export async function addChannel(
  ctx: RequestContext,
  draft: z.output<typeof calls.addChannel.body>,
): Promise<string> {
  const { groupUids, ...fields } = draft
  const { name } = fields
  const uid = uuidV7()
  await ctx.scope.write(async writes => {
    await queries.insertChannel(writes, { ...fields, uid, clientId: ctx.scope.clientId }, ctx.now)
    const groups = await setGroups(writes, ctx, { uid, groupUids })
    const changes = { ...changesBetween({}, fields), ...groups }
    await recordChange(writes, ctx, { action: 'add', entity: 'update-channel', uid, name, changes })
  })
  return uid
}

/** @throws ProblemError 404, 409 for a stale version, 422 for an unknown group */
export async function editChannel(
  ctx: RequestContext,
  change: BodyOf<typeof calls.editChannel>,
): Promise<void> {
  const { uid, version, groupUids, ...given } = change
  await ctx.scope.write(async writes => {
    const channel = orNotFound(await queries.lockChannel(writes, uid))
    if (version !== undefined && version !== channel.version) throw stale()
    const fields = omitUndefined(given)
    const after = await queries.updateChannel(writes, uid, { ...fields, at: ctx.now })
    const groups = groupUids ? await setGroups(writes, ctx, { uid, groupUids }) : {}
    const changes = { ...changesOfEdit({ before: channel, after }, fields), ...groups }
    // Devices know a channel by its name.
    if (changes['name']) await touchChannels(writes, [uid])
    const { name } = after
    await recordChange(writes, ctx, { action: 'edit', entity: 'update-channel', uid, name, changes })
  })
}

/** Freezes or opens it. @throws ProblemError 404, 409 if `from` is stale */
export async function rotateChannel(ctx: RequestContext, uid: string, from: ChannelState | undefined) {
  return ctx.scope.write(async writes => {
    const channel = orNotFound(await queries.lockChannel(writes, uid))
    const state = nextState(['open', 'frozen'], { state: channel.state, from })
    await queries.updateChannel(writes, uid, { state, at: ctx.now })
    await touchChannels(writes, [uid])
    const changes = changesBetween({ state: channel.state }, { state })
    const { name } = channel
    await recordChange(writes, ctx, { action: 'rotate', entity: 'update-channel', uid, name, changes })
    return state
  })
}

/** @throws OutcomeError inUse with the names of the packages on it; ProblemError 404 */
export async function deleteChannel(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name, description, state } = orNotFound(await queries.lockChannel(writes, uid))
    const names = await queries.findPackagesOn(writes, uid)
    if (names.length > 0) throw new OutcomeError('inUse', { uid, names })
    const groupUids = await queries.findGroupsOf(writes, [uid])
    await queries.removeChannel(writes, uid)
    const changes = changesBetween(
      { description, state, groupUids },
      { description: null, state: null, groupUids: null },
    )
    await recordChange(writes, ctx, { action: 'delete', entity: 'update-channel', uid, name, changes })
  })
}
