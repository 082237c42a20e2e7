import { UNDO_MINUTES, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError, ProblemError, orNotFound } from '../../platform/lib/errors.ts'
import { isUniqueViolation } from '../../platform/database/database-errors.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import { refuseOverDeviceLimit } from '../devices/devices.ts'
import { returnMembers } from '../groups/groups.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { dropFormerVersions } from '../media/media.ts'
import { collectGarbageAfter } from '../uploads/uploads.ts'
import {
  MAX_DEPENDENTS,
  findDependents,
  findHashes,
  findMissingNeeds,
  findNamedBy,
  findOriginalName,
  findPlannedMedia,
  findItem,
  isNameTaken,
  listBinRows,
  lockBinned,
  purgeRow,
  restoreRow,
  type BinId,
  type BinList,
  type BinnedItem,
} from './recycle-bin-queries.ts'
import { ENTITIES } from './purge-old.ts'
import { restoredFileNames, restoredNames } from './restored-names.ts'

/** A call that restores items. */
export interface RestoreContext extends RequestContext {
  /** What a name that another item has now gets at its end. */
  ending: string
}

export const listBin = (ctx: RequestContext, x: BinKind, list: BinList) =>
  listBinRows(ctx.scope.reads, x, list)

/** The items that depend on an item, in the bin or not. @throws ProblemError 404 */
export async function listDependents(ctx: RequestContext, x: BinKind, uid: string) {
  const { reads } = ctx.scope
  orNotFound(await findItem(reads, x, uid))
  const dependents = await findDependents(reads, { x, uid }, ctx.now)
  if (ctx.session.role !== 'admin') return dependents.filter(({ kind }) => kind !== 'profiles')
  return [...dependents, ...(await findNamedBy(reads, x, uid))].slice(0, MAX_DEPENDENTS)
}

/** @throws ProblemError 403 unless the user is an admin or deleted the item a few minutes ago */
function refuseOthers(ctx: RequestContext, { deletedAt, deletedBy }: BinnedItem): void {
  if (ctx.session.role === 'admin') return
  const isRecent = ctx.now.getTime() - Date.parse(deletedAt) <= UNDO_MINUTES * 60_000
  if (deletedBy !== ctx.session.userUid || !isRecent) throw new ProblemError('role')
}

/** A free name for the item: its own name, or with an ending and a number if another item has it now. */
async function freeName(
  writes: Writes,
  { ending }: RestoreContext,
  { x, uid, name }: BinId & BinnedItem,
): Promise<string> {
  for (const candidate of restoredNames(name, ending))
    if (!(await isNameTaken(writes, { x, uid }, candidate))) return candidate
  throw new OutcomeError('notDone')
}

async function freeFileName(writes: Writes, { ending }: RestoreContext, uid: string): Promise<string | null> {
  const { originalName, isTaken } = await findOriginalName(writes, uid, null)
  if (!isTaken) return null
  for (const candidate of restoredFileNames(originalName, ending))
    if (!(await findOriginalName(writes, uid, candidate)).isTaken) return candidate
  throw new OutcomeError('notDone')
}

/**
 * Restores an item in a transaction; of a device, the caller has checked the limit. @returns its new name
 * @throws OutcomeError notDone `restore-these-first`; ProblemError 403, 404
 */
export async function restoreWithin(writes: Writes, ctx: RestoreContext, { x, uid }: BinId): Promise<string> {
  const item = orNotFound(await lockBinned(writes, x, uid))
  refuseOthers(ctx, item)
  const needs = (await findMissingNeeds(writes, x, uid)).slice(0, MAX_DEPENDENTS)
  if (needs.length > 0) {
    const names = needs.map(({ name }) => name)
    throw new OutcomeError('notDone', { reason: 'restore-these-first', names, needs })
  }
  const name = await freeName(writes, ctx, { ...item, x })
  const originalName = x === 'media' ? await freeFileName(writes, ctx, uid) : null
  await restoreRow(writes, { x, uid }, { name, originalName, at: ctx.now })
  if (x === 'devices') await invalidateManifests(writes, { devices: [uid] })
  const deviceCount = x === 'groups' ? await returnMembers(writes, ctx, uid) : 0
  const changes = changesBetween({ name: item.name, deviceCount: 0 }, { name, deviceCount })
  await recordChange(writes, ctx, { action: 'restore', entity: ENTITIES[x], uid, name, changes })
  return name
}

const restoreOnce = (ctx: RestoreContext, x: BinKind, uid: string): Promise<string> =>
  ctx.scope.write(async writes => {
    if (x === 'devices') await refuseOverDeviceLimit(writes, ctx.scope.clientId)
    return restoreWithin(writes, ctx, { x, uid })
  })

const MAX_RESTORES = 5

/**
 * Restores an item. @returns its new name
 * @throws OutcomeError notDone `restore-these-first` or `device-limit`; ProblemError 403, 404
 */
export async function restoreItem(ctx: RestoreContext, x: BinKind, uid: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await restoreOnce(ctx, x, uid)
    } catch (error) {
      // An upload or another restored item has taken the file name since: the next one is free.
      if (tries === MAX_RESTORES || !isUniqueViolation(error, 'media_items_original_name')) throw error
    }
  }
}

/**
 * Deletes an item of the bin and its files for good.
 * @throws OutcomeError inUse or mediaInUse with the names of the items in the bin that need it; ProblemError 404
 */
export async function purgeItem(ctx: RequestContext, files: FileStore, { x, uid }: BinId): Promise<void> {
  await collectGarbageAfter(ctx.scope, files, async writes => {
    const item = orNotFound(await lockBinned(writes, x, uid))
    const dependents = await findDependents(writes, { x, uid }, ctx.now)
    if (dependents.length > 0)
      throw new OutcomeError(x === 'media' ? 'mediaInUse' : 'inUse', {
        names: dependents.map(({ name }) => name),
      })
    const unused = x === 'media' ? await findHashes(writes, uid) : []
    const planned = x === 'playlists' ? await findPlannedMedia(writes, uid) : []
    await purgeRow(writes, x, uid)
    unused.push(...(await dropFormerVersions(writes, planned)))
    await recordChange(writes, ctx, { action: 'purge', entity: ENTITIES[x], uid, name: item.name })
    return { done: null, hashes: unused }
  })
}
