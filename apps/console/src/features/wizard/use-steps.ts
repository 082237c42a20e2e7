import { useEffect, useRef, useState } from 'react'
import type { PlanView } from './use-plan.ts'
import { nextStop, steps, withStep, type DraftChange, type Step, type WizardDraft } from './wizard-draft.ts'

export interface StepControl {
  /** Steps whose check refused to be passed: their empty lists are told too. */
  refusedSteps: ReadonlySet<Step>
  /** A step is being judged before it is left. */
  isGoing: boolean
  go: (to: Step) => Promise<void>
  forget: () => void
}

/** Leads through the steps: back freely, forward through each step's own check. */
export function useSteps(
  draft: WizardDraft,
  { validate }: Pick<PlanView, 'validate'>,
  change: (change: DraftChange) => void,
): StepControl {
  const [refusedSteps, refuse] = useState<ReadonlySet<Step>>(new Set())
  const [isGoing, setGoing] = useState(false)
  const startedMs = useRef<number | null>(null)
  const { step } = draft
  const go = async (to: Step) => {
    if (step === null || isGoing) return
    startedMs.current = performance.now()
    // Back is free: nobody has to wait for it.
    if (steps.indexOf(to) <= steps.indexOf(step)) return change(withStep(to))
    setGoing(true)
    const { refusals } = await validate()
    setGoing(false)
    const stop = nextStop(step, to, at => refusals.some(refusal => refusal.step === at))
    if (stop !== to) {
      refuse(now => new Set([...now, stop]))
      // Drawn first, so that there is something to lead to.
      requestAnimationFrame(() => document.getElementById('wizard-findings')?.focus())
    }
    change(withStep(stop))
  }
  useEffect(() => {
    if (startedMs.current === null || step === null) return
    const start = startedMs.current
    startedMs.current = null
    // The new step is read from its beginning.
    document.getElementById('wizard-step')?.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
    const frame = requestAnimationFrame(() => void performance.measure(`wizard:${step}`, { start }))
    return () => cancelAnimationFrame(frame)
  }, [step])
  return { refusedSteps, isGoing, go, forget: () => refuse(new Set()) }
}
