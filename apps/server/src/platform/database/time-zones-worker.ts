/** A worker thread that compares PostgreSQL's time zones with Node's: a second of work, and some megabytes of formatters. */
import { answerJobs } from '../lib/worker-jobs.ts'
import { findZoneDifferences } from './time-zones.ts'

export interface TimeZonesJob {
  /** The URL of the database. */
  url: string
}

answerJobs<TimeZonesJob, never>(({ url }) => findZoneDifferences(url, new Date()))
