import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type * as contract from '@floorcast/contract/update-files.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { ListRequest } from '../../platform/database/list.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { collectGarbageAfter } from '../uploads/uploads.ts'
import * as queries from './update-files-queries.ts'
import { getSignatureState } from '../manifests/manifests.ts'
import { findUpdateKey } from './update-key-queries.ts'
import { lockDraft } from './update-packages.ts'
import { updatePackage } from './update-packages-queries.ts'
import { unknownAt } from './updates.ts'

export async function listUpdateFiles(ctx: RequestContext, list: ListRequest) {
  return ctx.scope.readTogether(async reads => {
    const key = await findUpdateKey(reads)
    const page = await queries.listFileRows(reads, list)
    const items = page.items.map(file => ({
      ...file,
      signatureState: getSignatureState({ ...file, sha256: file.hash }, key),
      permissions: permissionsOf(ctx),
    }))
    return { ...page, items }
  })
}

/** @throws OutcomeError nameExists if the package has a file of this name */
export async function refuseTakenName(reads: Reads, packageUid: string, originalName: string): Promise<void> {
  if (await queries.isNameInPackage(reads, packageUid, originalName))
    throw new OutcomeError('nameExists', { names: [originalName] })
}

/**
 * Adds a file to a draft that the caller has locked. @returns the uid of the link
 * @throws OutcomeError nameExists if the package has a file of this name
 */
export async function linkFile(
  writes: Writes,
  ctx: RequestContext,
  { draft, file }: { draft: { uid: string; name: string }; file: { uid: string; originalName: string } },
): Promise<string> {
  const { originalName } = file
  await refuseTakenName(writes, draft.uid, originalName)
  const uid = uuidV7()
  const { clientId } = ctx.scope
  await queries.insertLink(writes, {
    uid,
    clientId,
    packageUid: draft.uid,
    fileUid: file.uid,
    addedAt: ctx.now,
  })
  await updatePackage(writes, draft.uid, { at: ctx.now })
  const changes = changesBetween({ file: null }, { file: originalName })
  const entity = 'update-package'
  await recordChange(writes, ctx, { action: 'add-file', entity, uid: draft.uid, name: draft.name, changes })
  return uid
}

/** Adds an existing file to another draft. @throws OutcomeError notDone, nameExists; ProblemError 422 */
export async function addUpdateFile(
  ctx: RequestContext,
  { fileUid, packageUid }: BodyOf<typeof contract.addUpdateFile>,
) {
  return ctx.scope.write(async writes => {
    const draft = await lockDraft(writes, packageUid)
    const file = await queries.lockFile(writes, fileUid, 'share')
    if (!file) throw unknownAt('fileUid')
    return linkFile(writes, ctx, { draft, file })
  })
}

/** @throws ProblemError 404, 409 for a stale version */
export async function editUpdateFile(
  ctx: RequestContext,
  change: BodyOf<typeof contract.editUpdateFile>,
): Promise<void> {
  const { uid, version, ...given } = change
  await ctx.scope.write(async writes => {
    const file = orNotFound(await queries.lockFile(writes, uid))
    if (version !== undefined && version !== file.version) throw stale()
    const fields = omitUndefined(given)
    const after = await queries.updateFile(writes, uid, { ...fields, at: ctx.now })
    const changes = changesOfEdit({ before: file, after }, fields)
    const { name } = after
    await recordChange(writes, ctx, { action: 'edit', entity: 'update-file', uid, name, changes })
  })
}

/** Deletes a file and its bytes. @throws OutcomeError inUse with the names of the packages that hold it; ProblemError 404 */
export async function deleteUpdateFile(ctx: RequestContext, files: FileStore, uid: string): Promise<void> {
  await collectGarbageAfter(ctx.scope, files, async writes => {
    const file = orNotFound(await queries.lockFile(writes, uid))
    const names = await queries.findPackageNames(writes, uid)
    if (names.length > 0) throw new OutcomeError('inUse', { uid, names })
    await queries.removeFile(writes, uid)
    const { name, originalName, description } = file
    const changes = changesBetween(
      { originalName, description, sha256: file.sha256 },
      { originalName: null, description: null, sha256: null },
    )
    await recordChange(writes, ctx, { action: 'delete', entity: 'update-file', uid, name, changes })
    return { done: null, hashes: [file.sha256] }
  })
}

/** Removes a file from a draft. The file is kept. @throws OutcomeError notDone; ProblemError 404 */
export async function excludeFile(
  ctx: RequestContext,
  { uid, fileuid, linkid }: { uid: string; fileuid: string; linkid: string },
): Promise<void> {
  await ctx.scope.write(async writes => {
    const draft = await lockDraft(writes, uid)
    const link = { uid: linkid, packageUid: uid, fileUid: fileuid }
    const file = orNotFound(await queries.removeLink(writes, link))
    await updatePackage(writes, uid, { at: ctx.now })
    const changes = changesBetween({ file }, { file: null })
    const { name } = draft
    await recordChange(writes, ctx, { action: 'exclude-file', entity: 'update-package', uid, name, changes })
  })
}
