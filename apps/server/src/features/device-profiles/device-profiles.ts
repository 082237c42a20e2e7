import { alertMediaSettings } from '@floorcast/contract/alert-kind.ts'
import type { EditState } from '@floorcast/contract/groups.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import {
  type ProfileCard,
  type ProfileChange,
  profileSettings,
  type ProfileType,
} from '@floorcast/contract/device-profiles.ts'
import { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { omitUndefined } from '../../platform/lib/omit-undefined.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { assignGroups } from '../groups/groups.ts'
import { lockContentTypes } from '../media/media.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import {
  findProfile,
  findProfileGroups,
  findSameType,
  insertProfile,
  listProfileRows,
  lockProfile,
  type ProfileList,
  removeProfile,
  replaceGroups,
  updateProfile,
} from './device-profiles-queries.ts'

type Change = z.output<typeof ProfileChange>
type Settings = Record<string, unknown>

export const listProfiles = (ctx: RequestContext, list: ProfileList) => listProfileRows(ctx.scope.reads, list)

export async function readProfileCard(ctx: RequestContext, uid: string): Promise<ProfileCard> {
  return { ...orNotFound(await findProfile(ctx.scope.reads, uid)), permissions: permissionsOf(ctx) }
}

/** The types with the JSON Schemas of their settings. */
export const profileTypes = () =>
  Object.entries(profileSettings).map(([type, schema]) => ({
    type: type as ProfileType,
    schema: z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>,
  }))

/** @throws ProblemError 422 for settings that the type does not have, and for wrong values */
function settingsOf(type: ProfileType, given: Settings): Settings {
  const parsed = profileSettings[type].safeParse(given)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(issue => {
    const at = ['settings', ...issue.path]
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ path: [...at, key].join('.'), message: 'unknown' }))
    return [{ path: at.join('.'), message: issue.message === 'empty' ? 'empty' : 'wrong' }]
  })
  throw new ProblemError('wrong-fields', { errors })
}

/** Locks the media that settings name until the transaction ends. @throws ProblemError 422 for one that is not a sound of the client */
async function holdSounds(writes: Writes, settings: Settings): Promise<void> {
  const named = Object.values(alertMediaSettings).flatMap(key => {
    const uid = settings[key]
    return typeof uid === 'string' ? [{ key, uid }] : []
  })
  if (named.length === 0) return
  const held = await lockContentTypes(writes, [...new Set(named.map(({ uid }) => uid))])
  const errors = named.flatMap(({ key, uid }) => {
    const media = held.get(uid)
    if (media && kindOfMedia(media) === 'audio') return []
    return [{ path: `settings.${key}`, message: media ? 'wrong' : 'unknown' }]
  })
  if (errors.length > 0) throw new ProblemError('wrong-fields', { errors })
}

/** Applies a profile to these groups only. @throws ProblemError 422 for an unknown group */
async function applyTo(
  writes: Writes,
  ctx: RequestContext,
  { uid, groupUids }: { uid: string; groupUids: readonly string[] | undefined },
): Promise<Changes> {
  const before = await findProfileGroups(writes, uid)
  if (groupUids === undefined) {
    await invalidateManifests(writes, { profileGroups: before })
    return {}
  }
  return assignGroups(writes, { before, groupUids }, async (wanted, profileGroups) => {
    await replaceGroups(writes, { uid, clientId: ctx.scope.clientId }, wanted)
    await invalidateManifests(writes, { profileGroups })
  })
}

async function addProfile(ctx: RequestContext, change: Change): Promise<string> {
  const { name = '', type = 'audio', description = '', groupUids } = change
  const settings = settingsOf(type, change.settings ?? {})
  const uid = uuidV7()
  await ctx.scope.write(async writes => {
    const profile = { uid, clientId: ctx.scope.clientId, name, type, description, settings }
    await holdSounds(writes, settings)
    await insertProfile(writes, profile, ctx.now)
    const groups = await applyTo(writes, ctx, { uid, groupUids: groupUids ?? [] })
    const changes = { ...changesBetween({}, { name, type, description, settings }), ...groups }
    await recordChange(writes, ctx, { action: 'add', entity: 'profile', uid, name, changes })
  })
  return uid
}

async function changeProfile(ctx: RequestContext, uid: string, change: Change): Promise<void> {
  const { version, groupUids, name, description, type, settings: given } = change
  await ctx.scope.write(async writes => {
    const profile = orNotFound(await lockProfile(writes, uid))
    if (version !== undefined && version !== profile.version) throw stale()
    if (type !== undefined && type !== profile.type)
      throw new OutcomeError('notDone', { reason: 'type-cannot-change' })
    const settings = given && settingsOf(profile.type, given)
    const fields = omitUndefined({ name, description, settings })
    if (profile.state === 'active' && Object.keys(fields).length > 0)
      throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    if (settings) await holdSounds(writes, settings)
    const after = await updateProfile(writes, uid, { ...fields, at: ctx.now })
    const groups = await applyTo(writes, ctx, { uid, groupUids })
    const changes = { ...changesOfEdit({ before: profile, after }, fields), ...groups }
    await recordChange(writes, ctx, { action: 'edit', entity: 'profile', uid, name: after.name, changes })
  })
}

/** Adds a paused profile or changes one. @returns its uid @throws OutcomeError notDone; ProblemError 404, 409, 422 */
export async function editProfile(ctx: RequestContext, change: Change): Promise<string> {
  if (change.uid === undefined) return addProfile(ctx, change)
  await changeProfile(ctx, change.uid, change)
  return change.uid
}

/**
 * Pauses or activates a profile. Its settings apply from its first activation on, as last activated; of two profiles of one
 * type that a group has, the one that was activated later wins. @returns the profiles over which this one wins now
 * @throws ProblemError 409 if `from` is stale
 */
export async function changeProfileState(ctx: RequestContext, uid: string, from: EditState | undefined) {
  return ctx.scope.write(async writes => {
    const profile = orNotFound(await lockProfile(writes, uid))
    if (from !== undefined && from !== profile.state) throw stale()
    const isOn = profile.state === 'paused'
    const state: EditState = isOn ? 'active' : 'paused'
    const inForce = isOn ? { activeSettings: profile.settings, activatedAt: ctx.now } : {}
    await updateProfile(writes, uid, { state, ...inForce, at: ctx.now })
    await applyTo(writes, ctx, { uid, groupUids: undefined })
    const changes = changesBetween({ state: profile.state }, { state })
    const action = isOn ? 'activate' : 'pause'
    await recordChange(writes, ctx, { action, entity: 'profile', uid, name: profile.name, changes })
    if (!isOn) return { outcome: 'disabled' as const, overrules: [] }
    return { outcome: 'activated' as const, overrules: await findSameType(writes, profile) }
  })
}

/** @throws OutcomeError notDone while it is active */
export async function deleteProfile(ctx: RequestContext, uid: string): Promise<void> {
  await ctx.scope.write(async writes => {
    const profile = orNotFound(await lockProfile(writes, uid))
    if (profile.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    const groups = await findProfileGroups(writes, uid)
    await removeProfile(writes, uid)
    await invalidateManifests(writes, { profileGroups: groups })
    const changes = changesBetween({ settings: profile.settings }, { settings: null })
    await recordChange(writes, ctx, { action: 'delete', entity: 'profile', uid, name: profile.name, changes })
  })
}
