import { type Outcome, outcomes } from '@floorcast/contract/outcomes.ts'
import { OutcomeError, ProblemError } from './errors.ts'

export interface NamedThing {
  uid: string
  name: string
}

/** Up to 1,000 things by uid, or all that a filter finds, save the excepted (the contract's `bulkOf`, parsed). */
export type Picked<Filter> = { uids: string[] } | { filter: Filter; except: string[] }

interface Source<Filter> {
  /** Those of the uids that are there. */
  named: (uids: readonly string[]) => Promise<NamedThing[]>
  /** A page of 200 of what the filter finds; the last is shorter. */
  page: (filter: Filter, page: { page: number; size: number }) => Promise<{ items: NamedThing[] }>
}

const PAGE = 200

async function allPages<Filter>(source: Source<Filter>, filter: Filter): Promise<NamedThing[]> {
  const things = new Map<string, NamedThing>()
  for (let page = 1; ; page += 1) {
    const { items } = await source.page(filter, { page, size: PAGE })
    for (const thing of items) things.set(thing.uid, thing)
    if (items.length < PAGE) return [...things.values()]
  }
}

/** The things that a bulk call is about; a uid that is not there keeps an empty name and will fail. */
export async function pickThings<Filter>(
  picked: Picked<Filter>,
  source: Source<Filter>,
): Promise<NamedThing[]> {
  if ('uids' in picked) {
    const names = new Map((await source.named(picked.uids)).map(({ uid, name }) => [uid, name]))
    return [...new Set(picked.uids)].map(uid => ({ uid, name: names.get(uid) ?? '' }))
  }
  const excepted = new Set(picked.except)
  return (await allPages(source, picked.filter)).filter(({ uid }) => !excepted.has(uid))
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
export async function eachOf(
  things: readonly NamedThing[],
  act: (uid: string) => Promise<unknown>,
): Promise<Outcome> {
  const done: string[] = []
  const failed: NonNullable<Outcome['failed']> = []
  for (const { uid, name } of things)
    try {
      await act(uid)
      done.push(uid)
    } catch (error) {
      failed.push({ uid, name, code: codeOf(error) })
    }
  const codes = new Set(failed.map(({ code }) => code))
  const [only = outcomes.done] = codes
  return { code: codes.size > 1 ? outcomes.someFailed : only, done, failed }
}
