/** A worker that parses an import and validates its plan or makes it, or plans a draft, and sends the plan in parts. */
import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { emitPlan, parseImport, type PlanPart, preparePlan } from './prepared-plan.ts'

export type PlanJob = { bytes: ArrayBuffer } | { draft: SmartDraft; needsPlan: boolean }

answerJobs<PlanJob, PlanPart>(async (job, emit) => {
  if ('draft' in job) return emitPlan(preparePlan(job.draft, job.needsPlan), emit)
  const { draft, needsPlan, editOf } = parseImport(Buffer.from(job.bytes))
  return { ...(await emitPlan(preparePlan(draft, needsPlan), emit)), editOf }
})
