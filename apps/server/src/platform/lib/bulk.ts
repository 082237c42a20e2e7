import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import { OutcomeError, ProblemError } from './errors.ts'

export interface NamedItem {
  uid: string
  name: string
}

/** Up to 1,000 items by uid, or all that a filter finds except the named ones (the contract's `bulkOf`, parsed). */
export type BulkSelection<Filter> =
  | { uids: string[] }
  | { filter: Filter; except: string[]; after?: string | undefined }

/** The items of one call. `remaining` more items, after the uid `after`, need further calls. */
export interface Batch {
  items: NamedItem[]
  remaining: number
  after?: string
}

interface Source<Filter> {
  /** The items of these uids that exist. */
  named: (uids: readonly string[]) => Promise<NamedItem[]>
  /** The first items that the filter finds, in the order of their uids, and how many more there are. */
  matching: (
    filter: Filter,
    limits: { after?: string | undefined; except: string[]; max: number },
  ) => Promise<{ items: NamedItem[]; remaining: number }>
}

/** Resolves the items of a bulk call. An unknown uid gets an empty name and fails later. */
export async function resolveSelection<Filter>(
  picked: BulkSelection<Filter>,
  source: Source<Filter>,
): Promise<Batch> {
  if ('uids' in picked) {
    const names = new Map((await source.named(picked.uids)).map(({ uid, name }) => [uid, name]))
    const items = [...new Set(picked.uids)].map(uid => ({ uid, name: names.get(uid) ?? '' }))
    return { items, remaining: 0 }
  }
  const { filter, except, after } = picked
  const { items, remaining } = await source.matching(filter, { after, except, max: MAX_BULK_ITEMS })
  const last = items.at(-1)
  return remaining > 0 && last ? { items, remaining, after: last.uid } : { items, remaining }
}

export type FailedItem = NonNullable<Outcome['failed']>[number]

/** The names of what uses an item that are told of each one. */
export const MAX_NAMES = 3

/** The refusal of an item; 'not done' for one that does not exist any more. Throws unexpected errors. */
function refusalOf(error: unknown): Omit<FailedItem, 'uid' | 'name'> {
  if (error instanceof OutcomeError) {
    const { reason, names, limit } = error.details
    return {
      code: outcomes[error.outcome],
      ...(reason === undefined ? {} : { reason }),
      ...(names === undefined ? {} : { names: names.slice(0, MAX_NAMES) }),
      ...(limit === undefined ? {} : { limit }),
    }
  }
  if (error instanceof ProblemError && error.status === 403) return { code: outcomes.notAllowed }
  if (error instanceof ProblemError && (error.status === 404 || error.status === 409))
    return { code: outcomes.notDone }
  throw error
}

/** The answer of a bulk call: 200 if all are done, else the code of the failures, or 303 if these differ. */
export function bulkOutcome(
  { remaining, after }: Pick<Batch, 'remaining' | 'after'>,
  { done, failed }: { done: string[]; failed: FailedItem[] },
): Outcome {
  const codes = new Set(failed.map(({ code }) => code))
  const [only = outcomes.done] = codes
  const rest = remaining > 0 ? { remaining, ...(after === undefined ? {} : { after }) } : {}
  return { code: codes.size > 1 ? outcomes.someFailed : only, done, failed, ...rest }
}

/** Runs `act` for one item after another, each in a separate transaction; a failure stops no other item. Stops when the caller is gone. */
export async function forEachItem(
  { items, ...rest }: Batch,
  { signal }: { signal?: AbortSignal | undefined },
  act: (uid: string) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = []
  const failed: FailedItem[] = []
  for (const { uid, name } of items) {
    signal?.throwIfAborted()
    try {
      await act(uid)
      done.push(uid)
    } catch (error) {
      failed.push({ uid, name, ...refusalOf(error) })
    }
  }
  return bulkOutcome(rest, { done, failed })
}
