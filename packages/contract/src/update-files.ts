import { z } from 'zod'
import { adminEditors, adminReaders, endpoint } from './endpoint.ts'
import {
  Bytes,
  Description,
  Instant,
  ListQuery,
  listOf,
  Name,
  Permissions,
  Reference,
  Sha256,
  Uid,
} from './fields.ts'
import { deletesOne } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** By the client's present key: `unchecked` without a key, `missing` without a signature. */
export const SignatureState = z.enum(['valid', 'wrong', 'missing', 'unchecked'])
export type SignatureState = z.infer<typeof SignatureState>

export const UpdateFile = z.object({
  uid: Uid,
  /** As the lists show it. */
  name: z.string(),
  /** A note of the users; may be empty. */
  description: z.string(),
  /** The name of the file, which devices see. */
  originalName: z.string(),
  sizeBytes: Bytes,
  hash: Sha256,
  /** Ed25519, in base64; null: none. */
  signature: z.string().nullable(),
  /** The signed text with name, version, machines, counter, downgrade, size and hash; null: it was signed by the tool of a former release, and devices of this release refuse it. */
  statement: z.string().nullable(),
  signatureState: SignatureState,
  uploadedAt: Instant,
  /** The record's, which `edit` sends back. */
  version: z.int(),
})

export const UpdateFileRow = UpdateFile.extend({
  /** The packages that have it. */
  packages: z.array(Reference),
  permissions: Permissions,
})
export type UpdateFileRow = z.infer<typeof UpdateFileRow>

export const listUpdateFiles = endpoint({
  path: '/update/files',
  summary: "The client's update files, in packages or not.",
  access: adminReaders,
  query: ListQuery,
  answer: listOf(UpdateFileRow),
})

export const addUpdateFile = endpoint({
  path: '/api/v2/update/files/add',
  summary:
    'Add an existing file to another draft package; `uid` is the link. 902 if the package has a file of this name.',
  access: adminEditors,
  body: z.object({ fileUid: Uid, packageUid: Uid }),
  answer: Outcome,
  outcomes: ['done', 'notDone', 'nameExists'],
  givesUid: true,
})

export const editUpdateFile = endpoint({
  path: '/api/v2/update/files/edit',
  summary: "Change a file's name or description in the lists; devices use its original name.",
  access: adminEditors,
  body: z.object({
    uid: Uid,
    name: Name.optional(),
    description: Description.optional(),
    /** The record's that the user saw; HTTP 409 if it is stale. */
    version: z.int().optional(),
  }),
  answer: Outcome,
  outcomes: ['done'],
})

export const deleteUpdateFile = deletesOne({
  path: '/api/v2/update/files/delete',
  summary: 'Delete a file permanently. 409 with the names of the packages that contain it.',
  access: adminEditors,
  outcomes: ['done', 'inUse'],
})
