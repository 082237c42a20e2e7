import type { DeviceAlert, DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertCue } from './cue-types.ts'
import { MINUTE, type Millis, parseDateTime, SECOND } from './instant.ts'
import { lengthOf } from './media.ts'

/** The open alert that began last; it sounds whatever the clock says of its beginning. */
function newestAlert(manifest: DeviceManifest): DeviceAlert | undefined {
  return manifest.alerts.toSorted(
    (a, b) => parseDateTime(b.beganAt) - parseDateTime(a.beganAt) || (b.uid > a.uid ? 1 : -1),
  )[0]
}

/** The alert that sounds, repeated from its beginning until it is no longer in the manifest; null when none is open. */
export function alertCue(manifest: DeviceManifest, at: Millis): AlertCue | null {
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
