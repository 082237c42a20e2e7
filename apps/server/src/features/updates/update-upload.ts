import { Description } from '@floorcast/contract/fields.ts'
import { UpdateSignature } from '@floorcast/contract/update-signing.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError, wrongField } from '../../platform/lib/errors.ts'
import { type FilePart, type FormPart, parseField } from '../../platform/http/multipart.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { ReceivedFile } from '../../platform/storage/file-store.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, recordChange } from '../audit/audit.ts'
import {
  storeFiles,
  toItemName,
  toOriginalName,
  type UploadContext,
  type UploadSession,
  withUploadSession,
} from '../uploads/uploads.ts'
import { linkFile } from './update-files.ts'
import { insertFile } from './update-files-queries.ts'
import { getSignatureState } from '../manifests/manifests.ts'
import { findUpdateKey, holdUpdateKey } from './update-key-queries.ts'
import { lockDraft } from './update-packages.ts'

/** The parts of an upload; its file is received but not stored. */
interface UpdateForm {
  received: ReceivedFile
  originalName: string
  description: string
  signature: string | null
}

async function receiveFile(part: FilePart, session: UploadSession) {
  const originalName = toOriginalName(part.fileName)
  if (originalName === '') throw wrongField('file', 'empty')
  if (/^\.+$/.test(originalName)) throw wrongField('file', 'wrong')
  const received = await session.receive(part, originalName)
  if (received.sizeBytes === 0)
    throw new OutcomeError('wrongFileType', { names: [originalName], reason: 'file-empty' })
  return { received, originalName }
}

/** Reads the parts in any order. @throws OutcomeError; ProblemError 422 */
async function readForm(parts: AsyncIterable<FormPart>, session: UploadSession): Promise<UpdateForm> {
  let file: Pick<UpdateForm, 'received' | 'originalName'> | null = null
  let description = ''
  let signature: string | null = null
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.name === 'description') description = parseField(Description, 'description', part.value)
      if (part.name === 'signature' && part.value.trim() !== '')
        signature = parseField(UpdateSignature, 'signature', part.value)
    } else if (part.name === 'file') {
      if (file) throw wrongField('file', 'wrong')
      file = await receiveFile(part, session)
    } else {
      for await (const _ of part.bytes); // the next part comes after the bytes of this one
    }
  }
  if (!file) throw wrongField('file', 'empty')
  return { ...file, description, signature }
}

/** @throws OutcomeError notDone where a key is set and the signature is missing or does not fit */
function checkSignature({ received, originalName, signature }: UpdateForm, key: string | null): void {
  if (key === null) return
  const state = getSignatureState({ sha256: received.sha256, signature }, key)
  if (state === 'valid') return
  const reason = state === 'missing' ? 'signature-missing' : 'signature-wrong'
  throw new OutcomeError('notDone', { reason, names: [originalName] })
}

async function addRows(
  writes: Writes,
  ctx: RequestContext,
  { form, packageUid }: { form: UpdateForm; packageUid: string },
) {
  const draft = await lockDraft(writes, packageUid)
  checkSignature(form, await holdUpdateKey(writes))
  const { originalName, description, signature, received } = form
  const [uid, name] = [uuidV7(), toItemName(originalName)]
  const facts = { name, description, originalName, signature }
  const { sha256, sizeBytes } = received
  await insertFile(writes, {
    uid,
    clientId: ctx.scope.clientId,
    ...facts,
    sha256,
    sizeBytes,
    uploadedBy: ctx.session.userUid,
    createdAt: ctx.now,
    changedAt: ctx.now,
  })
  const changes = changesBetween({}, { ...facts, sha256, sizeBytes })
  await recordChange(writes, ctx, { action: 'add', entity: 'update-file', uid, name, changes })
  return {
    uid,
    linkUid: await linkFile(writes, ctx, { draft, file: { uid, originalName } }),
    formerHashes: [],
  }
}

/**
 * Adds a file to a draft package; a refused file leaves nothing behind. @throws OutcomeError notDone (no draft, the
 * signature), wrongFileType, nameExists, storageFull; ProblemError 404, 422
 */
export async function uploadUpdate(
  context: UploadContext,
  ctx: RequestContext,
  upload: { packageUid: string; parts: AsyncIterable<FormPart>; announcedBytes: number | null },
) {
  const { packageUid, parts, announcedBytes } = upload
  // Checked before the bytes come, and again when they are stored.
  await ctx.scope.write(writes => lockDraft(writes, packageUid))
  const work = async (session: UploadSession) => {
    const form = await readForm(parts, session)
    checkSignature(form, await findUpdateKey(ctx.scope.reads))
    const { received, originalName } = form
    return storeFiles(context, ctx, {
      files: [received],
      names: [originalName],
      addRows: writes => addRows(writes, ctx, { form, packageUid }),
    })
  }
  const { uid, linkUid } = await withUploadSession(context, ctx, { announcedBytes, work })
  return { uid, linkUid }
}
