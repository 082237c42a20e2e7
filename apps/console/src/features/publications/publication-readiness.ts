import type { Readiness } from '@floorcast/contract/publications.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** Whether every device has all files of it. A publication without devices is heard nowhere. */
export const isReadyEverywhere = ({ devices, holding }: Readiness): boolean =>
  devices > 0 && holding === devices

/** 'Ready on 238 of 240 devices'. */
export function describeReadiness(
  { t, format }: { t: Translate; format: Format },
  { devices, holding }: Readiness,
): string {
  if (devices === 0) return t('publications:noDevices')
  return t('publications:hold', {
    count: devices,
    holding: format.number(holding),
    devices: format.number(devices),
  })
}
