import type { BinAction, BulkPlan } from '@floorcast/contract/bulk-calls.ts'
import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import {
  type Batch,
  bulkOutcome,
  type FailedItem,
  forEachItem,
  type NamedItem,
  resolveSelection,
} from '../../platform/lib/bulk.ts'
import { OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { recordAlike } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { countDeviceRoom, lockDeviceCount } from '../devices/devices.ts'
import { collectGarbageAfter } from '../uploads/uploads.ts'
import { collectHashes, ENTITIES } from './purge-old.ts'
import { purgeBinned } from './purge-queries.ts'
import { restoreItem, restoreWithin, type RestoreContext } from './recycle-bin.ts'
import {
  type BinSelection,
  countBinAction,
  findBinnedMatching,
  findBinnedNames,
  findWhyKept,
  sumFreedBytes,
} from './recycle-bin-queries.ts'

/*
 * Restores and purges many items: at most 1,000 a call. Media, playlists, publications and groups are restored one by one, as
 * single ones are; devices and all that is purged go in batches, so that the devices of a client are counted once a batch and
 * a thousand items are ten transactions.
 */

const BATCH_SIZE = 100

interface BinCall {
  x: BinKind
  items: BinSelection
}

export async function previewManyBinned(
  { scope: { reads } }: RequestContext,
  { x, items, action }: BinCall & { action: BinAction },
): Promise<BulkPlan> {
  const deviceRoom = x === 'devices' && action === 'restore' ? (await countDeviceRoom(reads)).free : 0
  const plan = await countBinAction(reads, x, { items, action, deviceRoom })
  if (x !== 'media' || action !== 'purge') return plan
  return { ...plan, freedBytes: await sumFreedBytes(reads, items) }
}

const resolveBinned = ({ scope: { reads } }: RequestContext, { x, items }: BinCall): Promise<Batch> =>
  resolveSelection(items, {
    named: uids => findBinnedNames(reads, x, uids),
    matching: (filter, limits) => findBinnedMatching(reads, x, { ...filter, ...limits }),
  })

/** Restores devices of one batch in one transaction. */
const restoreDevices = (ctx: RestoreContext, items: NamedItem[]): Promise<Outcome> =>
  ctx.scope.write(async writes => {
    await lockDeviceCount(writes, ctx.scope.clientId)
    const { limit, free } = await countDeviceRoom(writes)
    let room = free
    return forEachItem({ items, remaining: 0 }, ctx, async uid => {
      if (room === 0) throw new OutcomeError('notDone', { reason: 'device-limit', limit })
      await restoreWithin(writes, ctx, { x: 'devices', uid })
      room -= 1
    })
  })

interface Purge {
  x: BinKind
  items: readonly NamedItem[]
  files: FileStore
}

/** Purges those of one batch that nothing else needs, in one transaction. */
async function purgeBatch(ctx: RequestContext, { x, items, files }: Purge): Promise<Outcome> {
  const uids = items.map(({ uid }) => uid)
  const { gone, kept } = await collectGarbageAfter(ctx.scope, files, async writes => {
    const purged = await purgeBinned(writes, x, uids)
    const [first] = purged
    if (first) {
      await recordAlike(writes, ctx, { action: 'purge', entity: ENTITIES[x], items: purged })
      await announceChange(writes, ctx.scope.clientId, { entity: ENTITIES[x], uid: first.uid })
    }
    const done = new Set(purged.map(({ uid }) => uid))
    const rest = uids.filter(uid => !done.has(uid))
    const why = rest.length > 0 ? await findWhyKept(writes, { x, uids: rest }, ctx.now) : []
    return { done: { gone: done, kept: why }, hashes: await collectHashes(writes, purged) }
  })
  const needed = new Map(kept.map(({ uid, names }) => [uid, names]))
  const failed = items.flatMap(({ uid, name }): FailedItem[] => {
    if (gone.has(uid)) return []
    const names = needed.get(uid)
    if (!names) return [{ uid, name, code: outcomes.notDone }]
    return [{ uid, name, code: x === 'media' ? outcomes.mediaInUse : outcomes.inUse, names }]
  })
  return bulkOutcome({ remaining: 0 }, { done: [...gone], failed })
}

/** Runs `act` for one batch after another. Stops when the caller is gone. */
async function forEachBatch(
  { items, ...rest }: Batch,
  { signal }: RequestContext,
  act: (items: NamedItem[]) => Promise<Outcome>,
): Promise<Outcome> {
  const sum = { done: [] as string[], failed: [] as FailedItem[] }
  for (let from = 0; from < items.length; from += BATCH_SIZE) {
    signal?.throwIfAborted()
    const { done = [], failed = [] } = await act(items.slice(from, from + BATCH_SIZE))
    sum.done.push(...done)
    sum.failed.push(...failed)
  }
  return bulkOutcome(rest, sum)
}

/** Restores many items. A failure stops no other one. @throws ProblemError 403 for a filter of a user who is not an admin */
export async function restoreMany(ctx: RestoreContext, { x, items }: BinCall): Promise<Outcome> {
  if (ctx.session.role !== 'admin' && !('uids' in items)) throw new ProblemError('role')
  const batch = await resolveBinned(ctx, { x, items })
  if (x === 'devices') return forEachBatch(batch, ctx, some => restoreDevices(ctx, some))
  return forEachItem(batch, ctx, uid => restoreItem(ctx, x, uid))
}

/** Purges many items and frees their storage. One that another item of the bin needs stays. */
export async function purgeMany(
  ctx: RequestContext,
  files: FileStore,
  { x, items }: BinCall,
): Promise<Outcome> {
  return forEachBatch(await resolveBinned(ctx, { x, items }), ctx, some =>
    purgeBatch(ctx, { x, items: some, files }),
  )
}
