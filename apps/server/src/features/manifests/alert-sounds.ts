import { AlertKind, alertMediaSettings } from '@floorcast/contract/alert-kind.ts'
import { profileSettings } from '@floorcast/contract/device-profiles.ts'

/** The media item for each kind of alert by these profiles, oldest first. Devices play their own siren for a kind without one. */
export function soundsOf(profiles: readonly unknown[]): { kind: AlertKind; mediaUid: string }[] {
  const settings = profiles.flatMap(profile => profileSettings.alert.safeParse(profile).data ?? [])
  return AlertKind.options.flatMap(kind => {
    const key = alertMediaSettings[kind]
    const mediaUid = settings.findLast(one => one[key] !== undefined)?.[key]
    return mediaUid === undefined ? [] : [{ kind, mediaUid }]
  })
}
