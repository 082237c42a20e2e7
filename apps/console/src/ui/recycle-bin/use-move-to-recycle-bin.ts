import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { moveToRecycleBin, refuseStayed, restoreItems, type BinCalls } from '../../platform/recycle-bin.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { markStale, type ChangedEntity } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import type { Selection } from '../data-table/list-column.ts'

/** The toast offers Undo up to this count; more are restored in the recycle bin. */
const maxUndo = 50

const entityOf: Record<BinKind, ChangedEntity> = {
  devices: 'device',
  groups: 'group',
  media: 'media',
  playlists: 'playlist',
  publications: 'publication',
}

interface MoveToBin<Filter> {
  calls: BinCalls<Filter>
  selection: Selection
  /** What the list shows: all that match it are meant by a selection of all. */
  filter: Filter
  /** Said of so many that went. */
  said: (count: number) => string
  onDeleted: () => void
}

/** What a delete dialog does when it is confirmed: moves to the bin, and offers Undo in a toast. */
export function useMoveToRecycleBin<Filter>(move: MoveToBin<Filter>): () => Promise<void> {
  const { t } = useTranslate()
  const queries = useQueryClient()
  return async () => {
    const { calls, selection, filter } = move
    const choice = selection.kind === 'all' ? { ...selection, filter } : selection
    const result = await moveToRecycleBin(calls, choice)
    if (result.done.length > 0) {
      move.onDeleted()
      void markStale(queries, [entityOf[calls.kind]], result.done)
      const undo = { label: t('undo'), run: () => void undoMove(t, queries, { calls, done: result.done }) }
      void toast(
        'success',
        move.said(result.done.length),
        result.done.length <= maxUndo ? { action: undo } : {},
      )
    }
    refuseStayed(result)
  }
}

async function undoMove(
  t: Translate,
  queries: QueryClient,
  { calls, done }: { calls: Pick<BinCalls<never>, 'kind'>; done: readonly string[] },
): Promise<void> {
  try {
    const { done: back, failed } = await restoreItems(calls.kind, done)
    if (back.length > 0) void toast('success', t('takenBack', { count: back.length }))
    if (failed[0]) toastFailure(failed[0].error)
  } catch (error) {
    toastFailure(error)
  }
  await markStale(queries, [entityOf[calls.kind]])
}
