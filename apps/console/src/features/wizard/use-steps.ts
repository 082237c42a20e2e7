import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigationType, useSearchParams } from 'react-router'
import { hasLeft } from '../../platform/navigate.ts'
import { focusInFoot } from './foot-focus.ts'
import type { PlanView } from './use-plan.ts'
import {
  lastPassableStep,
  steps,
  withStep,
  type DraftChange,
  type Step,
  type WizardDraft,
  isStep,
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

const PARAMETER = 'step'

/** Whether the address may open a step: one that the user has been to. */
const mayOpen = (asked: string, { reached }: WizardDraft): asked is Step =>
  isStep(asked) && steps.indexOf(asked) <= reached

/**
 * Keeps the step in the address, so that Back and Forward of the browser lead from step to step. The choice of the type has
 * no step. @returns a function that changes the draft and opens its step in the address
 */
export function useStepAddress(
  draft: WizardDraft,
  change: (change: DraftChange) => void,
): (next: DraftChange) => void {
  const [address, setAddress] = useSearchParams()
  const { pathname, key } = useLocation()
  const arrival = `${key} ${useNavigationType()}`
  const asked = address.get(PARAMETER)
  const { step } = draft
  /** The address that was followed last; undefined before the first. */
  const followed = useRef<string | null | undefined>(undefined)
  /** When Back follows at once, the written address is never drawn: only how its page was reached tells it from before. */
  const lastArrival = useRef(arrival)
  /** An address was written and is not there yet. */
  const isWriting = useRef(false)
  const write = (wanted: Step | null, replace: boolean) => {
    isWriting.current = true
    setAddress(
      now => {
        const next = new URLSearchParams(now)
        if (wanted === null) next.delete(PARAMETER)
        else next.set(PARAMETER, wanted)
        return next
      },
      { replace, preventScrollReset: true },
    )
  }
  useEffect(() => {
    if (hasLeft(pathname)) return
    const isFirst = followed.current === undefined
    const isNew = arrival !== lastArrival.current
    lastArrival.current = arrival
    if (asked === followed.current && !isNew) {
      if (asked !== step && !isWriting.current) write(step, true)
      return
    }
    followed.current = asked
    isWriting.current = false
    if (asked === step) return
    if (asked !== null && mayOpen(asked, draft) && (step !== null || !isFirst)) change(withStep(asked))
    else if (asked === null && !isFirst) change(now => ({ ...now, step: null }))
    else write(step, true)
  })
  return next => {
    const opened = next(draft).step
    change(next)
    if (opened !== asked) write(opened, false)
  }
}
