import type { SmartTrack } from '@floorcast/planner/smart-day.ts'
import type { ImportFields, PackedList, PlanRequest, PlanResponse, PlanSettings } from './plan-protocol.ts'

/** The part of a `Worker` that the client uses. */
export interface PlanWorker {
  postMessage(request: PlanRequest): void
  onmessage: ((event: MessageEvent<PlanResponse>) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  terminate(): void
}

export interface PlanJob {
  settings: PlanSettings
  melList: readonly SmartTrack[]
  adsList: readonly SmartTrack[]
  wantsDay: boolean
  importFields?: ImportFields
}

/** A worker that is busy with an outdated job for longer is replaced. */
const maxOutdatedMs = 1_000

/**
 * Plans in a worker at every change of the draft, so the page never waits. The newest job wins: the worker looks for
 * newer messages before each plan and between the plan and its validation, and is replaced when it is busy with an
 * outdated one for over a second. Responses to outdated jobs are shown while the user drags. Lists are sent only when
 * they change; a day returns as typed arrays that are transferred, not copied, and the import's body as a Blob. A
 * plan on the server would cost a round trip for each pointer move.
 */
export class PlanClient {
  readonly #createWorker: () => PlanWorker
  readonly #onMessage: (response: PlanResponse, job: PlanJob) => void
  readonly #onError: () => void
  #worker: PlanWorker | undefined
  /** The job whose lists the worker has. */
  #sent: PlanJob | undefined
  #newest: PlanJob | undefined
  #newestId = 0
  #answeredId = 0
  /** By request id: a response is read with the lists of its job. */
  readonly #jobs = new Map<number, PlanJob>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(
    createWorker: () => PlanWorker,
    onMessage: (response: PlanResponse, job: PlanJob) => void,
    onError: () => void,
  ) {
    this.#createWorker = createWorker
    this.#onMessage = onMessage
    this.#onError = onError
  }

  get newest(): PlanJob | undefined {
    return this.#newest
  }

  submit(job: PlanJob): void {
    this.#newestId += 1
    this.#newest = job
    this.#jobs.set(this.#newestId, job)
    // The worker has not answered the request before: it may be stuck in it.
    if (this.#answeredId < this.#newestId - 1)
      this.#timer ??= setTimeout(() => this.#replaceWorker(), maxOutdatedMs)
    this.#send(job)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#sent = undefined
  }

  #replaceWorker(): void {
    this.#timer = undefined
    this.stop()
    if (this.#newest) this.#send(this.#newest)
  }

  #send(job: PlanJob): void {
    const { melList, adsList, ...rest } = job
    const hasLists = this.#sent?.melList === melList && this.#sent.adsList === adsList
    const lists = hasLists ? {} : { lists: { melody: packList(melList), ad: packList(adsList) } }
    this.#sent = job
    this.#worker ??= this.#startWorker()
    this.#worker.postMessage({ id: this.#newestId, ...rest, ...lists })
  }

  #startWorker(): PlanWorker {
    const worker = this.#createWorker()
    worker.onmessage = ({ data }) => this.#receive(data)
    worker.onerror = event => {
      event.preventDefault()
      this.stop()
      this.#onError()
    }
    return worker
  }

  #receive(response: PlanResponse): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#answeredId = Math.max(this.#answeredId, response.id)
    for (const id of this.#jobs.keys()) if (id < response.id) this.#jobs.delete(id)
    const job = this.#jobs.get(response.id)
    if (job) this.#onMessage(response, job)
  }
}

const packList = (tracks: readonly SmartTrack[]): PackedList => ({
  uids: tracks.map(({ uid }) => uid),
  durations: Float64Array.from(tracks, ({ duration }) => duration),
  weights: Float64Array.from(tracks, ({ weight }) => weight),
})
