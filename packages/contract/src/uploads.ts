import { z } from 'zod'
import { editors, endpoint } from './endpoint.ts'
import { Description, Seconds, Uid } from './fields.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/*
 * The resumable upload: tus 1.0.0 with the extensions creation, termination and expiration. docs/uploads.md walks through
 * it; the rules are those of `uploadMedia`.
 */

/** What `Upload-Metadata` says of a file, decoded. With `uid` it replaces that item's file; a `preview` always names one. */
export const UploadMetadata = z.object({
  filename: z.string(),
  contentType: MediaType,
  description: Description.optional(),
  uid: Uid.optional(),
  part: z.enum(['file', 'preview']).default('file'),
})
export type UploadMetadata = z.output<typeof UploadMetadata>

const byUid = z.object({ uid: Uid })

export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/v2/upload/',
  summary:
    'tus: announce a file by Upload-Length and Upload-Metadata (filename, contentType, description?, uid?, part?). 201 with its Location, and its storage is reserved; 200 with the outcome where it is refused before a byte came.',
  access: editors,
  answer: Outcome,
  outcomes: ['wrongFileType', 'nameExists', 'storageFull'],
})

export const followUpload = endpoint({
  method: 'HEAD',
  path: '/api/v2/upload/{uid}',
  summary: 'tus: how many bytes are there (Upload-Offset, Upload-Length).',
  access: editors,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'none',
})

export const continueUpload = endpoint({
  method: 'PATCH',
  path: '/api/v2/upload/{uid}',
  summary:
    'tus: bytes from Upload-Offset on (409 where that is another). 204 while some are missing; after the last the file is judged and stored, and 200 answers the outcome. Asked again with no bytes it answers the same outcome for a day.',
  access: editors,
  params: byUid,
  bodyForm: 'bytes',
  answer: Outcome.extend({ durationSeconds: Seconds.optional() }),
  outcomes: ['done', 'wrongFileType', 'nameExists', 'storageFull'],
})

export const cancelUpload = endpoint({
  method: 'DELETE',
  path: '/api/v2/upload/{uid}',
  summary: 'tus: forget an upload; its bytes and its reserved storage go. What was stored before stays.',
  access: editors,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'none',
})
