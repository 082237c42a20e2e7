import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type MessagePort, Worker } from 'node:worker_threads'
import { ProblemError } from './errors.ts'
import type { WorkerAnswer, WorkerEnd, WorkerRequest } from './worker-jobs.ts'

/** A thread starts in some tenths of a second, so it stays this long for another job. */
const IDLE_MS = 30_000
const WATCH_INTERVAL_MS = 250
/** A thread has a low priority, so that its job takes longer on a busy machine. */
const CLOCK_FACTOR = 10

interface Program {
  /** Calls `answerJobs` of worker-jobs.ts. */
  program: URL
  heapMegabytes: number
  /** Of objects that die young, which a program makes many of; Node's default is 48. */
  youngHeapMegabytes?: number
  /** What wrong bytes leave in the memory of a codec ends with their thread. */
  isForOneJob?: boolean
}

interface Job<Part> {
  data: object
  /** Buffers and ports that the thread takes over, so that nothing is copied. */
  transfer?: readonly (ArrayBuffer | MessagePort)[]
  /**
   * Processor time, which does not depend on what else the machine does. After it, or after ten times as long on the clock,
   * the job fails with a TimeoutError, and its thread ends.
   */
  deadlineMs: number
  /** Aborted: the job fails with the signal's reason, and its thread ends. */
  signal?: AbortSignal | undefined
  /** Takes a part of the answer; one part in a turn of the event loop. The thread waits until it resolves. */
  onPart?: (part: Part) => void | Promise<void>
}

/** True for the error of a job that took more time or memory than it may. */
export const isOverLimit = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'))

/** Threads of one program, each with a separate heap. They start when they are needed; a FairQueue bounds their number. */
export class WorkerThreads {
  readonly #program: Program
  readonly #idle: { worker: Worker; timer: NodeJS.Timeout }[] = []

  constructor(program: Program) {
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
      await worker.terminate()
      throw error
    }
    this.#keep(worker)
    if (end.kind === 'problem') throw new ProblemError(end.status, end.code, end.details)
    if (end.kind === 'error') throw end.error
    return end.result as Result
  }

  #take(): Worker {
    const idle = this.#idle.pop()
    if (!idle) return this.#start()
    clearTimeout(idle.timer)
    idle.worker.ref()
    return idle.worker
  }

  #start(): Worker {
    const { program, heapMegabytes, youngHeapMegabytes } = this.#program
    const cache = getCompileCacheDir()
    const worker = new Worker(program, {
      // A thread reads no setting. Its modules come from the server's compile cache: without it Node's TypeScript compiler takes
      // 11 MB in each thread. The cache's own folder has one for each version of Node.
      env: cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) },
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytes,
        ...(youngHeapMegabytes !== undefined && { maxYoungGenerationSizeMb: youngHeapMegabytes }),
      },
    })
    // `exchange` hears the errors of a job; one between two jobs must not end the server.
    worker.on('error', () => {})
    worker.on('exit', () => this.#drop(worker))
    return worker
  }

  /** An idle thread does not keep the process alive. */
  #keep(worker: Worker): void {
    if (this.#program.isForOneJob === true) return void worker.terminate()
    worker.unref()
    const timer = setTimeout(() => {
      this.#drop(worker)
      void worker.terminate()
    }, IDLE_MS)
    this.#idle.push({ worker, timer: timer.unref() })
  }

  #drop(worker: Worker): void {
    const at = this.#idle.findIndex(idle => idle.worker === worker)
    if (at >= 0) clearTimeout(this.#idle.splice(at, 1)[0]?.timer)
  }
}

/** Calls `end` when the thread has used so much more processor time. @returns what ends the watch */
function watchProcessorTime(worker: Worker, limitMs: number, end: () => void): () => void {
  let before: number | null = null
  const look = async () => {
    const { user, system } = await worker.cpuUsage()
    const used = (user + system) / 1000
    before ??= used
    if (used - before > limitMs) end()
  }
  // A thread that starts or ends has no figure.
  const timer = setInterval(() => void look().catch(() => {}), WATCH_INTERVAL_MS)
  return () => clearInterval(timer)
}

async function exchange<Part>(worker: Worker, job: Job<Part>): Promise<WorkerEnd> {
  const ended = new AbortController()
  const end = (code: number) => ended.abort(new Error(`The worker ended with ${code} and said nothing`))
  worker.once('exit', end)
  const clock = AbortSignal.timeout(Math.ceil(job.deadlineMs * CLOCK_FACTOR))
  const signal = AbortSignal.any([ended.signal, clock, ...(job.signal ? [job.signal] : [])])
  const endWatch = watchProcessorTime(worker, job.deadlineMs, () =>
    ended.abort(new DOMException('The job took too much processor time', 'TimeoutError')),
  )
  const ask = (request: WorkerRequest, transfer: readonly (ArrayBuffer | MessagePort)[] = []) =>
    worker.postMessage(request, [...transfer])
  try {
    ask({ data: job.data }, job.transfer)
    for (;;) {
      const [answer] = (await once(worker, 'message', { signal })) as [WorkerAnswer]
      if (answer.kind !== 'part') return answer
      await job.onPart?.(answer.part as Part)
      // Other calls have their turn between two parts.
      await nextTurn()
      ask({ next: true })
    }
  } catch (error) {
    // A thread that fills its memory says so, and then exits: the reason of the first counts.
    if (!(error instanceof Error && error.name === 'AbortError')) throw error
    signal.throwIfAborted()
    throw error
  } finally {
    endWatch()
    worker.off('exit', end)
  }
}
