import type { MediaType } from '@floorcast/contract/media.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type ReceivedFile, upTo } from '../../platform/storage/incoming-files.ts'
import {
  MAX_PREVIEW_BYTES,
  type ProbedAudio,
  type ProbedImage,
  type ProbedVideo,
  readPicture,
} from '../media-probe/media-probe.ts'
import type { UploadContext } from '../uploads/uploads.ts'
import { findMedia } from './media-queries.ts'

/** A preview image, received and probed but not stored. */
export interface UploadedPreview {
  received: ReceivedFile
  facts: ProbedImage
}

/** An upload that may have a picture in the tags of its file. */
interface PicturedUpload {
  contentType: MediaType
  upload: {
    uid?: string
    file?: { received: ReceivedFile; facts: ProbedAudio | ProbedVideo }
    preview?: UploadedPreview
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/**
 * The picture in the tags of an upload's file, received as if the user had sent it; null if there is none, or if the upload or
 * its item has a preview. The caller discards it. It never refuses the upload.
 */
export async function receivePicture(
  { incoming, log }: UploadContext,
  { scope, now }: RequestContext,
  { contentType, upload: { uid, file, preview } }: PicturedUpload,
): Promise<UploadedPreview | null> {
  if (!file || preview) return null
  const item = uid === undefined ? undefined : await findMedia(scope.reads, { contentType, uid }, now)
  if (item?.hasPreview) return null
  const format = file.facts.contentType === 'audio/mpeg' ? 'mp3' : 'mp4'
  const picture = await readPicture(format, { path: file.received.path, clientId: scope.clientId })
  if (!picture) return null
  try {
    const received = await incoming.receive(once(picture.bytes), upTo(MAX_PREVIEW_BYTES))
    return { received, facts: picture.facts }
  } catch (error) {
    log.warn({ err: error }, 'picture of an upload not kept')
    return null
  }
}
