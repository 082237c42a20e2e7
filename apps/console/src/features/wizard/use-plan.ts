import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { toSmartDay, type DaySummary, type SmartDay } from '@floorcast/planner/smart-day.ts'
import type { PlanFindings } from '@floorcast/planner/validate.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { PlanClient, type PlanJob } from './plan-client.ts'
import type { ImportFields, PlanResponse, Validation } from './plan-protocol.ts'
import { windowOf, type WizardDraft } from './wizard-draft.ts'

/** A planned day and its key features. */
export interface ShownDay {
  day: SmartDay
  summary: DaySummary
}

export interface PlanView {
  /** The newest planned day; while the user drags it may be a frame or two behind. */
  shown: ShownDay | null
  findings: PlanFindings
  /** Air time of the window, in seconds; null until it is known. */
  air: Record<PlanKind, number> | null
  /** The worker did not start, or failed. */
  isBroken: boolean
  retry: () => void
  /** The findings of the present draft. */
  validate: () => Promise<PlanFindings>
  /** The import's body of the present draft. @throws AbortError */
  makeBody: (fields: ImportFields, signal: AbortSignal) => Promise<Blob>
}

const noFindings: PlanFindings = { refusals: [], warnings: [] }

const createWorker = () => new Worker(new URL('plan-worker.ts', import.meta.url), { type: 'module' })

/** The job of a draft; the same object while nothing that it plans from changes. */
function useJob(draft: WizardDraft, wantsDay: boolean): PlanJob {
  const { playlistType, melTime, adsTime, melMode, adsMode, melList, adsList } = draft
  const { crossfade, minAdGap, seed } = draft
  const { startDay, endDay } = windowOf(draft)
  const settings = useMemo(
    () => ({
      type: playlistType,
      startDay,
      endDay,
      melTime,
      adsTime,
      melMode,
      adsMode,
      crossfade,
      minAdGap,
      seed,
    }),
    [playlistType, startDay, endDay, melTime, adsTime, melMode, adsMode, crossfade, minAdGap, seed],
  )
  return useMemo(() => ({ settings, melList, adsList, wantsDay }), [settings, melList, adsList, wantsDay])
}

/** Whether the previous job covers this one: only the day is no longer wanted. */
const isCovered = (job: PlanJob, before: PlanJob | undefined) =>
  !job.wantsDay &&
  before?.settings === job.settings &&
  before.melList === job.melList &&
  before.adsList === job.adsList

function toShownDay(
  { plan }: PlanResponse & { kind: 'day' },
  { settings, melList, adsList }: PlanJob,
): ShownDay | null {
  return plan && { summary: plan.summary, day: toSmartDay(plan.day, { ...settings, melList, adsList }) }
}

/** Plans and validates the draft in a worker, again at each change. @param wantsDay false: it is only validated */
export function usePlan(draft: WizardDraft, wantsDay: boolean): PlanView {
  const job = useJob(draft, wantsDay)
  const [shown, setShown] = useState<ShownDay | null>(null)
  const [validation, setValidation] = useState<Validation | null>(null)
  const [isBroken, setIsBroken] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const client = useRef<PlanClient>(null)
  const validated = useRef<{ job?: PlanJob; findings: PlanFindings }>({ findings: noFindings })
  const waiting = useRef<((findings: PlanFindings) => void)[]>([])
  const onBody = useRef<((body: Blob) => void) | null>(null)
  useEffect(() => {
    const onMessage = (response: PlanResponse, of: PlanJob) => {
      if (response.kind === 'day') return setShown(toShownDay(response, of))
      if (response.kind === 'body') return onBody.current?.(response.body)
      const { findings } = response.validation
      setValidation(response.validation)
      validated.current = { job: of, findings }
      if (of !== created.newest) return
      for (const resolve of waiting.current.splice(0)) resolve(findings)
    }
    const created = new PlanClient(createWorker, onMessage, () => setIsBroken(true))
    validated.current = { findings: noFindings }
    client.current = created
    return () => created.stop()
  }, [attempt])
  useEffect(() => {
    if (!isCovered(job, client.current?.newest)) client.current?.submit(job)
  }, [job, attempt])
  const validate = useCallback(() => {
    if (validated.current.job === client.current?.newest) return Promise.resolve(validated.current.findings)
    return new Promise<PlanFindings>(resolve => waiting.current.push(resolve))
  }, [])
  const makeBody = (importFields: ImportFields, signal: AbortSignal) =>
    new Promise<Blob>((resolve, reject) => {
      onBody.current = resolve
      signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
      client.current?.submit({ ...job, wantsDay: false, importFields })
    })
  const retry = useCallback(() => {
    setIsBroken(false)
    setAttempt(now => now + 1)
  }, [])
  return {
    shown,
    findings: validation?.findings ?? noFindings,
    air: validation?.air ?? null,
    isBroken,
    retry,
    validate,
    makeBody,
  }
}
