import { Description } from '@floorcast/contract/fields.ts'
import {
  parseStatement,
  splitSignature,
  UpdateSignature,
  type UpdateSignatures,
} from '@floorcast/contract/update-signing.ts'
import type { Reason } from '@floorcast/contract/outcomes.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError, wrongField } from '../../platform/lib/errors.ts'
import { type FilePart, type FormPart, parseField } from '../../platform/http/receive/multipart.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { ReceivedFile } from '../../platform/storage/incoming-files.ts'
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
import { linkFile, refuseTakenName } from './update-files.ts'
import { insertFile } from './update-files-queries.ts'
import { getSignatureState } from '../manifests/manifests.ts'
import { findUpdateKey, holdUpdateKey } from './update-key-queries.ts'
import { lockDraft } from './update-packages.ts'

/** The parts of an upload; its file is received but not stored. */
interface UpdateForm {
  received: ReceivedFile
  originalName: string
  description: string
  signatures: UpdateSignatures | null
}

/** Refuses a file by its name, before its bytes come. */
type Admit = (originalName: string) => Promise<void>

async function receiveFile(part: FilePart, session: UploadSession, admit: Admit) {
  const originalName = toOriginalName(part.fileName)
  if (originalName === '') throw wrongField('file', 'empty')
  if (/^\.+$/.test(originalName)) throw wrongField('file', 'wrong')
  await admit(originalName)
  const received = await session.receive(part, originalName)
  if (received.sizeBytes === 0)
    throw new OutcomeError('wrongFileType', { names: [originalName], reason: 'file-empty' })
  return { received, originalName }
}

/** @throws ProblemError 422 */
function readSignatures(value: string): UpdateSignatures {
  const line = parseField(UpdateSignature, 'signature', value)
  try {
    const signatures = splitSignature(line)
    if (!signatures.statement || parseStatement(signatures.statement.text)) return signatures
  } catch {
    // The statement is not UTF-8.
  }
  throw wrongField('signature', 'update-signature')
}

/** The columns of a file's signatures. */
const toColumns = (signatures: UpdateSignatures | null) => ({
  signature: signatures?.signature ?? null,
  statement: signatures?.statement?.text ?? null,
  statementSignature: signatures?.statement?.signature ?? null,
})

/** Reads the parts in any order. @throws OutcomeError; ProblemError 422 */
async function readForm(
  parts: AsyncIterable<FormPart>,
  session: UploadSession,
  admit: Admit,
): Promise<UpdateForm> {
  let file: Pick<UpdateForm, 'received' | 'originalName'> | null = null
  let description = ''
  let signatures: UpdateSignatures | null = null
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.name === 'description') description = parseField(Description, 'description', part.value)
      if (part.name === 'signature' && part.value.trim() !== '') signatures = readSignatures(part.value)
    } else if (part.name === 'file') {
      if (file) throw wrongField('file', 'wrong')
      file = await receiveFile(part, session, admit)
    } else {
      for await (const _ of part.bytes); // the next part comes after the bytes of this one
    }
  }
  if (!file) throw wrongField('file', 'empty')
  return { ...file, description, signatures }
}

/** @throws OutcomeError notDone for a statement of another file, and, where a key is set, for a missing or wrong signature */
function checkSignature({ received, originalName, signatures }: UpdateForm, key: string | null): void {
  const refuse = (reason: Reason) => new OutcomeError('notDone', { reason, names: [originalName] })
  const { sha256, sizeBytes } = received
  const state = key === null ? 'unchecked' : getSignatureState({ sha256, ...toColumns(signatures) }, key)
  if (state === 'missing') throw refuse('signature-missing')
  if (state === 'wrong') throw refuse('signature-wrong')
  const said = signatures?.statement && parseStatement(signatures.statement.text)
  if (!said) return
  const isThisFile = said.name === originalName && said.sha256 === sha256 && said.sizeBytes === sizeBytes
  if (!isThisFile) throw refuse('signature-mismatch')
}

async function addRows(
  writes: Writes,
  ctx: RequestContext,
  { form, packageUid }: { form: UpdateForm; packageUid: string },
) {
  const draft = await lockDraft(writes, packageUid)
  checkSignature(form, await holdUpdateKey(writes))
  const { originalName, description, signatures, received } = form
  const [uid, name] = [uuidV7(), toItemName(originalName)]
  const facts = { name, description, originalName, ...toColumns(signatures) }
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
 * Adds a file to a draft package; a refused file leaves nothing behind. What another try cannot mend is checked first: the draft,
 * the name (before the bytes come), then the bytes and the signature. @throws OutcomeError notDone (no draft, the
 * signature), wrongFileType, nameExists, storageFull; ProblemError 404, 422
 */
export async function uploadUpdateFile(
  context: UploadContext,
  ctx: RequestContext,
  upload: { packageUid: string; parts: AsyncIterable<FormPart>; announcedBytes: number | null },
) {
  const { packageUid, parts, announcedBytes } = upload
  // Checked before the bytes come, and again when they are stored.
  await ctx.scope.write(writes => lockDraft(writes, packageUid))
  const work = async (session: UploadSession) => {
    const form = await readForm(parts, session, name => refuseTakenName(ctx.scope.reads, packageUid, name))
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
