import { BULK_MOST } from '@floorcast/contract/bulk.ts'
import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import { OutcomeError, ProblemError } from './errors.ts'

export interface NamedItem {
  uid: string
  name: string
}

/** Up to 1,000 items by uid, or all that a filter finds, save the excepted (the contract's `bulkOf`, parsed). */
export type BulkSelection<Filter> =
  { uids: string[] } | { filter: Filter; except: string[]; after?: string | undefined }

/** What one call does; `remaining` items, behind the uid `after`, are for the next. */
interface Batch {
  items: NamedItem[]
  remaining: number
  after?: string
}

interface Source<Filter> {
  /** Those of the uids that are there. */
  named: (uids: readonly string[]) => Promise<NamedItem[]>
  /** The first of what the filter finds, in the order of their uids, and how many more there are. */
  matching: (
    filter: Filter,
    limits: { after?: string | undefined; except: string[]; max: number },
  ) => Promise<{ items: NamedItem[]; remaining: number }>
}

/** The items that a bulk call is about; a uid that is not there keeps an empty name and will fail. */
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
  const { items, remaining } = await source.matching(filter, { after, except, max: BULK_MOST })
  const last = items.at(-1)
  return remaining > 0 && last ? { items, remaining, after: last.uid } : { items, remaining }
}

/** The code of a refusal; what is not there (any more) is 'not done'. Faults are thrown on. */
function codeOf(error: unknown): number {
  if (error instanceof OutcomeError) return outcomes[error.outcome]
  if (error instanceof ProblemError && (error.status === 404 || error.status === 409)) return outcomes.notDone
  throw error
}

/**
 * Does one thing after another, each in its own transaction, whatever becomes of the others: 200 when all are done,
 * else the code that all failures share, 303 when they differ.
 */
export async function forEachItem(
  { items, remaining, after }: Batch,
  act: (uid: string) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = []
  const failed: NonNullable<Outcome['failed']> = []
  for (const { uid, name } of items)
    try {
      await act(uid)
      done.push(uid)
    } catch (error) {
      failed.push({ uid, name, code: codeOf(error) })
    }
  const codes = new Set(failed.map(({ code }) => code))
  const [only = outcomes.done] = codes
  const rest = remaining > 0 ? { remaining, ...(after === undefined ? {} : { after }) } : {}
  return { code: codes.size > 1 ? outcomes.someFailed : only, done, failed, ...rest }
}
