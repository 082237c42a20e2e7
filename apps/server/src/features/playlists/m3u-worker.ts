/** A worker that parses M3U files. */
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { readM3u } from './m3u.ts'

answerJobs(({ fileName, bytes, codePage }: { fileName: string; bytes: ArrayBuffer; codePage?: string }) =>
  readM3u(fileName, new Uint8Array(bytes), codePage),
)
