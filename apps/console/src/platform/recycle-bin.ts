import { BULK_MOST, PAGING } from '@floorcast/contract/bulk.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { outcomes, type Outcome } from '@floorcast/contract/outcomes.ts'
import { restore, type BinKind } from '@floorcast/contract/recycle-bin.ts'
import { Refusal, change } from './client.ts'

/** What became of many changes. */
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

/** What a bulk call is about. */
type BulkBody<Filter> = { uids: string[] } | { filter: Filter; except: string[]; after?: string | undefined }

/** How one kind of thing goes to the recycle bin. */
export interface BinCalls<Filter> {
  kind: BinKind
  /** The call for one thing, whose refusal says what holds it. @throws Refusal */
  one: (uid: string) => Promise<unknown>
  many: (body: BulkBody<Filter>) => Promise<Outcome>
}

/** What is meant: things by uid, or all that a filter finds, save the excepted. */
type BinChoice<Filter> =
  { kind: 'some'; uids: readonly string[] } | { kind: 'all'; except: readonly string[]; filter: Filter }

/** What went, and the names of what stayed. */
interface BinResult {
  done: string[]
  stayed: string[]
}

const shownNames = 5

/**
 * Moves things to the recycle bin. Those that something still needs stay, without stopping the others.
 * @throws Refusal of a single thing; CallError
 */
export async function moveToRecycleBin<Filter>(
  calls: BinCalls<Filter>,
  choice: BinChoice<Filter>,
): Promise<BinResult> {
  const [only] = choice.kind === 'some' ? choice.uids : []
  if (choice.kind === 'some' && only !== undefined && choice.uids.length === 1) {
    await calls.one(only)
    return { done: [only], stayed: [] }
  }
  const result: BinResult = { done: [], stayed: [] }
  for await (const { done, failed } of bulkCalls(calls, choice)) {
    result.done.push(...(done ?? []))
    result.stayed.push(...(failed ?? []).map(({ name }) => name))
  }
  return result
}

/** What a list shows, on all its pages: a bulk call refuses what is no filter. */
function withoutPaging<Query>(query: Query): Query {
  const filters = Object.entries(query ?? {}).filter(([name]) => !(name in PAGING))
  return Object.fromEntries(filters) as Query
}

/** One call after the other until nothing is left. */
async function* bulkCalls<Filter>(
  { many }: BinCalls<Filter>,
  choice: BinChoice<Filter>,
): AsyncGenerator<Outcome> {
  if (choice.kind === 'some') {
    for (let from = 0; from < choice.uids.length; from += BULK_MOST)
      yield await many({ uids: choice.uids.slice(from, from + BULK_MOST) })
    return
  }
  const filter = withoutPaging(choice.filter)
  const except = [...choice.except]
  for (let after: string | undefined; ;) {
    const outcome = await many({ filter, except, ...(after === undefined ? {} : { after }) })
    yield outcome
    after = outcome.after
    if (after === undefined) return
  }
}

/** Says which things stayed; nothing when all went. @throws Refusal */
export function refuseStayed({ stayed }: BinResult): void {
  if (stayed.length > 0) throw new Refusal({ code: outcomes.someFailed, names: stayed.slice(0, shownNames) })
}

/** Takes things out of the bin again, in the order given. */
export const restoreItems = (kind: BinKind, uids: readonly string[]): Promise<BulkResult> =>
  changeEach(uids, uid => change(restore, { params: { contentType: kind, uid } }))
