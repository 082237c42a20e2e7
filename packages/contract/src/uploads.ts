import { z } from 'zod'
import { editors, endpoint } from './endpoint.ts'
import { Description, Seconds, Uid } from './fields.ts'
import { byUid } from './item-calls.ts'
import { MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/*
 * The resumable upload: tus 1.0.0 with the extensions creation, termination and expiration. docs/uploads.md
 * describes it; the rules are those of `uploadMedia`.
 */

/** The decoded `Upload-Metadata` of a file. With `uid` the file replaces that item's file; a `preview` always has one. */
export const UploadMetadata = z.object({
  filename: z.string(),
  contentType: MediaType,
  description: Description.optional(),
  uid: Uid.optional(),
  part: z.enum(['file', 'preview']).default('file'),
})
export type UploadMetadata = z.output<typeof UploadMetadata>

/** What other tus clients add to each upload (Uppy does); the server takes it and reads nothing of it. */
export const UNREAD_METADATA: readonly string[] = ['name', 'type', 'filetype', 'relativePath']

export const beginUpload = endpoint({
  method: 'POST',
  path: '/api/v2/upload/',
  summary:
    'tus: start an upload with Upload-Length and Upload-Metadata (filename, contentType, description?, uid?, part?; others are refused by name, HTTP 422). 201 with its Location; 200 with the outcome if it is refused before the first byte. Storage is reserved as bytes come.',
  access: editors,
  answer: Outcome,
  outcomes: ['wrongFileType', 'nameExists', 'storageFull'],
})

export const followUpload = endpoint({
  method: 'HEAD',
  path: '/api/v2/upload/{uid}',
  summary: 'tus: how many bytes have arrived (Upload-Offset, Upload-Length).',
  access: editors,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'none',
})

export const continueUpload = endpoint({
  method: 'PATCH',
  path: '/api/v2/upload/{uid}',
  summary:
    'tus: send bytes from Upload-Offset (409 if it differs). 204 while bytes are missing; after the last byte the file is validated and stored, and 200 returns the outcome. An empty request returns the same outcome for a day.',
  access: editors,
  params: byUid,
  bodyForm: 'bytes',
  answer: Outcome.extend({ durationSeconds: Seconds.optional() }),
  outcomes: ['done', 'wrongFileType', 'nameExists', 'storageFull'],
  givesUid: true,
})

export const cancelUpload = endpoint({
  method: 'DELETE',
  path: '/api/v2/upload/{uid}',
  summary: 'tus: cancel an upload and free its bytes and its reserved storage. A stored item stays.',
  access: editors,
  worksOnFullDisk: true,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'none',
})
