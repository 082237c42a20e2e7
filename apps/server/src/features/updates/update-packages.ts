import type { BodyOf } from '@floorcast/contract/endpoint.ts'
import type { ListQuery } from '@floorcast/contract/fields.ts'
import type { PackageDraft, PackageState } from '@floorcast/contract/update-packages.ts'
import type * as calls from '@floorcast/contract/update-packages.ts'
import { parseStatement } from '@floorcast/contract/update-signing.ts'
import type { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { orNotFound, OutcomeError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { findPackageFiles, listPackageFileRows, type PackageFileRow } from './update-files-queries.ts'
import { getSignatureState } from '../manifests/manifests.ts'
import { findUpdateKey, holdUpdateKey } from './update-key-queries.ts'
import * as queries from './update-packages-queries.ts'
import { nextState, touchChannels } from './updates.ts'

export async function listPackages(ctx: RequestContext, list: queries.PackageList) {
  const page = await queries.listPackageRows(ctx.scope.reads, list)
  return { ...page, items: page.items.map(row => ({ ...row, permissions: permissionsOf(ctx) })) }
}

const withSignatureState = (file: PackageFileRow, key: string | null) => ({
  ...file,
  signatureState: getSignatureState({ ...file, sha256: file.hash }, key),
})

/** @throws ProblemError 404 */
export async function readPackage(ctx: RequestContext, uid: string) {
  return ctx.scope.readTogether(async reads => {
    const row = orNotFound(await queries.findPackage(reads, uid))
    const key = await findUpdateKey(reads)
    const files = (await findPackageFiles(reads, uid)).map(file => withSignatureState(file, key))
    return { ...row, files, permissions: permissionsOf(ctx) }
  })
}

/** @throws ProblemError 404 */
export async function listPackageFiles(ctx: RequestContext, uid: string, list: z.output<typeof ListQuery>) {
  return ctx.scope.readTogether(async reads => {
    orNotFound(await queries.findPackage(reads, uid))
    const key = await findUpdateKey(reads)
    const page = await listPackageFileRows(reads, uid, list)
    return { ...page, items: page.items.map(file => withSignatureState(file, key)) }
  })
}

/** Makes a package: a draft without files. */
export async function addPackage(ctx: RequestContext, draft: z.output<typeof PackageDraft>): Promise<string> {
  const uid = uuidV7()
  const { name } = draft
  await ctx.scope.write(async writes => {
    await queries.insertPackage(writes, { ...draft, uid, clientId: ctx.scope.clientId }, ctx.now)
    const changes = changesBetween({}, { ...draft, state: 'draft' })
    await recordChange(writes, ctx, { action: 'add', entity: 'update-package', uid, name, changes })
  })
  return uid
}

/** A draft, locked. @throws OutcomeError notDone in any other state; ProblemError 404 */
export async function lockDraft(writes: Writes, uid: string): Promise<queries.StoredPackage> {
  const draft = orNotFound(await queries.lockPackage(writes, uid))
  if (draft.state !== 'draft') throw new OutcomeError('notDone', { reason: 'not-a-draft' })
  return draft
}

/** @throws OutcomeError notDone unless it is a draft; ProblemError 404, 409 for a stale record version */
export async function editPackage(
  ctx: RequestContext,
  change: BodyOf<typeof calls.editPackage>,
): Promise<void> {
  const { uid, recordVersion, ...given } = change
  await ctx.scope.write(async writes => {
    const draft = await lockDraft(writes, uid)
    if (recordVersion !== undefined && recordVersion !== draft.recordVersion) throw stale()
    const fields = omitUndefined(given)
    const after = await queries.updatePackage(writes, uid, { ...fields, at: ctx.now })
    const changes = changesOfEdit({ before: draft, after }, fields)
    const { name } = after
    await recordChange(writes, ctx, { action: 'edit', entity: 'update-package', uid, name, changes })
  })
}

/** @throws OutcomeError inUse with the names of the channels that it is put on; ProblemError 404 */
export async function deletePackage(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name, description, category, version, state } = orNotFound(await queries.lockPackage(writes, uid))
    const channels = await queries.findChannelsOf(writes, uid)
    if (channels.length > 0)
      throw new OutcomeError('inUse', { uid, names: channels.map(channel => channel.name) })
    const files = (await findPackageFiles(writes, uid)).map(file => file.originalName)
    await queries.removePackage(writes, uid)
    const changes = changesBetween(
      { description, category, version, state, files },
      { description: null, category: null, version: null, state: null, files: null },
    )
    await recordChange(writes, ctx, { action: 'delete', entity: 'update-package', uid, name, changes })
  })
}

const isOfOtherVersion = ({ statement }: PackageFileRow, version: string): boolean =>
  statement !== null && parseStatement(statement)?.version !== version

/** A package that leaves the draft or is deployed needs files, each signed for the client's key. @throws OutcomeError */
export async function checkWhole(
  writes: Writes,
  { uid, version }: { uid: string; version: string },
): Promise<void> {
  const files = await findPackageFiles(writes, uid)
  if (files.length === 0) throw new OutcomeError('notConsistent', { reason: 'package-empty' })
  const key = await holdUpdateKey(writes)
  if (key === null) throw new OutcomeError('notConsistent', { reason: 'update-key-missing' })
  const states = files.map(file => withSignatureState(file, key))
  for (const [state, reason] of [
    ['missing', 'signature-missing'],
    ['wrong', 'signature-wrong'],
  ] as const) {
    const names = states.filter(file => file.signatureState === state).map(file => file.originalName)
    if (names.length > 0) throw new OutcomeError('notConsistent', { reason, names })
  }
  const names = states.filter(file => isOfOtherVersion(file, version)).map(file => file.originalName)
  if (names.length > 0) throw new OutcomeError('notConsistent', { reason: 'signature-mismatch', names })
}

/**
 * Turns a package from draft to testing, to released, and back to draft. The last withdraws it from devices that have not
 * installed it yet.
 * @throws OutcomeError notConsistent for an incomplete package; ProblemError 404, 409 if `from` is stale
 */
export async function rotatePackage(ctx: RequestContext, uid: string, from: PackageState | undefined) {
  return ctx.scope.write(async writes => {
    const before = orNotFound(await queries.lockPackage(writes, uid))
    const state = nextState(['draft', 'testing', 'released'], { state: before.state, from })
    if (state !== 'draft') await checkWhole(writes, before)
    await queries.updatePackage(writes, uid, { state, at: ctx.now })
    const channels = state === 'testing' ? [] : await queries.findChannelsOf(writes, uid)
    await touchChannels(
      writes,
      channels.map(channel => channel.uid),
    )
    const changes = changesBetween({ state: before.state }, { state })
    const { name } = before
    await recordChange(writes, ctx, { action: 'rotate', entity: 'update-package', uid, name, changes })
    return state
  })
}
