import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { hasLeft } from '../../platform/navigate.ts'
import { isStep, steps, withStep, type DraftChange, type Step, type WizardDraft } from './wizard-draft.ts'

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
  const { pathname } = useLocation()
  const asked = address.get(PARAMETER)
  const { step } = draft
  /** The address that was followed last; undefined before the first. */
  const followed = useRef<string | null | undefined>(undefined)
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
    if (asked === followed.current) {
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
