import { createHash } from 'node:crypto'
import type { JobName, JobOutcome } from '@floorcast/contract/operator.ts'
import type { Context } from '../context.ts'
import { watchJob } from '../platform/metrics/watch-job.ts'

/*
 * Where jobs run, and where the database learns of it: each run of a job on a server, how it ended, and when the next one comes. An
 * operator's 'run now' comes over the bus to one server. Work that only one server may do has a lock of its own.
 */

/** While a run lasts, its server says so; the database takes a run for ended after four such times. */
const BEAT_MS = 30_000
/** The longest time of `setTimeout`. */
const MAX_TIMER_MS = 2 ** 31 - 1

export interface Job {
  name: JobName
  /** The time in which this server does it at least once, for monitors; null: another one may do it instead. */
  succeedsWithinMs: number | null
  /** When it runs after a moment. */
  nextAt: (now: Date) => Date
  /** Without it, the job runs at `nextAt`; with it, each `lookMs` if it says so, and `nextAt` is what operators read. */
  isDue?: () => Promise<boolean>
  lookMs?: number
  /** `isForced`: an operator asks for it, whether it is due or not. */
  /** `skipped`: there was nothing to do, since another server or command was at it. */
  run: (how: { isForced: boolean; signal: AbortSignal }) => Promise<Exclude<JobOutcome, 'failed'>>
  /** Logs a failure. The job runs again at its next time. */
  onFailure: (error: unknown) => void
}

export interface Jobs {
  /** The name of the server that runs them. */
  readonly server: string
  /** Runs the job now and at its times. @returns a function that stops it and waits for the current run */
  start(job: Job): () => Promise<void>
  /** This server does not have the job (any more): operators do not see it here. */
  drop(name: JobName): Promise<void>
}

export type JobsContext = Pick<Context, 'bus' | 'log' | 'metrics' | 'now'> & {
  database: { jobs: Pick<Context['database']['jobs'], 'runs'> }
}

/**
 * The name of a server's series, which admins of all clients read: it does not say the machine's. A server that moves to another host
 * or port has a new one.
 */
export const nameOf = (host: string, port: number) =>
  `server ${createHash('sha256').update(`${host}:${port}`).digest('hex').slice(0, 4)}`

export const openJobs = (context: JobsContext, server: string): Jobs => ({
  server,
  start: job => {
    const running = new RunningJob(context, server, job)
    running.begin(false)
    return () => running.stop()
  },
  drop: async name => {
    try {
      await context.database.jobs.runs.drop({ name, server })
    } catch (error) {
      context.log.warn({ err: error, job: name }, 'a job that this server does not have was not taken away')
    }
  },
})

/** A job on this server: one run at a time, and a timer for the next. */
class RunningJob {
  readonly #context: JobsContext
  readonly #job: Job
  readonly #names: { name: JobName; server: string }
  readonly #watched: ReturnType<typeof watchJob>
  readonly #stopping = new AbortController()
  readonly #stopListening: () => void
  #running: Promise<void> | null = null
  #timer: NodeJS.Timeout | null = null
  /** An operator has asked for it while it looked whether it is due, or just began or ended. */
  #isAsked = false

  constructor(context: JobsContext, server: string, job: Job) {
    this.#context = context
    this.#job = job
    this.#names = { name: job.name, server }
    this.#watched = watchJob(context.metrics, { name: job.name, periodMs: job.succeedsWithinMs })
    this.#stopListening = context.bus.listen('job', {
      heard: ([name, on]) => {
        if (name === job.name && on === server.replaceAll(' ', '_')) this.begin(true)
      },
      // The lease of a request that was lost ends by itself.
      missed: () => undefined,
    })
  }

  begin(isForced: boolean): void {
    if (this.#stopping.signal.aborted) return
    if (this.#running) {
      this.#isAsked ||= isForced
      return
    }
    if (this.#timer) clearTimeout(this.#timer)
    this.#isAsked = false
    this.#running = this.#run(isForced).finally(() => {
      this.#running = null
      if (this.#isAsked) this.begin(true)
      else if (!this.#stopping.signal.aborted)
        this.#timer = setTimeout(() => this.begin(false), this.#waitMs())
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#stopListening()
    if (this.#timer) clearTimeout(this.#timer)
    await this.#running
  }

  #waitMs(): number {
    const { lookMs, nextAt } = this.#job
    const now = this.#context.now()
    return lookMs ?? Math.min(MAX_TIMER_MS, Math.max(1, nextAt(now).getTime() - now.getTime()))
  }

  async #run(isForced: boolean): Promise<void> {
    const { now, database } = this.#context
    const { runs } = database.jobs
    const { nextAt } = this.#job
    if (!isForced && !(await this.#isDue()))
      return this.#record(() => runs.plan(this.#names, now(), nextAt(now())))
    await this.#record(() => runs.begin(this.#names, now()))
    const beat = setInterval(() => void this.#record(() => runs.beat(this.#names, now())), BEAT_MS)
    const outcome = await this.#outcomeOf(isForced)
    clearInterval(beat)
    await this.#record(() => runs.end(this.#names, { outcome, at: now(), nextAt: nextAt(now()) }))
  }

  async #isDue(): Promise<boolean> {
    try {
      return (await this.#job.isDue?.()) ?? true
    } catch (error) {
      this.#job.onFailure(error)
      return false
    }
  }

  async #outcomeOf(isForced: boolean): Promise<JobOutcome> {
    try {
      return await this.#watched(() => this.#job.run({ isForced, signal: this.#stopping.signal }))
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#job.onFailure(error)
      return 'failed'
    }
  }

  /** The job goes on where the database cannot be told. */
  async #record(tell: () => Promise<void>): Promise<void> {
    try {
      await tell()
    } catch (error) {
      if (!this.#stopping.signal.aborted)
        this.#context.log.warn({ err: error, job: this.#job.name }, 'a run of a job was not recorded')
    }
  }
}
