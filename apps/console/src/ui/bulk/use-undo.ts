import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import { restoreMany } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call, Refusal } from '../../platform/client.ts'
import { currentTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { paths } from '../../platform/paths.ts'
import { entityOfBin, markStale, type ChangedEntity } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'

/** Takes back a bulk action on up to `max` items. */
export interface BulkUndo {
  max: number
  /** The list of the recycle bin where they are now. */
  bin?: string
  run: (uids: readonly string[]) => Promise<void>
}

/** Undoes a thousand items a call. What a call has undone stays so when the next one fails. @throws CallError */
async function undoInParts(
  uids: readonly string[],
  run: (uids: string[]) => Promise<Outcome>,
): Promise<void> {
  const { t } = currentTranslate()
  const count = { done: 0, failed: 0 }
  try {
    for (let from = 0; from < uids.length; from += MAX_BULK_ITEMS) {
      const { done = [], failed = [] } = await run(uids.slice(from, from + MAX_BULK_ITEMS))
      count.done += done.length
      count.failed += failed.length
    }
  } finally {
    if (count.done > 0) void toast('success', t('bulk:undone', { count: count.done }))
    if (count.failed > 0) void toast('warning', t('bulk:notUndone', { count: count.failed }))
  }
}

/** Takes back a bulk action: by the opposite call, or out of the recycle bin. */
export function useUndoOf() {
  const queries = useQueryClient()
  const finish = async (entity: ChangedEntity, run: () => Promise<void>) => {
    try {
      await run()
    } catch (error) {
      toastFailure(error)
    }
    await markStale(queries, [entity])
  }
  const byCall = (entity: ChangedEntity, run: (uids: string[]) => Promise<Outcome>): BulkUndo => ({
    max: Infinity,
    run: uids => finish(entity, () => undoInParts(uids, run)),
  })
  // The recycle bin restores more of them, and shows how far it is.
  const restoring = (kind: BinKind): BulkUndo => ({
    max: MAX_BULK_ITEMS,
    bin: paths.bin(kind),
    run: uids =>
      finish(entityOfBin[kind], async () => {
        const { done = [], failed = [] } = await call(restoreMany, {
          params: { x: kind },
          body: { uids: [...uids] },
        })
        if (done.length > 0) void toast('success', currentTranslate().t('restored', { count: done.length }))
        if (failed[0]) toastFailure(new Refusal(failed[0]))
      }),
  })
  return { call: byCall, restore: restoring }
}
