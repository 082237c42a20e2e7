/** A worker thread that parses M3U files. */
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { readM3u } from './m3u.ts'

answerJobs(({ fileName, bytes }: { fileName: string; bytes: ArrayBuffer }) =>
  readM3u(fileName, new Uint8Array(bytes)),
)
