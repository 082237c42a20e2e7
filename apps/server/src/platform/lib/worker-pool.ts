import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { ProblemError } from './errors.ts'
import { type RunningWorker, startWorker, type WorkerProgram } from './start-worker.ts'
import type { WorkerAnswer, WorkerEnd, WorkerRequest } from './worker-jobs.ts'

/** A worker starts in some tenths of a second, so it stays this long for another job. */
const IDLE_MS = 30_000
const WATCH_INTERVAL_MS = 250
/** A worker has a low priority, so that its job takes longer on a busy machine. */
const CLOCK_FACTOR = 10

type PoolProgram = WorkerProgram & {
  /** Each job gets its own worker, since wrong bytes may damage the memory of a codec. */
  isForOneJob?: boolean
}

interface Job<Part> {
  data: object
  /** Buffers that the worker takes over, and ports for a thread. */
  transfer?: readonly (ArrayBuffer | MessagePort)[]
  /**
   * Processor time, which does not depend on what else the machine does. After it, or after ten times as long on the clock,
   * the job fails with a TimeoutError, and its worker ends.
   */
  deadlineMs: number
  /** Aborted: the job fails with the signal's reason, and its worker ends. */
  signal?: AbortSignal | undefined
  /** Takes a part of the answer; one part in a turn of the event loop. The worker waits until it resolves. */
  onPart?: (part: Part) => void | Promise<void>
}

/** True for the error of a job that took more time or memory than it may. */
export const isOverLimit = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))

/** Workers of one program, each with a separate heap. They start when they are needed; a FairQueue bounds their number. */
export class WorkerPool {
  readonly #program: PoolProgram
  readonly #idle: { worker: RunningWorker; timer: NodeJS.Timeout }[] = []

  constructor(program: PoolProgram) {
    this.#program = program
  }

  /** @returns the job's result @throws errors of the job, out of memory, a TimeoutError, or the signal's reason */
  async run<Result, Part = never>(job: Job<Part>): Promise<Result> {
    job.signal?.throwIfAborted()
    const worker = this.#take()
    let end: WorkerEnd
    try {
      end = await exchange(worker, job)
    } catch (error) {
      await worker.end()
      throw error
    }
    this.#keep(worker)
    if (end.kind === 'problem') throw new ProblemError(end.code, end.details)
    if (end.kind === 'error') throw end.error
    return end.result as Result
  }

  #take(): RunningWorker {
    const idle = this.#idle.pop()
    if (!idle) return this.#start()
    clearTimeout(idle.timer)
    idle.worker.ref()
    return idle.worker
  }

  #start(): RunningWorker {
    const worker = startWorker(this.#program)
    worker.events.on('end', () => this.#drop(worker))
    return worker
  }

  /** An idle worker does not keep the server alive. */
  #keep(worker: RunningWorker): void {
    if (this.#program.isForOneJob === true) return void worker.end()
    worker.unref()
    const timer = setTimeout(() => {
      this.#drop(worker)
      void worker.end()
    }, IDLE_MS)
    this.#idle.push({ worker, timer: timer.unref() })
  }

  #drop(worker: RunningWorker): void {
    const at = this.#idle.findIndex(idle => idle.worker === worker)
    if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]?.timer)
  }
}

/** Calls `end` when the worker has used `limitMs` more processor time. @returns a function that ends the watch */
function watchProcessorTime(worker: RunningWorker, limitMs: number, end: () => void): () => void {
  let before: number | null = null
  const look = async () => {
    const used = await worker.processorMs()
    before ??= used
    if (used - before > limitMs) end()
  }
  // A worker that starts or ends has no figure.
  const timer = setInterval(() => void look().catch(() => {}), WATCH_INTERVAL_MS)
  return () => clearInterval(timer)
}

async function exchange<Part>(worker: RunningWorker, job: Job<Part>): Promise<WorkerEnd> {
  const ended = new AbortController()
  const end = (error: Error) => ended.abort(error)
  worker.events.once('end', end)
  const clock = AbortSignal.timeout(Math.ceil(job.deadlineMs * CLOCK_FACTOR))
  const signal = AbortSignal.any([ended.signal, clock, ...(job.signal ? [job.signal] : [])])
  const endWatch = watchProcessorTime(worker, job.deadlineMs, () =>
    end(new DOMException('The job took too much processor time', 'TimeoutError')),
  )
  const ask = (request: WorkerRequest) => worker.post(request, 'data' in request ? (job.transfer ?? []) : [])
  try {
    ask({ data: job.data })
    for (;;) {
      const [answer] = (await once(worker.events, 'message', { signal })) as [WorkerAnswer]
      if (answer.kind !== 'part') return answer
      await job.onPart?.(answer.part as Part)
      // Other calls have their turn between two parts.
      await nextTurn()
      ask({ next: true })
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    endWatch()
    worker.events.off('end', end)
  }
}
