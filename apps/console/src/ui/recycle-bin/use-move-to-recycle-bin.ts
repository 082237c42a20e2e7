import { MAX_BULK_ITEMS, PAGING } from '@floorcast/contract/bulk.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { outcomes, type Outcome } from '@floorcast/contract/outcomes.ts'
import { restore, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Refusal, change } from '../../platform/client.ts'
import { useTranslate, type Translate } from '../../platform/i18n.ts'
import { toastFailure } from '../../platform/outcomes.ts'
import { markStale, type ChangedEntity } from '../../platform/query-keys.ts'
import { toast } from '../../platform/toasts.ts'
import type { Selection } from '../data-table/list-column.ts'

/** The changes that succeeded and those that did not, by uid. */
interface BulkResult {
  done: string[]
  failed: { uid: string; error: unknown }[]
}

/**
 * Makes one change for each uid, in order. A refusal of one does not stop the others; anything else does (no network,
 * an ended session), because it would fail for all of them. @throws CallError other than 403, 404 and 409
 */
export async function changeEach(
  uids: readonly string[],
  run: (uid: string) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { done: [], failed: [] }
  for (const uid of uids) {
    try {
      await run(uid)
      result.done.push(uid)
    } catch (error) {
      const isOwnFault =
        error instanceof Refusal || (error instanceof CallError && [403, 404, 409].includes(error.status))
      if (!isOwnFault) throw error
      result.failed.push({ uid, error })
    }
  }
  return result
}

/** The items of a bulk call. */
type BulkBody<Filter> =
  { uids: string[] } | { filter: Filter; except: string[]; after?: string | undefined; all: true }

/** The calls that move items of one kind to the recycle bin. */
interface DeleteCalls<Filter> {
  kind: BinKind
  /** Its refusal names what uses the item. @throws Refusal */
  one: (uid: string) => Promise<unknown>
  many: (body: BulkBody<Filter>) => Promise<Outcome>
}

/** The items to delete: by uid, or all that match a filter except some. */
type DeleteSelection<Filter> =
  { kind: 'some'; uids: readonly string[] } | { kind: 'all'; except: readonly string[]; filter: Filter }

/** The uids of deleted items, and the names of those that could not be deleted. */
interface DeleteResult {
  done: string[]
  failed: string[]
}

const maxNamesShown = 5

/**
 * Moves items to the recycle bin. An item that is in use stays and does not stop the others.
 * @throws Refusal of a single item; CallError
 */
async function moveToRecycleBin<Filter>(
  calls: DeleteCalls<Filter>,
  selection: DeleteSelection<Filter>,
): Promise<DeleteResult> {
  const [only] = selection.kind === 'some' ? selection.uids : []
  if (selection.kind === 'some' && only !== undefined && selection.uids.length === 1) {
    await calls.one(only)
    return { done: [only], failed: [] }
  }
  const result: DeleteResult = { done: [], failed: [] }
  for await (const { done, failed } of bulkCalls(calls, selection)) {
    result.done.push(...(done ?? []))
    result.failed.push(...(failed ?? []).map(({ name }) => name))
  }
  return result
}

/** A bulk call refuses a page, a size and a sort. */
function withoutPaging<Query>(query: Query): Query {
  const filters = Object.entries(query ?? {}).filter(([name]) => !(name in PAGING))
  return Object.fromEntries(filters) as Query
}

/** One call after the other until nothing is left. */
async function* bulkCalls<Filter>(
  { many }: DeleteCalls<Filter>,
  selection: DeleteSelection<Filter>,
): AsyncGenerator<Outcome> {
  if (selection.kind === 'some') {
    for (let from = 0; from < selection.uids.length; from += MAX_BULK_ITEMS)
      yield await many({ uids: selection.uids.slice(from, from + MAX_BULK_ITEMS) })
    return
  }
  const filter = withoutPaging(selection.filter)
  const except = [...selection.except]
  // The user has selected all rows and confirmed their number.
  const all = true as const
  for (let after: string | undefined; ;) {
    const outcome = await many({ filter, except, all, ...(after === undefined ? {} : { after }) })
    yield outcome
    after = outcome.after
    if (after === undefined) return
  }
}

/** @throws Refusal with the names of items that could not be deleted */
function refuseFailed({ failed }: DeleteResult): void {
  if (failed.length > 0)
    throw new Refusal({ code: outcomes.someFailed, names: failed.slice(0, maxNamesShown) })
}

/** Restores items in the order given. */
const restoreItems = (kind: BinKind, uids: readonly string[]): Promise<BulkResult> =>
  changeEach(uids, uid => change(restore, { params: { contentType: kind, uid } }))

/** The toast offers Undo up to this count; more are restored in the recycle bin. */
const maxUndo = 50

const entityOf: Record<BinKind, ChangedEntity> = {
  devices: 'device',
  groups: 'group',
  media: 'media',
  playlists: 'playlist',
  publications: 'publication',
}

interface MoveOptions<Filter> {
  calls: DeleteCalls<Filter>
  selection: Selection
  /** The list's filter: a selection of all means its matches. */
  filter: Filter
  /** The toast for this number of deleted items. */
  successMessage: (count: number) => string
  onDeleted: () => void
}

/** Moves the selected items to the recycle bin when a delete dialog is confirmed, and offers Undo in a toast. */
export function useMoveToRecycleBin<Filter>(options: MoveOptions<Filter>): () => Promise<void> {
  const { t } = useTranslate()
  const queries = useQueryClient()
  return async () => {
    const { calls, selection, filter } = options
    const wanted = selection.kind === 'all' ? { ...selection, filter } : selection
    const result = await moveToRecycleBin(calls, wanted)
    if (result.done.length > 0) {
      options.onDeleted()
      void markStale(queries, [entityOf[calls.kind]], { except: result.done })
      const undo = { label: t('undo'), run: () => void undoMove(t, queries, { calls, done: result.done }) }
      void toast(
        'success',
        options.successMessage(result.done.length),
        result.done.length <= maxUndo ? { action: undo } : {},
      )
    }
    refuseFailed(result)
  }
}

async function undoMove(
  t: Translate,
  queries: QueryClient,
  { calls, done }: { calls: Pick<DeleteCalls<never>, 'kind'>; done: readonly string[] },
): Promise<void> {
  try {
    const { done: restored, failed } = await restoreItems(calls.kind, done)
    if (restored.length > 0) void toast('success', t('restored', { count: restored.length }))
    if (failed[0]) toastFailure(failed[0].error)
  } catch (error) {
    toastFailure(error)
  }
  await markStale(queries, [entityOf[calls.kind]])
}
