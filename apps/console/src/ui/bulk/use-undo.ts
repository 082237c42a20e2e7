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
    max: MAX_BULK_ITEMS,
    run: uids =>
      finish(entity, async () => {
        const { done = [] } = await run([...uids])
        if (done.length > 0)
          void toast('success', currentTranslate().t('bulk:undone', { count: done.length }))
      }),
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
