import type { DeviceAlert, DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertNotice } from '@floorcast/contract/device-messages.ts'
import type { AlertCue } from './cue-types.ts'
import { MINUTE, type Ms, parseDateTime, SECOND } from './instant.ts'
import { lengthMsOf } from './media.ts'

/** The part of a manifest that alerts need. A device without a manifest passes empty lists. */
type AlertSource = Pick<DeviceManifest, 'alerts' | 'alertSounds' | 'files'>

/** Whether the server's open alerts differ from the manifest's, so that the manifest must be fetched. */
export function alertsDiffer({ alerts }: AlertSource, notices: readonly AlertNotice[]): boolean {
  const named = new Set(alerts.map(({ uid }) => uid))
  return named.size !== notices.length || notices.some(({ uid }) => !named.has(uid))
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The manifest with the separately announced alerts, each with its own sound if the manifest has it, else that of its kind or
 * the siren, and without those that have ended since.
 */
export function withAlerts<M extends AlertSource>(
  manifest: M,
  notices: readonly AlertNotice[],
  ended: ReadonlySet<string> = NONE,
): M {
  const { alerts, alertSounds, files } = manifest
  const named = new Set(alerts.map(({ uid }) => uid))
  const added = notices
    .filter(({ uid }) => !named.has(uid))
    .map(({ uid, kind, beganAt, isDrill, sound }) => {
      const own = files.findIndex(({ sha256 }) => sha256 === sound)
      return { uid, kind, beganAt, isDrill, file: own >= 0 ? own : (alertSounds?.[kind] ?? null) }
    })
  const open = [...alerts, ...added].filter(({ uid }) => !ended.has(uid))
  const isSame = added.length === 0 && open.length === alerts.length
  return isSame ? manifest : { ...manifest, alerts: open }
}

/** The open alert with the latest start. It plays even if its start lies in the future of the device's clock. */
function newestAlert(manifest: AlertSource): DeviceAlert | undefined {
  return manifest.alerts.toSorted(
    (a, b) => parseDateTime(b.beganAt) - parseDateTime(a.beganAt) || (b.uid > a.uid ? 1 : -1),
  )[0]
}

/** The current alert, which repeats until the manifest no longer contains it; null if none is open. */
export function alertCue(manifest: AlertSource, at: Ms): AlertCue | null {
  const alert = newestAlert(manifest)
  if (!alert) return null
  const file = alert.file === null ? null : (manifest.files[alert.file] ?? null)
  const length = (file && lengthMsOf(file)) || MINUTE
  const beganAt = parseDateTime(alert.beganAt)
  const sinceBegan = Number.isNaN(beganAt) ? 0 : at - beganAt
  const startsAt = at - (((sinceBegan % length) + length) % length)
  const offsetSeconds = (at - startsAt) / SECOND
  return { kind: 'alert', because: 'alert', alert, file, startsAt, offsetSeconds, until: startsAt + length }
}
