/** A worker thread that probes files. */
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { probeMp3 } from './probe-mp3.ts'
import { probeMp4 } from './probe-mp4.ts'

/** The format that the file must have. */
export type ProbedFormat = 'mp3' | 'mp4'

answerJobs(({ format, path }: { format: ProbedFormat; path: string }) =>
  format === 'mp3' ? probeMp3(path) : probeMp4(path),
)
