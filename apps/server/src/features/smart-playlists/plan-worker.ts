/** A worker thread that parses and validates an import, or plans a draft, and sends the plan in parts. */
import { type SmartDraft, SmartImport } from '@floorcast/contract/smart-playlists.ts'
import { parseBody } from '../../platform/http/input.ts'
import { parseJsonText } from '../../platform/http/json-text.ts'
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { emitPlan, type PlanPart, preparePlan } from './prepared-plan.ts'

export type PlanJob = { bytes: ArrayBuffer } | { draft: SmartDraft; needsPlan: boolean }

answerJobs<PlanJob, PlanPart>(async (job, emit) => {
  if ('draft' in job) return emitPlan(preparePlan(job.draft, job.needsPlan), emit)
  const { editOf, ...draft } = parseBody(SmartImport, parseJsonText(Buffer.from(job.bytes).toString('utf8')))
  return { ...(await emitPlan(preparePlan(draft, false), emit)), editOf }
})
