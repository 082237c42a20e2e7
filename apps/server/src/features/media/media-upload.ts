import type { MediaType } from '@floorcast/contract/media.ts'
import type { Database } from '../../platform/database/database.ts'
import { OutcomeError } from '../../platform/lib/errors.ts'
import type { FormPart } from '../../platform/http/multipart.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { ReceivedFile } from '../../platform/storage/file-store.ts'
import { readUploadForm, type UploadForm } from './media-form.ts'
import { reserveStorage, type StorageReservation } from './media-reservation.ts'
import { dropUnusedFiles, storeUpload, type StoreParts } from './media-store.ts'
import { isNameTaken } from './media-upload-queries.ts'

/** What uploading stands on. */
export interface UploadContext extends StoreParts {
  now: () => Date
}

export interface Upload {
  contentType: MediaType
  parts: AsyncIterable<FormPart>
  /** Bytes of the whole request, if it says so. */
  announcedBytes: number | null
}

/** What an upload is received by: storage held before its bytes come, files to be forgotten whatever happens. */
export interface UploadDesk {
  files: UploadContext['files']
  /** Holds storage for the one file of the upload. @throws OutcomeError storageFull */
  reserve: (originalName: string) => Promise<{ maxBytes: number }>
  onReceived: (file: ReceivedFile) => void
}

/** Receives an upload: what it held and did not store is given back when `work` ends, however it ends. */
export async function withUploadDesk<T>(
  context: UploadContext,
  ctx: RequestContext,
  { announcedBytes, work }: { announcedBytes: number | null; work: (desk: UploadDesk) => Promise<T> },
): Promise<T> {
  const { files, now } = context
  const received: ReceivedFile[] = []
  let reservation: StorageReservation | null = null
  try {
    return await work({
      files,
      reserve: async originalName =>
        (reservation = await reserveStorage(ctx, { announcedBytes, originalName }, now)),
      onReceived: file => void received.push(file),
    })
  } finally {
    for (const file of received) await files.discard(file)
    await endReservation(context, reservation)
  }
}

/**
 * Takes one file (or a preview image alone) for a new item, or for the item that `uid` names. Nothing stays on disk
 * unless it answers. @throws OutcomeError wrongFileType (901), nameExists (902), storageFull (903), each with the
 * file's name; ProblemError 404, 422
 */
export async function uploadMedia(context: UploadContext, ctx: RequestContext, upload: Upload) {
  const { contentType, parts, announcedBytes } = upload
  const work = async (desk: UploadDesk) => {
    const admitFile = async (originalName: string, { uid }: UploadForm) => {
      if (await isNameTaken(ctx.scope.reads, { contentType, originalName, uid }))
        throw new OutcomeError('nameExists', { names: [originalName] })
      return desk.reserve(originalName)
    }
    const form = await readUploadForm(parts, { ...desk, contentType, admitFile })
    const { uid } = await storeUpload(context, ctx, { contentType, form })
    return answerOf(uid, form)
  }
  return withUploadDesk(context, ctx, { announcedBytes, work })
}

/** What an upload that was stored answers. */
export const answerOf = (uid: string, { file }: UploadForm) => ({
  code: 200,
  uid,
  ...(file ? { durationSeconds: file.facts.durationSeconds } : {}),
})

async function endReservation({ log }: UploadContext, reservation: StorageReservation | null): Promise<void> {
  // One that cannot be ended expires by itself.
  await reservation
    ?.end()
    .catch((error: unknown) => log.warn({ err: error }, 'storage reservation not ended'))
}

/** At start: what an ended process received is removed; what it stored stays if its transaction was committed. */
export async function settleUploads({ files }: StoreParts, database: Database): Promise<void> {
  for (const file of await files.listUnsettled()) {
    await dropUnusedFiles(database.jobs.forClient(file.key.clientUid), files, [file.key.sha256])
    await files.settle(file)
  }
}
