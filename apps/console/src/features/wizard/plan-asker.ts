import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import type { BodyFields, PackedList, PlanSettings } from './plan-job.ts'
import type { PlanAnswer, PlanAsk } from './plan-talk.ts'

/** What the asker needs of a `Worker`. */
export interface PlanWorker {
  postMessage(ask: PlanAsk, transfer: Transferable[]): void
  onmessage: ((event: MessageEvent<PlanAnswer>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  terminate(): void
}

export interface PlanQuestion {
  settings: PlanSettings
  melList: readonly SmartTrack[]
  adsList: readonly SmartTrack[]
  wantsDay: boolean
  body?: BodyFields
}

/** A question that was overtaken is given this long to end by itself; then its worker is. */
const patienceMs = 1_000

/**
 * Asks a worker for plans, at every change of the draft; the page never waits. The newest question wins: the worker looks
 * for newer messages before each plan and between the plan and its findings, and is replaced when it is busy with an
 * outdated one for over a second. Answers to outdated questions are shown while the user drags. Lists are sent only when
 * they change; a day returns as typed arrays that are transferred, not copied, and the import's body as a Blob. A plan on
 * the server would cost a round trip for each move of the hand.
 */
export class PlanAsker {
  readonly #hire: () => PlanWorker
  readonly #hear: (answer: PlanAnswer) => void
  readonly #fail: () => void
  #worker: PlanWorker | undefined
  #known: Pick<PlanQuestion, 'melList' | 'adsList'> | undefined
  #question: PlanQuestion | undefined
  #nr = 0
  #answered = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(hire: () => PlanWorker, hear: (answer: PlanAnswer) => void, fail: () => void) {
    this.#hire = hire
    this.#hear = hear
    this.#fail = fail
  }

  /** Answers the question's number; answers carry it. */
  ask(question: PlanQuestion): number {
    this.#nr += 1
    this.#question = question
    // The worker has not answered the one before: it may be stuck in it.
    if (this.#answered < this.#nr - 1) this.#timer ??= setTimeout(() => this.#replace(), patienceMs)
    this.#send()
    return this.#nr
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#known = undefined
  }

  #replace(): void {
    this.#timer = undefined
    this.stop()
    this.#send()
  }

  #send(): void {
    if (!this.#question) return
    const { settings, melList, adsList, wantsDay, body } = this.#question
    const ask: PlanAsk = { nr: this.#nr, settings, wantsDay, ...(body ? { body } : {}) }
    if (this.#known?.melList !== melList || this.#known.adsList !== adsList)
      ask.lists = { melody: packList(melList), ad: packList(adsList) }
    this.#known = { melList, adsList }
    this.#worker ??= this.#start()
    this.#worker.postMessage(ask, [])
  }

  #start(): PlanWorker {
    const worker = this.#hire()
    worker.onmessage = ({ data }) => {
      clearTimeout(this.#timer)
      this.#timer = undefined
      this.#answered = Math.max(this.#answered, data.nr)
      this.#hear(data)
    }
    worker.onerror = event => {
      event.preventDefault()
      this.stop()
      this.#fail()
    }
    return worker
  }
}

const packList = (tracks: readonly SmartTrack[]): PackedList => ({
  uids: tracks.map(({ uid }) => uid),
  durations: Float64Array.from(tracks, ({ duration }) => duration),
  weights: Float64Array.from(tracks, ({ weight }) => weight),
})
