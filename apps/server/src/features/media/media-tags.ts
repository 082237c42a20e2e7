import { changesBetween, recordOwnChanges } from '../audit/audit.ts'
import { announceChange } from '../change-feed/change-feed.ts'
import { readTags, type TagCredits } from '../media-probe/media-probe.ts'
import { fillCredits } from './media-credits.ts'
import { findUnreadFile, markTagsRead, saveTagCredits, type UnreadFile } from './media-credits-queries.ts'
import { MediaWorkQueue, type MediaWorkParts } from './media-work-queue.ts'

async function tagsOf(
  { files, log }: MediaWorkParts,
  { clientId, file, signal }: { clientId: string; file: UnreadFile; signal: AbortSignal },
): Promise<TagCredits | null> {
  const format = file.mimeType === 'audio/mpeg' ? 'mp3' : 'mp4'
  try {
    return await files.withLocalPath({ clientUid: clientId, sha256: file.sha256 }, path =>
      readTags(format, { path, clientId }),
    )
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error, mediaUid: file.mediaUid }, 'tags not read')
    return null
  }
}

/** The queue that reads the tags of files which an earlier release has stored. A file is read once. */
export const makeTagQueue = (parts: MediaWorkParts): MediaWorkQueue<UnreadFile> =>
  new MediaWorkQueue(parts, {
    name: 'tags',
    findNext: findUnreadFile,
    isLong: () => false,
    run: async (scope, file, { enter, signal }) => {
      const { clientId } = scope
      const tags = await enter(() => tagsOf(parts, { clientId, file, signal }))
      signal.throwIfAborted()
      await scope.write(async writes => {
        const item = await markTagsRead(writes, file)
        if (!item) return
        const { uid, name, ...before } = item
        const after = fillCredits(before, tags)
        const changes = changesBetween(before, after)
        if (Object.keys(changes).length === 0) return
        const at = new Date()
        await saveTagCredits(writes, uid, { ...after, changedAt: at })
        await recordOwnChanges(writes, { clientId, at }, [
          { action: 'read-tags', entity: 'media', uid, name, changes },
        ])
        await announceChange(writes, clientId, { entity: 'media', uid })
      })
    },
  })
