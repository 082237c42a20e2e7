import { announceChange } from '../change-feed/change-feed.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { type LoudnessFigures, measureMp3Loudness, measureMp4Loudness } from '../media-probe/media-probe.ts'
import { findUnmeasuredFile, saveLoudness, type UnmeasuredFile } from './media-file-queries.ts'
import { MediaWorkQueue, type MediaWorkParts } from './media-work-queue.ts'

/** An hour of sound takes 12 s of processor time; the deadline is six times as long, and 10 s. */
const MIN_DEADLINE_MS = 10_000
const DEADLINE_MS_A_SECOND = 20
/** A file from this duration on is a long job: such files leave a place for others. */
const LONG_SECONDS = 600

/** The figures of one file; null when it cannot be measured, or on abort. */
async function measure(
  { files, log }: MediaWorkParts,
  { clientUid, file, signal }: { clientUid: string; file: UnmeasuredFile; signal: AbortSignal },
): Promise<LoudnessFigures | null> {
  const measureFile = file.mimeType === 'audio/mpeg' ? measureMp3Loudness : measureMp4Loudness
  const deadlineMs = MIN_DEADLINE_MS + file.durationSeconds * DEADLINE_MS_A_SECOND
  try {
    return await files.withLocalPath({ clientUid, sha256: file.sha256 }, path =>
      measureFile(path, { deadlineMs, signal }),
    )
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'loudness not measured')
    return null
  }
}

/** The queue that measures uploaded files. A file that cannot be measured gets no figures. */
export const makeLoudnessQueue = (parts: MediaWorkParts): MediaWorkQueue<UnmeasuredFile> =>
  new MediaWorkQueue(parts, {
    name: 'loudness',
    findNext: findUnmeasuredFile,
    isLong: file => file.durationSeconds >= LONG_SECONDS,
    run: async (scope, file, { enter, signal }) => {
      const { clientId } = scope
      const figures = await enter(() => measure(parts, { clientUid: clientId, file, signal }))
      signal.throwIfAborted()
      await scope.write(async writes => {
        if (!(await saveLoudness(writes, file, figures))) return
        await invalidateManifests(writes, { loudness: [file.mediaUid] })
        await announceChange(writes, clientId, { entity: 'media', uid: file.mediaUid })
      })
    },
  })
