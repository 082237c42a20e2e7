/** A worker that probes files and reads their tags and pictures. */
import { answerJobs } from '../../platform/lib/worker-jobs.ts'
import { parsePicture } from './parse-picture.ts'
import { parseTags } from './parse-tags.ts'
import { probeMp3 } from './probe-mp3.ts'
import { probeMp4 } from './probe-mp4.ts'

/** The format that the file must have. */
export type ProbedFormat = 'mp3' | 'mp4'

/** What a worker does with a file. */
export interface ProbeJob {
  task: 'probe' | 'read-tags' | 'read-picture'
  format: ProbedFormat
  path: string
}

answerJobs(({ task, format, path }: ProbeJob) => {
  if (task === 'read-tags') return parseTags(path, format)
  if (task === 'read-picture') return parsePicture(path, format)
  return format === 'mp3' ? probeMp3(path) : probeMp4(path)
})
