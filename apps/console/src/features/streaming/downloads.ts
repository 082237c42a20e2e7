import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { DownloadFailed } from '@floorcast/device-client/downloads.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import type { MediaCache } from './media-cache.ts'

/** A file of a slow line takes its time; a stalled one ends after so long. */
const FILE_TIMEOUT_MS = 600_000

/** Downloads one file into the browser's cache. @throws DownloadFailed, or DOMException if there is no space */
export async function downloadToCache(
  session: DeviceSession,
  media: MediaCache,
  file: ManifestFile,
): Promise<void> {
  const signal = AbortSignal.timeout(FILE_TIMEOUT_MS)
  const answer = await session.fetch(file.path, { signal }).catch((cause: unknown) => {
    throw new DownloadFailed('no-answer', cause)
  })
  if (!answer.ok) throw new DownloadFailed('refused', undefined, answer)
  const bytes = await answer.arrayBuffer().catch((cause: unknown) => {
    throw new DownloadFailed('no-answer', cause)
  })
  if (!(await media.keep(file, bytes))) throw new DownloadFailed('wrong-hash')
}
