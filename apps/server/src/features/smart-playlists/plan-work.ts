import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { plan } from '@floorcast/planner/plan.ts'
import { runInWorker } from '../../platform/lib/run-in-worker.ts'
import { findPlanFaults, type PlanFaults, planInputOf } from './smart-faults.ts'

/** A draft to be judged by its own plan, or by one that is to be made first. */
export interface PlanWork {
  draft: SmartDraft
  isToBePlanned: boolean
}

export interface JudgedDraft {
  draft: SmartDraft
  planFaults: PlanFaults | null
}

/** Tracks and plays that take some hundredths of a second: starting a thread would take longer. */
const FEW = 5000
const HEAP_MEGABYTES = 512

export function judgeDraft({ draft, isToBePlanned }: PlanWork): JudgedDraft {
  const judged = isToBePlanned ? { ...draft, finishList: plan(planInputOf(draft)).blocks } : draft
  return { draft: judged, planFaults: findPlanFaults(judged) }
}

function isSmall({ melList, adsList, finishList, workTime, melTime, adsTime }: SmartDraft): boolean {
  const tracks = [...melList, ...adsList]
  const shortest = tracks.reduce((least, { duration }) => Math.min(least, duration), Infinity)
  const plays = finishList.reduce((sum, { items }) => sum + items.length, 0)
  const blocks = workTime / Math.max(1, melTime + adsTime)
  return tracks.length + Math.max(plays, blocks, workTime / shortest) <= FEW
}

let before: Promise<unknown> = Promise.resolve()

/**
 * The planner's faults of a draft. A long day is checked in a worker thread, one at a time, so that heartbeats are
 * answered meanwhile. `validate` and `check` take 44 ms for 1,000 melodies and 200 ads, 200 ms for 50,000 and 5,000, and
 * 1.2 s for 3,000 short tracks with broken weights on each side. A thread starts in some tenths of a second, so a usual
 * day does without.
 */
export function judgePlan(work: PlanWork): Promise<JudgedDraft> {
  if (isSmall(work.draft)) return Promise.resolve(judgeDraft(work))
  const judging = before.then(() =>
    runInWorker<JudgedDraft>({
      program: new URL('./plan-worker.ts', import.meta.url),
      data: work,
      heapMegabytes: HEAP_MEGABYTES,
    }),
  )
  before = judging.catch(() => undefined)
  return judging
}
