import { Description, Uid } from '@floorcast/contract/fields.ts'
import { kindOfMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { z } from 'zod'
import { OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { FormPart } from '../../platform/http/multipart.ts'
import { FileTooLargeError, type FileStore, type ReceivedFile } from '../../platform/storage/file-store.ts'
import { judgeImage, MOST_PREVIEW_BYTES, type AcceptedImage } from './judge/judge-image.ts'
import { judgeMp3 } from './judge/judge-mp3.ts'
import { judgeMp4 } from './judge/judge-mp4.ts'
import type { AcceptedSound, AcceptedVideo, Refused } from './judge/verdict.ts'
import { originalNameOf } from './media-name.ts'

/** A file of an upload, received and judged but not stored. */
export interface UploadedFile {
  received: ReceivedFile
  originalName: string
  facts: AcceptedSound | AcceptedVideo
}
export interface UploadedPreview {
  received: ReceivedFile
  facts: AcceptedImage
}

/** An upload's parts as far as they have come. */
export interface UploadForm {
  uid?: string
  description?: string
  file?: UploadedFile
  preview?: UploadedPreview
}

/** What reading a form needs besides its parts. */
export interface FormReading {
  contentType: MediaType
  files: FileStore
  /** Refuses a file before its bytes come, or says how many it may have. */
  admitFile: (originalName: string, form: UploadForm) => Promise<{ maxBytes: number }>
  /** Called for each file on disk, so that the caller can discard it whatever happens next. */
  onReceived: (file: ReceivedFile) => void
}

/** 422 with a key of `fields.json`. */
export const wrongField = (path: string, message: string) =>
  new ProblemError(422, 'wrong-fields', { errors: [{ path, message }] })

/** A text part of a form. @throws ProblemError 422 at `path` */
export function parseField<Schema extends z.ZodType<string>>(
  schema: Schema,
  path: string,
  value: string,
): string {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw wrongField(path, issue && /^[a-z-]+$/.test(issue.message) ? issue.message : 'wrong')
}

/** Whether a write ended because the disk took no more. */
export const isDiskFull = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ENOSPC'
export const diskFull = () =>
  new ProblemError(503, 'disk-full', {
    detail: "The server's disk is full. Free space on it, then upload again.",
  })

type FilePart = Extract<FormPart, { type: 'file' }>

type Receiving = Pick<FormReading, 'files' | 'onReceived'>

async function receive(part: FilePart, reading: Receiving, maxBytes: number): Promise<ReceivedFile> {
  const received = await reading.files.receive(part.bytes, maxBytes).catch((error: unknown) => {
    throw isDiskFull(error) ? diskFull() : error
  })
  reading.onReceived(received)
  return received
}

/** Receives a file within the storage that was held for it. @throws OutcomeError storageFull; ProblemError 503 */
export const receiveWithin = (
  part: FilePart,
  receiving: Receiving,
  { maxBytes, originalName }: { maxBytes: number; originalName: string },
): Promise<ReceivedFile> =>
  receive(part, receiving, maxBytes).catch((error: unknown) => {
    if (!(error instanceof FileTooLargeError)) throw error
    throw new OutcomeError('storageFull', { names: [originalName] })
  })

function accept<Facts extends { accepted: true }>(verdict: Facts | Refused, name: string): Facts {
  if (verdict.accepted) return verdict
  throw new OutcomeError('wrongFileType', { names: [name], reason: verdict.why })
}

/** Judges a file by its bytes. @throws OutcomeError wrongFileType with its name and why */
export async function judgeFile(contentType: MediaType, path: string, originalName: string) {
  const judge = kindOfMedia(contentType) === 'audio' ? judgeMp3 : judgeMp4
  return accept(await judge(path), originalName)
}

/** Judges a preview image by its bytes. @throws OutcomeError wrongFileType with its name and why */
export const judgePreview = async (path: string, name: string) => accept(await judgeImage(path), name)

async function readFile(part: FilePart, reading: FormReading, form: UploadForm): Promise<UploadedFile> {
  const originalName = originalNameOf(part.fileName)
  if (originalName === '') throw wrongField('file', 'empty')
  const { maxBytes } = await reading.admitFile(originalName, form)
  const received = await receiveWithin(part, reading, { maxBytes, originalName })
  return { received, originalName, facts: await judgeFile(reading.contentType, received.path, originalName) }
}

async function readPreview(part: FilePart, reading: FormReading): Promise<UploadedPreview> {
  const name = originalNameOf(part.fileName)
  const received = await receive(part, reading, MOST_PREVIEW_BYTES).catch((error: unknown) => {
    if (!(error instanceof FileTooLargeError)) throw error
    throw new OutcomeError('wrongFileType', { names: [name], reason: 'not-an-image' })
  })
  return { received, facts: await judgePreview(received.path, name) }
}

/** Reads an upload's parts in the order they come, judging each file as soon as it is there. Unknown parts are skipped. */
export async function readUploadForm(
  parts: AsyncIterable<FormPart>,
  reading: FormReading,
): Promise<UploadForm> {
  const form: UploadForm = {}
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.name === 'uid') form.uid = parseField(Uid, 'uid', part.value)
      if (part.name === 'description') form.description = parseField(Description, 'description', part.value)
    } else if (part.name === 'file') {
      if (form.file) throw wrongField('file', 'wrong')
      form.file = await readFile(part, reading, form)
    } else if (part.name === 'preview') {
      if (form.preview) throw wrongField('preview', 'wrong')
      form.preview = await readPreview(part, reading)
    } else {
      for await (const _ of part.bytes); // the next part comes after this one's bytes
    }
  }
  if (!form.file && !(form.preview && form.uid)) throw wrongField('file', 'empty')
  return form
}
