import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import {
  INLINE_BYTES,
  readInWorker,
  runInTurn,
  type SentJson,
} from '../../platform/http/receive/large-body.ts'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import { collectPlan, parseImport, type PlanPart, type PreparedPlan, preparePlan } from './prepared-plan.ts'
import type { PlanJob } from './plan-worker.ts'

/** A draft to import, with the planner's faults, ready to be stored. */
export interface PreparedImport extends PreparedPlan {
  editOf: string | null
}

/** Tracks and plays up to which the planner takes some milliseconds. */
const MAX_INLINE_SIZE = 1000
const HEAP_MEGABYTES = 512
const PLAN_DEADLINE_MS = 20_000

/**
 * `validate` and `check` take 44 ms for 1,000 melodies and 200 ads, 200 ms for 50,000 and 5,000, and 1.2 s for 3,000 short
 * tracks with broken weights on each side.
 */
const workers = new WorkerPool({
  program: new URL('./plan-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: HEAP_MEGABYTES,
})

function isSmall({ melList, adsList, finishList, workTime, melTime, adsTime }: SmartDraft): boolean {
  const tracks = [...melList, ...adsList]
  const minSeconds = tracks.reduce((seconds, { duration }) => Math.min(seconds, duration), Infinity)
  const plays = finishList.reduce((sum, { items }) => sum + items.length, 0)
  const blocks = workTime / Math.max(1, melTime + adsTime)
  return tracks.length + Math.max(plays, blocks, workTime / minSeconds) <= MAX_INLINE_SIZE
}

/** Parses and validates an import, or plans it, a large one in a worker. @throws ProblemError 400, 413, 422 */
export async function readImport(sent: SentJson): Promise<PreparedImport> {
  if (sent.bytes.length <= INLINE_BYTES) {
    const { draft, needsPlan, editOf } = parseImport(sent.bytes)
    if (isSmall(draft)) return { ...preparePlan(draft, needsPlan), editOf }
  }
  const parts = collectPlan()
  const job = { workers, minDeadlineMs: PLAN_DEADLINE_MS }
  return parts.finish(await readInWorker<PreparedImport, PlanPart>(job, sent, parts.add))
}

/** Plans a draft again and validates it, a long one in a worker. */
export async function planDraft(
  draft: SmartDraft,
  caller: { clientId: string; signal?: AbortSignal | undefined },
): Promise<PreparedPlan> {
  if (isSmall(draft)) return preparePlan(draft, true)
  const parts = collectPlan()
  const data: PlanJob = { draft, needsPlan: true }
  const job = { data, deadlineMs: PLAN_DEADLINE_MS, signal: caller.signal, onPart: parts.add }
  return parts.finish(
    await runInTurn({ ...caller, isLong: true }, () => workers.run<PreparedPlan, PlanPart>(job)),
  )
}
