import type { DeviceAlert, DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertNotice } from '@floorcast/contract/device-messages.ts'
import type { AlertCue } from './cue-types.ts'
import { MINUTE, type Ms, parseDateTime, SECOND } from './instant.ts'
import { lengthOf } from './media.ts'

/** What of a manifest alerts need; a device that has no manifest yet has none of it. */
type AlertSource = Pick<DeviceManifest, 'alerts' | 'alertSounds' | 'files'>

/** Whether the server tells other open alerts than the manifest names: then the manifest is to be fetched. */
export function alertsDiffer({ alerts }: AlertSource, notices: readonly AlertNotice[]): boolean {
  const named = new Set(alerts.map(({ uid }) => uid))
  return named.size !== notices.length || notices.some(({ uid }) => !named.has(uid))
}

/** The manifest with the alerts that were told beside it, each with the sound of its kind, or the siren. */
export function withAlerts<M extends AlertSource>(manifest: M, notices: readonly AlertNotice[]): M {
  const named = new Set(manifest.alerts.map(({ uid }) => uid))
  const added = notices
    .filter(({ uid }) => !named.has(uid))
    .map(({ uid, kind, beganAt }) => {
      return { uid, kind, beganAt, isDrill: false, file: manifest.alertSounds?.[kind] ?? null }
    })
  return added.length === 0 ? manifest : { ...manifest, alerts: [...manifest.alerts, ...added] }
}

/** The open alert that began last; it sounds whatever the clock says of its beginning. */
function newestAlert(manifest: AlertSource): DeviceAlert | undefined {
  return manifest.alerts.toSorted(
    (a, b) => parseDateTime(b.beganAt) - parseDateTime(a.beganAt) || (b.uid > a.uid ? 1 : -1),
  )[0]
}

/** The alert that sounds, repeated from its beginning until it is no longer in the manifest; null when none is open. */
export function alertCue(manifest: AlertSource, at: Ms): AlertCue | null {
  const alert = newestAlert(manifest)
  if (!alert) return null
  const file = alert.file === null ? null : (manifest.files[alert.file] ?? null)
  const length = (file && lengthOf(file)) || MINUTE
  const beganAt = parseDateTime(alert.beganAt)
  const sinceBegan = Number.isNaN(beganAt) ? 0 : at - beganAt
  const startsAt = at - (((sinceBegan % length) + length) % length)
  const offsetSeconds = (at - startsAt) / SECOND
  return { kind: 'alert', because: 'alert', alert, file, startsAt, offsetSeconds, until: startsAt + length }
}
