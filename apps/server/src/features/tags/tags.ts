import type { AuditAction } from '@floorcast/contract/audit.ts'
import { knowsTimeZone } from '../../platform/database/time-zones.ts'
import type {
  EffectiveTags,
  PlaceTags,
  TagChange,
  TagDraft,
  TagLevel,
} from '@floorcast/contract/tag-calls.ts'
import { effectiveTags, type Tags } from '@floorcast/contract/tags.ts'
import type { z } from 'zod'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, notFound, OutcomeError, ProblemError } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { type Changes, changesBetween, changesOfTags, recordChange } from '../audit/audit.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import {
  insertDeviceTags,
  findOwner,
  findSources,
  holdOwner,
  insertTag,
  readTags,
  lockPolicy,
  lockTag,
  removeTag,
  savePolicy,
  type TagOwner,
  updateTag,
} from './tags-queries.ts'

/** The owner of the tags of a call; `own` is the client. @throws ProblemError 404 for `own` elsewhere */
export function ownerOf(ctx: RequestContext, given: { contentType: TagLevel; uid: string }): TagOwner {
  if (given.uid !== 'own') return { level: given.contentType, uid: given.uid }
  if (given.contentType !== 'client') throw notFound()
  return { level: 'client', uid: ctx.scope.clientId }
}

export async function listTags(ctx: RequestContext, owner: TagOwner) {
  orNotFound(await findOwner(ctx.scope.reads, owner))
  return readTags(ctx.scope.reads, owner)
}

/** @throws ProblemError 422 for a zone that the database does not know */
export async function refuseUnknownZone(
  reads: Reads,
  tag: { key: string; value?: string | undefined; path: string },
) {
  if (tag.key !== 'timeZone' || tag.value === undefined || (await knowsTimeZone(reads, tag.value))) return
  throw new ProblemError('wrong-fields', { errors: [{ path: tag.path, message: 'time-zone' }] })
}

/** The time zones among these that the database does not know. Each is looked up once. */
export async function findUnknownZones(reads: Reads, zones: Iterable<string>): Promise<Set<string>> {
  const unknown = new Set<string>()
  for (const zone of new Set(zones)) if (!(await knowsTimeZone(reads, zone))) unknown.add(zone)
  return unknown
}

/** Adds the tags of devices that this transaction has added. Their history and manifests are the caller's. */
export async function addDeviceTags(
  writes: Writes,
  ctx: RequestContext,
  devices: readonly { uid: string; tags: PlaceTags }[],
): Promise<void> {
  const { clientId } = ctx.scope
  const rows = devices.flatMap(({ uid: deviceUid, tags }) =>
    Object.entries(tags).flatMap(([key, value]) =>
      value === undefined ? [] : [{ clientId, deviceUid, key, value }],
    ),
  )
  await insertDeviceTags(writes, rows, ctx.now)
}

const touched = ({ level, uid }: TagOwner) =>
  level === 'client' ? { client: true as const } : level === 'device' ? { devices: [uid] } : { groups: [uid] }

type TagText = { value: string; description: string }

/** The audited changes of a tag: its value under its key, and its description if there is one. */
export function tagChanges(key: string, before: TagText | null, after: TagText | null): Changes {
  const fieldsOf = (tag: TagText | null) => ({
    [key]: tag?.value ?? null,
    [`${key} (description)`]: tag?.description || null,
  })
  return changesOfTags(fieldsOf(before), fieldsOf(after))
}

/** Records a change of a tag in the history of its owner. */
async function recordTag(
  writes: Writes,
  ctx: RequestContext,
  change: { owner: TagOwner; name: string; action: AuditAction; changes: Changes },
): Promise<void> {
  const { owner, name, action, changes } = change
  await recordChange(writes, ctx, { action, entity: owner.level, uid: owner.uid, name, changes })
  await invalidateManifests(writes, touched(owner))
}

/** @throws OutcomeError notDone `tag-exists`; ProblemError 404, 422 */
export async function addTag(
  ctx: RequestContext,
  owner: TagOwner,
  draft: z.output<typeof TagDraft>,
): Promise<void> {
  await refuseUnknownZone(ctx.scope.reads, { ...draft, path: 'value' })
  await ctx.scope.write(async writes => {
    const { name } = orNotFound(await holdOwner(writes, owner))
    const tag = { ...draft, clientId: ctx.scope.clientId, at: ctx.now }
    if (!(await insertTag(writes, owner, tag))) throw new OutcomeError('notDone', { reason: 'tag-exists' })
    const changes = tagChanges(draft.key, null, draft)
    await recordTag(writes, ctx, { owner, name, action: 'add-tag', changes })
  })
}

/** @throws OutcomeError notDone `no-such-tag`; ProblemError 404, 422 */
export async function editTag(
  ctx: RequestContext,
  owner: TagOwner,
  change: z.output<typeof TagChange>,
): Promise<void> {
  await refuseUnknownZone(ctx.scope.reads, { ...change, path: 'value' })
  await ctx.scope.write(async writes => {
    const { name } = orNotFound(await holdOwner(writes, owner))
    const before = await lockTag(writes, owner, change.key)
    if (!before) throw new OutcomeError('notDone', { reason: 'no-such-tag' })
    const { value = before.value, description = before.description } = change
    await updateTag(writes, before.uid, { value, description, at: ctx.now })
    const changes = tagChanges(change.key, before, { value, description })
    await recordTag(writes, ctx, { owner, name, action: 'edit-tag', changes })
  })
}

/** @throws OutcomeError notDone `no-such-tag`, for the volume `volume-already-default` */
export async function deleteTag(ctx: RequestContext, owner: TagOwner, key: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const { name } = orNotFound(await holdOwner(writes, owner))
    const before = await lockTag(writes, owner, key)
    if (!before)
      throw new OutcomeError('notDone', {
        reason: key === 'volume' ? 'volume-already-default' : 'no-such-tag',
      })
    await removeTag(writes, before.uid)
    const changes = tagChanges(key, before, null)
    await recordTag(writes, ctx, { owner, name, action: 'delete-tag', changes })
  })
}

/** The effective tags of a device, each with its level. */
export async function readEffectiveTags(reads: Reads, deviceUid: string): Promise<EffectiveTags> {
  const { policy, tags } = orNotFound(await findSources(reads, deviceUid))
  const at = (level: TagLevel): Tags =>
    Object.fromEntries(tags.filter(tag => tag.level === level).map(({ key }) => [key, level]))
  const levels = { device: at('device'), group: at('group'), client: at('client') }
  const inForce = Object.entries(effectiveTags(policy, levels)).flatMap(([key, level]) =>
    tags.filter(tag => tag.key === key && tag.level === level),
  )
  return { policy, tags: inForce }
}

/** Sets which level's tags win for a device. @throws ProblemError 404 */
export async function setTagPolicy(
  ctx: RequestContext,
  deviceUid: string,
  policy: TagLevel,
): Promise<EffectiveTags> {
  return ctx.scope.write(async writes => {
    const { name } = orNotFound(await lockPolicy(writes, deviceUid))
    const before = await readEffectiveTags(writes, deviceUid)
    await savePolicy(writes, deviceUid, policy)
    const owner: TagOwner = { level: 'device', uid: deviceUid }
    const changes = changesBetween({ tagPolicy: before.policy }, { tagPolicy: policy })
    await recordTag(writes, ctx, { owner, name, action: 'set-policy', changes })
    return readEffectiveTags(writes, deviceUid)
  })
}
