import type { PublishPlan } from '@floorcast/contract/publish.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

interface Words {
  t: Translate
  format: Format
}

/** The sentences on what publishing does, in the order in which it happens. */
export function publishSteps(plan: PublishPlan, { t }: Words): string[] {
  const { playlist, group, devices, publication, follows } = plan
  const steps: string[] = []
  const count = devices.count
  if (group.uid === null) steps.push(t('publish:steps.newGroup', { name: group.name, count }))
  else if (group.isActivated) steps.push(t('publish:steps.activate', { name: group.name }))
  if (playlist.isActivated) steps.push(t('publish:steps.activate', { name: playlist.name }))
  for (const { name } of plan.turnsOff) steps.push(t('publish:steps.turnsOff', { name }))
  if (publication) steps.push(t('publish:steps.again', { name: publication.name }))
  if (follows) steps.push(t('publish:steps.follows', { name: follows.name }))
  if (count > 0 && devices.offline === count) return [...steps, t('publish:steps.noneConnected', { count })]
  if (count > 0) steps.push(t('publish:steps.devices', { count }))
  if (devices.offline > 0) steps.push(t('publish:steps.offline', { count: devices.offline }))
  return steps
}

/** The sentences on the devices that do not get it. */
export function publishWarnings({ playlist, group, devices }: PublishPlan, { t, format }: Words): string[] {
  const { count, tooSmall, inGroups, otherKind } = devices
  const warnings: string[] = []
  if (count === 0) warnings.push(t('publish:warnings.noDevice', { group: group.name }))
  if (tooSmall > 0)
    warnings.push(t('publish:warnings.tooSmall', { count: tooSmall, size: format.size(playlist.sizeBytes) }))
  if (inGroups > 0) warnings.push(t('publish:warnings.inGroups', { count: inGroups }))
  if (otherKind > 0) warnings.push(t('publish:warnings.otherKind', { count: otherKind }))
  return warnings
}
