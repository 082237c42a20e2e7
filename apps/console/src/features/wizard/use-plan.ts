import type { PlanKind } from '@floorcast/planner/plan-types.ts'
import { toSmartDay, type DaySummary, type SmartDay } from '@floorcast/planner/smart-day.ts'
import type { PlanFindings } from '@floorcast/planner/validate.ts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { PlanAsker, type PlanQuestion } from './plan-asker.ts'
import type { BodyFields, Checked } from './plan-job.ts'
import type { PlanAnswer } from './plan-talk.ts'
import { windowOf, type WizardDraft } from './wizard-draft.ts'

/** A planned day and its key features. */
export interface ShownDay {
  day: SmartDay
  summary: DaySummary
}

export interface PlanView {
  /** The newest day that is known; while one drags it may be a frame or two behind. */
  shown: ShownDay | null
  findings: PlanFindings
  /** What the day has room for, in seconds; null until it is known. */
  air: Record<PlanKind, number> | null
  /** The worker could not be started or broke. */
  isBroken: boolean
  retry: () => void
  /** The findings of the draft as it is now. */
  settle: () => Promise<PlanFindings>
  /** The import's body for the draft as it is now. @throws AbortError */
  makeBody: (fields: BodyFields, signal: AbortSignal) => Promise<Blob>
}

const nothingFound: PlanFindings = { refusals: [], warnings: [] }

const hire = () => new Worker(new URL('plan-worker.ts', import.meta.url), { type: 'module' })

/** The question that a draft asks; the same object while nothing of it changes. */
function useQuestion(draft: WizardDraft, wantsDay: boolean): PlanQuestion {
  const { playlistType, melTime, adsTime, melMode, adsMode, melList, adsList, crossfade, seed } = draft
  const { startDay, endDay } = windowOf(draft)
  const settings = useMemo(
    () => ({ type: playlistType, startDay, endDay, melTime, adsTime, melMode, adsMode, crossfade, seed }),
    [playlistType, startDay, endDay, melTime, adsTime, melMode, adsMode, crossfade, seed],
  )
  return useMemo(() => ({ settings, melList, adsList, wantsDay }), [settings, melList, adsList, wantsDay])
}

/** Whether what is asked was answered, or will be, with what was asked before: the day may be left out. */
const isWithin = (question: PlanQuestion, before: PlanQuestion | undefined) =>
  !question.wantsDay &&
  before?.settings === question.settings &&
  before.melList === question.melList &&
  before.adsList === question.adsList

/** Questions under way, by number: an answer is read with the lists that it was asked with. */
class Asked {
  readonly #questions = new Map<number, PlanQuestion>()
  newest = 0

  get last(): PlanQuestion | undefined {
    return this.#questions.get(this.newest)
  }

  note(nr: number, question: PlanQuestion): void {
    this.newest = nr
    this.#questions.set(nr, question)
  }

  /** The question of an answer; older ones are forgotten. */
  of(nr: number): PlanQuestion | undefined {
    for (const older of this.#questions.keys()) if (older < nr) this.#questions.delete(older)
    return this.#questions.get(nr)
  }
}

function dayOf(
  answer: PlanAnswer & { kind: 'day' },
  { settings, melList, adsList }: PlanQuestion,
): ShownDay | null {
  if (!answer.planned) return null
  const { day, summary } = answer.planned
  return { summary, day: toSmartDay(day, { ...settings, melList, adsList }) }
}

/** Plans and judges the draft in a worker, anew at each change. @param wantsDay also the day itself, not the findings alone */
export function usePlan(draft: WizardDraft, wantsDay: boolean): PlanView {
  const question = useQuestion(draft, wantsDay)
  const [shown, show] = useState<ShownDay | null>(null)
  const [checked, check] = useState<Checked | null>(null)
  const [isBroken, setBroken] = useState(false)
  const [turn, setTurn] = useState(0)
  const asker = useRef<PlanAsker>(null)
  const asked = useRef(new Asked())
  const waiting = useRef<((findings: PlanFindings) => void)[]>([])
  const body = useRef<((body: Blob) => void) | null>(null)
  const known = useRef<{ nr: number; findings: PlanFindings }>({ nr: 0, findings: nothingFound })
  useEffect(() => {
    const hear = (answer: PlanAnswer) => {
      const about = asked.current.of(answer.nr)
      if (!about) return
      if (answer.kind === 'day') return show(dayOf(answer, about))
      if (answer.kind === 'body') return body.current?.(answer.body)
      check(answer.checked)
      known.current = { nr: answer.nr, findings: answer.checked.findings }
      if (answer.nr < asked.current.newest) return
      for (const tell of waiting.current.splice(0)) tell(answer.checked.findings)
    }
    // A new asker counts from 1 again.
    asked.current = new Asked()
    known.current = { nr: 0, findings: nothingFound }
    const made = new PlanAsker(hire, hear, () => setBroken(true))
    asker.current = made
    return () => made.stop()
  }, [turn])
  useEffect(() => {
    if (!asker.current || isWithin(question, asked.current.last)) return
    asked.current.note(asker.current.ask(question), question)
  }, [question, turn])
  const settle = useCallback(() => {
    if (known.current.nr === asked.current.newest) return Promise.resolve(known.current.findings)
    return new Promise<PlanFindings>(resolve => waiting.current.push(resolve))
  }, [])
  const makeBody = (fields: BodyFields, signal: AbortSignal) =>
    new Promise<Blob>((resolve, reject) => {
      body.current = resolve
      signal.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')))
      const wanted = { ...question, wantsDay: false, body: fields }
      if (asker.current) asked.current.note(asker.current.ask(wanted), wanted)
    })
  const retry = useCallback(() => {
    setBroken(false)
    setTurn(now => now + 1)
  }, [])
  return {
    shown,
    findings: checked?.findings ?? nothingFound,
    air: checked?.air ?? null,
    isBroken,
    retry,
    settle,
    makeBody,
  }
}
