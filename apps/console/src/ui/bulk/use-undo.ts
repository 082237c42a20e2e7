import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { restore, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../platform/client.ts'
import { currentTranslate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { markStale, type ChangedEntity } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import { changeEach } from './change-each.ts'

const entityOf: Record<BinKind, ChangedEntity> = {
  devices: 'device',
  groups: 'group',
  media: 'media',
  playlists: 'playlist',
  publications: 'publication',
}

/** Takes back a bulk action on up to `max` items. */
export interface BulkUndo {
  max: number
  run: (uids: readonly string[]) => Promise<void>
}

/** Items are restored one call each. More are restored in the recycle bin. */
const MAX_RESTORED = 50

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
  const call = (entity: ChangedEntity, run: (uids: string[]) => Promise<Outcome>): BulkUndo => ({
    max: Infinity,
    run: uids => finish(entity, () => undoInParts(uids, run)),
  })
  const restoring = (kind: BinKind): BulkUndo => ({
    max: MAX_RESTORED,
    run: uids =>
      finish(entityOf[kind], async () => {
        const { done, failed } = await changeEach(uids, uid =>
          change(restore, { params: { contentType: kind, uid } }),
        )
        if (done.length > 0) void toast('success', currentTranslate().t('restored', { count: done.length }))
        if (failed[0]) toastFailure(failed[0].error)
      }),
  })
  return { call, restore: restoring }
}
