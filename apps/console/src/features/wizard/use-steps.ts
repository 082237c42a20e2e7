import { useEffect, useRef, useState } from 'react'
import { focusInFoot } from './foot-focus.ts'
import type { PlanView } from './use-plan.ts'
import {
  lastPassableStep,
  steps,
  withStep,
  type DraftChange,
  type Step,
  type WizardDraft,
} from './wizard-draft.ts'

export interface StepControl {
  /** Steps that the user could not leave; their empty lists are reported too. */
  refusedSteps: ReadonlySet<Step>
  /** The step is being validated before it is left. */
  isGoing: boolean
  go: (to: Step) => Promise<void>
  reset: () => void
}

/** Moves between steps: back at once, forward when each step on the way is valid. @param open see `useStepAddress` */
export function useSteps(
  draft: WizardDraft,
  { validate }: Pick<PlanView, 'validate'>,
  open: (change: DraftChange) => void,
): StepControl {
  const [refusedSteps, setRefusedSteps] = useState<ReadonlySet<Step>>(new Set())
  const [isGoing, setIsGoing] = useState(false)
  const startedMs = useRef<number | null>(null)
  const shown = useRef(draft.step)
  const { step } = draft
  const go = async (to: Step) => {
    if (step === null || isGoing) return
    startedMs.current = performance.now()
    // Going back needs no validation.
    if (steps.indexOf(to) <= steps.indexOf(step)) return open(withStep(to))
    setIsGoing(true)
    const { refusals } = await validate()
    setIsGoing(false)
    const stop = lastPassableStep(step, to, at => refusals.some(refusal => refusal.step === at))
    if (stop !== to) {
      setRefusedSteps(now => new Set([...now, stop]))
      focusInFoot('wizard-findings')
    }
    open(withStep(stop))
  }
  useEffect(() => {
    const start = startedMs.current
    startedMs.current = null
    if (step === shown.current) return
    shown.current = step
    if (step === null) return
    // Screen readers start at the beginning of the new step.
    document.getElementById('wizard-step')?.focus({ preventScroll: true })
    scrollTo({ top: 0, behavior: 'instant' })
    if (start === null) return
    const frame = requestAnimationFrame(() => void performance.measure(`wizard:${step}`, { start }))
    return () => cancelAnimationFrame(frame)
  }, [step])
  return { refusedSteps, isGoing, go, reset: () => setRefusedSteps(new Set()) }
}
