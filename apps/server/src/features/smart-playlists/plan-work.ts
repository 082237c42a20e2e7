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
 * What the planner has against a draft. A long day is judged in a thread of its own, one at a time, so that other calls are
 * answered meanwhile: a day of 86,000 tracks below a second takes one.
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
