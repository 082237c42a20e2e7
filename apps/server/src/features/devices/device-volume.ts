import { DEFAULT_VOLUME, effectiveTags, volumeOf } from '@floorcast/contract/tags.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { OutcomeError } from '../../platform/lib/errors.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { deleteVolumeTag, findVolumeSources, saveVolumeTag } from './device-volume-queries.ts'

/** The volume: the effective tag, else the default of the group's profile, else 70. */
export async function effectiveVolume(
  reads: Reads,
  device: { uid: string; groupUid: string | null },
): Promise<number> {
  const { tags, tagPolicy, profileVolume } = await findVolumeSources(reads, device)
  const at = (level: string) =>
    Object.fromEntries(tags.filter(tag => tag.level === level).map(tag => ['volume', tag.value]))
  const levels = { device: at('device'), group: at('group'), client: at('client') }
  return volumeOf(effectiveTags(tagPolicy, levels)) ?? profileVolume ?? DEFAULT_VOLUME
}

/** Whether the device itself has a volume tag. */
export async function hasOwnVolume(reads: Reads, uid: string): Promise<boolean> {
  const { tags } = await findVolumeSources(reads, { uid, groupUid: null })
  return tags.some(({ level }) => level === 'device')
}

/**
 * Sets the volume tag of a device that the caller has locked, or removes it (null). @returns the volume from now on
 * @throws OutcomeError notDone if there is none to remove, or if a tag of the group or the client has precedence
 */
export async function setDeviceVolume(
  writes: Writes,
  ctx: RequestContext,
  { device, volume }: { device: { uid: string; groupUid: string | null }; volume: number | null },
): Promise<number> {
  const { uid } = device
  if (volume === null) {
    if (!(await deleteVolumeTag(writes, uid)))
      throw new OutcomeError('notDone', { reason: 'volume-already-default' })
  } else {
    await saveVolumeTag(writes, { clientId: ctx.scope.clientId, deviceUid: uid, volume, at: ctx.now })
  }
  const effective = await effectiveVolume(writes, device)
  if (volume !== null && effective !== volume)
    throw new OutcomeError('notDone', { reason: 'volume-by-policy' })
  await invalidateManifests(writes, { devices: [uid] })
  return effective
}
