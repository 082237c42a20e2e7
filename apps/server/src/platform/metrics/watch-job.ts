import { tracingChannel } from 'node:diagnostics_channel'
import type { Metrics } from './metrics.ts'

interface JobRuns {
  periodMs: number | null
  /** Of the last success; before the first one, the start. Milliseconds since 1970. */
  succeededAt: number
  lastMs: number | null
  failures: number
}

export interface WatchedJob {
  name: string
  /** The time in which it succeeds at least once; null: another server may do it instead. */
  periodMs: number | null
}

/** What a run ends with that had nothing to do: another server or command was at the job. */
export const SKIPPED = 'skipped'

/** Each run of a job, for whom it may concern: traces. */
export const jobRuns = tracingChannel<unknown, { job: string }>('floorcast.job')

const jobsOf = new WeakMap<Metrics, Map<string, JobRuns>>()

/** Those of a server, which monitors see from the first one on. */
function runsOf(metrics: Metrics): Map<string, JobRuns> {
  const known = jobsOf.get(metrics)
  if (known) return known
  const jobs = new Map<string, JobRuns>()
  jobsOf.set(metrics, jobs)
  const each = (read: (runs: JobRuns) => number | null) => () =>
    // Prometheus itself gives each series a label `job`.
    [...jobs].flatMap(([name, runs]) => {
      const value = read(runs)
      return value === null ? [] : [[{ name }, value] as const]
    })
  metrics.gauges(
    'job_last_success_timestamp_seconds',
    { help: 'The last success of a job of this server; before the first one, its start.', labels: ['name'] },
    each(({ periodMs, succeededAt }) => (periodMs === null ? null : succeededAt / 1000)),
  )
  metrics.gauges(
    'job_period_seconds',
    { help: 'The time in which a job succeeds at least once.', labels: ['name'] },
    each(({ periodMs }) => (periodMs === null ? null : periodMs / 1000)),
  )
  metrics.gauges(
    'job_duration_seconds',
    { help: 'How long the last run of a job took.', labels: ['name'] },
    each(({ lastMs }) => (lastMs === null ? null : lastMs / 1000)),
  )
  metrics.totals(
    'job_failures_total',
    { help: 'Runs of a job that failed.', labels: ['name'] },
    each(({ failures }) => failures),
  )
  return jobs
}

/**
 * Lets monitors see when a job last succeeded, how long it took and how often it failed. A run that was skipped is no failure and is
 * not measured. @returns what runs it, and throws what it throws
 */
export function watchJob(
  metrics: Metrics,
  { name, periodMs }: WatchedJob,
): <T>(work: () => Promise<T>) => Promise<T> {
  const runs: JobRuns = { periodMs, succeededAt: Date.now(), lastMs: null, failures: 0 }
  runsOf(metrics).set(name, runs)
  return async work => {
    const begun = performance.now()
    try {
      const result = await jobRuns.tracePromise(work, { job: name })
      runs.succeededAt = Date.now()
      if (!Object.is(result, SKIPPED)) runs.lastMs = performance.now() - begun
      return result
    } catch (error) {
      runs.failures += 1
      runs.lastMs = performance.now() - begun
      throw error
    }
  }
}
