import { Description, Uid } from '@floorcast/contract/fields.ts'
import { kindOfMedia, type MediaType } from '@floorcast/contract/media.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type FilePart, type FormPart, parseField } from '../../platform/http/receive/multipart.ts'
import { OutcomeError, orNotFound, wrongField } from '../../platform/lib/errors.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { FileTooLargeError, type ReceivedFile } from '../../platform/storage/incoming-files.ts'
import {
  MAX_PREVIEW_BYTES,
  type ProbeRefusal,
  probeFile,
  probeImage,
  readTags,
} from '../media-probe/media-probe.ts'
import {
  toOriginalName,
  type UploadContext,
  type UploadSession,
  type UploadTarget,
  withUploadSession,
} from '../uploads/uploads.ts'
import { isNameTaken } from './media-file-queries.ts'
import { findMedia } from './media-queries.ts'
import type { UploadedPreview } from './media-picture.ts'
import { type MediaUpload, storeUpload, type UploadedFile } from './media-store.ts'

function accept<Facts extends { accepted: true }>(result: Facts | ProbeRefusal, name: string): Facts {
  if (result.accepted) return result
  throw new OutcomeError('wrongFileType', { names: [name], reason: result.reason })
}

/** Probes a received file. @throws OutcomeError wrongFileType with its name and the reason */
async function probeMedia(
  { scope }: RequestContext,
  { contentType, originalName }: { contentType: MediaType; originalName: string },
  received: ReceivedFile,
): Promise<UploadedFile> {
  const { path, sizeBytes } = received
  const file = { path, sizeBytes, clientId: scope.clientId }
  const format = kindOfMedia(contentType) === 'audio' ? 'mp3' : 'mp4'
  const facts = accept(await probeFile(format, file), originalName)
  return { received, originalName, facts, tags: await readTags(format, file) }
}

/** Probes a received preview image. @throws OutcomeError wrongFileType with its name and the reason */
async function probePreview(received: ReceivedFile, originalName: string): Promise<UploadedPreview> {
  return { received, facts: accept(await probeImage(received.path), originalName) }
}

interface FormUpload {
  contentType: MediaType
  parts: AsyncIterable<FormPart>
  /** Bytes of the whole request, if it says so. */
  announcedBytes: number | null
}

async function receivePreview(part: FilePart, session: UploadSession): Promise<UploadedPreview> {
  const name = toOriginalName(part.fileName)
  const received = await session.receiveUpTo(part, MAX_PREVIEW_BYTES).catch((error: unknown) => {
    if (!(error instanceof FileTooLargeError)) throw error
    throw new OutcomeError('wrongFileType', { names: [name], reason: 'not-an-image' })
  })
  return probePreview(received, name)
}

/** Reads the parts in the order they come and probes each file when it is received. */
async function receiveForm(
  ctx: RequestContext,
  { contentType, parts }: FormUpload,
  session: UploadSession,
): Promise<MediaUpload> {
  const upload: MediaUpload = {}
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.name === 'uid') upload.uid = parseField(Uid, 'uid', part.value)
      // A form encodes each line feed as CR LF.
      if (part.name === 'description')
        upload.description = parseField(Description, 'description', part.value.replaceAll('\r\n', '\n'))
    } else if (part.name === 'file') {
      if (upload.file) throw wrongField('file', 'wrong')
      const originalName = toOriginalName(part.fileName)
      if (originalName === '') throw wrongField('file', 'empty')
      await refuseTakenName(ctx, { contentType, originalName, uid: upload.uid })
      const received = await session.receive(part, originalName)
      upload.file = await probeMedia(ctx, { contentType, originalName }, received)
    } else if (part.name === 'preview') {
      if (upload.preview) throw wrongField('preview', 'wrong')
      upload.preview = await receivePreview(part, session)
    } else {
      for await (const _ of part.bytes); // the next part comes after the bytes of this one
    }
  }
  if (!upload.file && !(upload.preview && upload.uid)) throw wrongField('file', 'empty')
  return upload
}

/** @throws OutcomeError nameExists */
async function refuseTakenName(
  ctx: RequestContext,
  name: { contentType: MediaType; originalName: string; uid?: string | undefined },
): Promise<void> {
  if (await isNameTaken(ctx.scope.reads, name))
    throw new OutcomeError('nameExists', { names: [name.originalName] })
}

/** Takes files for the library that are sent in pieces. @param onStored called with the client that has new media */
export const makeUploadTarget = (
  context: UploadContext,
  onStored: (clientId: string) => void,
): UploadTarget => ({
  async admit(ctx, { part, contentType, originalName, sizeBytes, uid }) {
    if (part === 'preview' && sizeBytes > MAX_PREVIEW_BYTES)
      throw new OutcomeError('wrongFileType', { names: [originalName], reason: 'not-an-image' })
    if (uid) orNotFound(await findMedia(ctx.scope.reads, { contentType, uid }, ctx.now))
    if (part === 'file') await refuseTakenName(ctx, { contentType, originalName, uid })
  },
  async store(ctx, { part, contentType, originalName, uid, description }, { received, within }) {
    const upload: MediaUpload = omitUndefined({ uid, description })
    if (part === 'preview') upload.preview = await probePreview(received, originalName)
    else upload.file = await probeMedia(ctx, { contentType, originalName }, received)
    const outcome = await storeUpload(context, ctx, { contentType, upload, within })
    onStored(ctx.scope.clientId)
    return outcome
  },
})

/**
 * Takes one file (or a preview image alone) for a new item, or for the item that `uid` names. A refused upload leaves
 * nothing on the disk. @throws OutcomeError wrongFileType (901), nameExists (902), storageFull (903), each with the
 * file's name; ProblemError 404, 422
 */
export const uploadForm = (
  context: UploadContext,
  ctx: RequestContext,
  form: FormUpload,
): Promise<Outcome & { durationSeconds?: number }> =>
  withUploadSession(context, ctx, {
    announcedBytes: form.announcedBytes,
    work: async session => {
      const upload = await receiveForm(ctx, form, session)
      return storeUpload(context, ctx, { contentType: form.contentType, upload })
    },
  })
