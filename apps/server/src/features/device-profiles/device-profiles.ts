import type { EditState } from '@floorcast/contract/groups.ts'
import { kindOfMedia } from '@floorcast/contract/media.ts'
import {
  alertMediaSettings,
  type ProfileCard,
  type ProfileChange,
  profileSettings,
  type ProfileType,
} from '@floorcast/contract/device-profiles.ts'
import { z } from 'zod'
import type { Writes } from '../../platform/database/client-scope.ts'
import { definedOf } from '../../platform/lib/omit-undefined.ts'
import { found, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import type { Actor } from '../../platform/auth/request-context.ts'
import { permissionsOf } from '../../platform/auth/rights.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, recordChange } from '../audit/audit.ts'
import { holdGroups } from '../groups/groups.ts'
import { holdMedia } from '../media/media.ts'
import { touchManifests } from '../manifests/manifests.ts'
import {
  findProfile,
  findProfileGroups,
  insertProfile,
  listProfileRecords,
  lockProfile,
  type ProfileFields,
  type ProfileList,
  removeProfile,
  replaceGroups,
  updateProfile,
} from './device-profiles-queries.ts'

type Change = z.output<typeof ProfileChange>
type Settings = Record<string, unknown>

export const readProfiles = (by: Actor, list: ProfileList) => listProfileRecords(by.scope.reads, list)

export async function readProfileCard(by: Actor, uid: string): Promise<ProfileCard> {
  return { ...found(await findProfile(by.scope.reads, uid)), permissions: permissionsOf(by) }
}

/** The types with the JSON Schemas of their settings. */
export const profileTypes = () =>
  Object.entries(profileSettings).map(([type, schema]) => ({
    type: type as ProfileType,
    schema: z.toJSONSchema(schema, { io: 'input' }) as Record<string, unknown>,
  }))

/** @throws ProblemError 422 for settings that the type has not, or with values that do not fit */
function settingsOf(type: ProfileType, given: Settings): Settings {
  const parsed = profileSettings[type].safeParse(given)
  if (parsed.success) return parsed.data
  const errors = parsed.error.issues.flatMap(issue => {
    const at = ['settings', ...issue.path]
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map(key => ({ path: [...at, key].join('.'), message: 'unknown' }))
    return [{ path: at.join('.'), message: issue.message === 'empty' ? 'empty' : 'wrong' }]
  })
  throw new ProblemError(422, 'wrong-fields', { errors })
}

/** Holds the media that settings name until the transaction ends. @throws ProblemError 422 for one that is no sound of the client */
async function holdSounds(writes: Writes, settings: Settings): Promise<void> {
  const named = Object.values(alertMediaSettings).flatMap(key => {
    const uid = settings[key]
    return typeof uid === 'string' ? [{ key, uid }] : []
  })
  if (named.length === 0) return
  const held = await holdMedia(writes, [...new Set(named.map(({ uid }) => uid))])
  const errors = named.flatMap(({ key, uid }) => {
    const media = held.get(uid)
    if (media && kindOfMedia(media) === 'audio') return []
    return [{ path: `settings.${key}`, message: media ? 'wrong' : 'unknown' }]
  })
  if (errors.length > 0) throw new ProblemError(422, 'wrong-fields', { errors })
}

/** Puts a profile on these groups and no other. @throws ProblemError 422 when one is not there */
async function applyTo(
  writes: Writes,
  by: Actor,
  { uid, groupUids }: { uid: string; groupUids: readonly string[] | undefined },
): Promise<Changes> {
  const before = await findProfileGroups(writes, uid)
  if (groupUids === undefined) {
    await touchManifests(writes, { profileGroups: before }, by.now)
    return {}
  }
  const wanted = [...new Set(groupUids)].toSorted()
  const there = new Set(await holdGroups(writes, wanted))
  const errors = groupUids.flatMap((group, n) =>
    there.has(group) ? [] : [{ path: `groupUids.${n}`, message: 'unknown' }],
  )
  if (errors.length > 0) throw new ProblemError(422, 'wrong-fields', { errors })
  await replaceGroups(writes, { uid, clientId: by.scope.clientId }, wanted)
  await touchManifests(writes, { profileGroups: [...new Set([...before, ...wanted])] }, by.now)
  return changesBetween({ groupUids: before }, { groupUids: wanted })
}

async function addProfile(by: Actor, change: Change): Promise<string> {
  const { name = '', type = 'audio', description = '', groupUids } = change
  const settings = settingsOf(type, change.settings ?? {})
  const uid = uuidV7()
  await by.scope.write(async writes => {
    const profile = { uid, clientId: by.scope.clientId, name, type, description, settings }
    await holdSounds(writes, settings)
    await insertProfile(writes, { ...profile, at: by.now })
    const groups = await applyTo(writes, by, { uid, groupUids: groupUids ?? [] })
    const changes = { ...changesBetween({}, { name, type, description, settings }), ...groups }
    await recordChange(writes, by, { action: 'add', thing: 'profile', uid, name, changes })
  })
  return uid
}

async function changeProfile(by: Actor, uid: string, change: Change): Promise<void> {
  const { version, groupUids, name, description, type, settings: given } = change
  await by.scope.write(async writes => {
    const profile = found(await lockProfile(writes, uid))
    if (version !== undefined && version !== profile.version) throw stale()
    if (type !== undefined && type !== profile.type)
      throw new OutcomeError('notDone', { reason: 'type-cannot-change' })
    const settings = given && settingsOf(profile.type, given)
    const fields = definedOf({ name, description, settings })
    if (profile.state === 'active' && Object.keys(fields).length > 0)
      throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    if (settings) await holdSounds(writes, settings)
    await updateProfile(writes, uid, { ...fields, at: by.now })
    const groups = await applyTo(writes, by, { uid, groupUids })
    const changes = { ...changesBetween<Partial<ProfileFields>>(profile, fields), ...groups }
    const action = { action: 'edit', thing: 'profile' as const, uid, name: name ?? profile.name, changes }
    await recordChange(writes, by, action)
  })
}

/** Makes a profile, paused, or changes one; resolves to its uid. @throws OutcomeError notDone; ProblemError 404, 409, 422 */
export async function saveProfile(by: Actor, change: Change): Promise<string> {
  if (change.uid === undefined) return addProfile(by, change)
  await changeProfile(by, change.uid, change)
  return change.uid
}

/** Active to paused and back; activating puts the settings in force. @throws ProblemError 409 when `from` is stale */
export async function changeProfileState(by: Actor, uid: string, from: EditState | undefined) {
  return by.scope.write(async writes => {
    const profile = found(await lockProfile(writes, uid))
    if (from !== undefined && from !== profile.state) throw stale()
    const isOn = profile.state === 'paused'
    const state: EditState = isOn ? 'active' : 'paused'
    const inForce = isOn ? { activeSettings: profile.settings } : {}
    await updateProfile(writes, uid, { state, ...inForce, at: by.now })
    await applyTo(writes, by, { uid, groupUids: undefined })
    const changes = changesBetween({ state: profile.state }, { state })
    const action = isOn ? 'activate' : 'pause'
    await recordChange(writes, by, { action, thing: 'profile', uid, name: profile.name, changes })
    return isOn ? ('activated' as const) : ('disabled' as const)
  })
}

/** @throws OutcomeError notDone while it is active */
export async function deleteProfile(by: Actor, uid: string): Promise<void> {
  await by.scope.write(async writes => {
    const profile = found(await lockProfile(writes, uid))
    if (profile.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
    const groups = await findProfileGroups(writes, uid)
    await removeProfile(writes, uid)
    await touchManifests(writes, { profileGroups: groups }, by.now)
    const changes = changesBetween<Settings>({ settings: profile.settings }, { settings: null })
    await recordChange(writes, by, { action: 'delete', thing: 'profile', uid, name: profile.name, changes })
  })
}
