import { UploadMetadata } from '@floorcast/contract/uploads.ts'
import { toFieldCode, wrongField } from '../../platform/lib/errors.ts'
import { toOriginalName } from './file-names.ts'

/** A file announced by a sender that sends it in pieces. */
export interface AnnouncedUpload extends UploadMetadata {
  originalName: string
  sizeBytes: number
}

/** The decoded `Upload-Metadata`; keys without a value are null. */
export type RawMetadata = Record<string, string | null>

/** @throws ProblemError 422 with the field that is wrong */
export function parseAnnouncement(metadata: RawMetadata, sizeBytes: number): AnnouncedUpload {
  const given = Object.entries(metadata).filter(([, value]) => value !== null)
  const read = UploadMetadata.safeParse(Object.fromEntries(given))
  if (!read.success) {
    const [issue] = read.error.issues
    const path = issue?.path.join('.') ?? ''
    throw wrongField(path, toFieldCode(issue?.message ?? '', metadata[path] == null ? 'empty' : 'wrong'))
  }
  const originalName = toOriginalName(read.data.filename)
  if (originalName === '') throw wrongField('filename', 'empty')
  if (read.data.part === 'preview' && !read.data.uid) throw wrongField('uid', 'empty')
  return { ...read.data, originalName, sizeBytes }
}
