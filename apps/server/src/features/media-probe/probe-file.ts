import { FairQueue } from '../../platform/lib/fair-queue.ts'
import { isOverLimit, WorkerPool } from '../../platform/lib/worker-pool.ts'
import { type MediaProbeResult, type ProbedAudio, type ProbedVideo, refuse } from './probe-result.ts'
import type { TagPicture } from './parse-picture.ts'
import type { TagCredits } from './parse-tags.ts'
import type { ProbedFormat, ProbeJob } from './probe-worker.ts'

/** A received file to probe. */
interface FileToProbe {
  path: string
  sizeBytes: number
  /** Clients take turns. */
  clientId: string
}

// A day of video needs a third of both limits. A file that falsely claims millions of samples would exceed any limit.
const MAX_HEAP_MB = 256
const MIN_DEADLINE_MS = 5000
const MAX_DEADLINE_MS = 30_000
const BYTES_A_MS = 40_000
/** A file from this size on is a long job: such files leave a worker for others. */
const LONG_BYTES = 100 * 1024 * 1024

const workers = new WorkerPool({
  program: new URL('./probe-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: MAX_HEAP_MB,
})
const turns = new FairQueue({ places: 2, longPlaces: 1 })

const TAGS_DEADLINE_MS = 2000

const jobOf = (job: ProbeJob): object => job

type Facts = { mp3: ProbedAudio; mp4: ProbedVideo }

/**
 * Probes a file in a worker, with bounded memory and time: wrong bytes keep a reader busy or fill any heap. A client has
 * one worker, so that a hostile file delays mostly its own client.
 */
export async function probeFile<Format extends ProbedFormat>(
  format: Format,
  { path, sizeBytes, clientId }: FileToProbe,
): Promise<MediaProbeResult<Facts[Format]>> {
  const deadlineMs = Math.min(MAX_DEADLINE_MS, MIN_DEADLINE_MS + sizeBytes / BYTES_A_MS)
  return turns.run({ clientId, isLong: sizeBytes >= LONG_BYTES }, () =>
    workers
      .run<MediaProbeResult<Facts[Format]>>({ data: jobOf({ task: 'probe', format, path }), deadlineMs })
      .catch((error: unknown) => {
        if (isOverLimit(error)) return refuse('file-damaged')
        throw error
      }),
  )
}

/** In a worker with bounded memory and time; null if the tags cannot be read: they say nothing of the file's sound. */
async function readFromTags<Found>(
  task: 'read-tags' | 'read-picture',
  format: ProbedFormat,
  { path, clientId }: Pick<FileToProbe, 'path' | 'clientId'>,
): Promise<Found | null> {
  const job = jobOf({ task, format, path })
  return turns.run({ clientId, isLong: false }, () =>
    workers.run<Found | null>({ data: job, deadlineMs: TAGS_DEADLINE_MS }).catch(() => null),
  )
}

/** Reads the credits in the tags of a file that was probed; null if it has no tags, or none that can be read. */
export const readTags = (
  format: ProbedFormat,
  file: Pick<FileToProbe, 'path' | 'clientId'>,
): Promise<TagCredits | null> => readFromTags('read-tags', format, file)

/** Reads the picture in the tags of a file that was probed; null if they have none that a preview may be. */
export const readPicture = (
  format: ProbedFormat,
  file: Pick<FileToProbe, 'path' | 'clientId'>,
): Promise<TagPicture | null> => readFromTags('read-picture', format, file)
