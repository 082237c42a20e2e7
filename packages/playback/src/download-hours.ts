import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { DeviceSettings } from '@floorcast/contract/manifest.ts'
import { filesOf } from './cue.ts'
import { HOUR, type Ms } from './instant.ts'
import { iterateCues } from './iterate-cues.ts'
import { openingAt } from './opening-hours.ts'
import { neededFiles } from './sync-plan.ts'

/** A file that is to be heard within this time does not wait for the hours of downloads. */
export const URGENT_WITHIN_MS: Ms = HOUR

type Hours = Pick<DeviceSettings, 'downloadFrom' | 'downloadTo'>

/** When downloads that can wait may run next: `at` itself within the hours of the profile, and without such hours. */
export function downloadsOpenAt(
  { device, settings }: { device: DeviceManifest['device']; settings: Hours },
  at: Ms,
): Ms {
  const hours = { openingTime: settings.downloadFrom ?? null, closingTime: settings.downloadTo ?? null }
  const opening = openingAt({ ...device, ...hours }, at)
  return opening.state === 'closed' ? opening.until : at
}

/**
 * The hashes of files that do not wait for the hours of downloads: the sounds of alerts, and what is to be heard within the
 * hour if the device holds everything.
 */
export function urgentFiles(manifest: DeviceManifest, at: Ms): ReadonlySet<string> {
  const published = new Set(manifest.publications.flatMap(neededFiles).map(file => file.sha256))
  const alerts = manifest.files.filter(({ sha256 }) => !published.has(sha256))
  const urgent = new Set(alerts.map(({ sha256 }) => sha256))
  for (const { file } of manifest.alerts) {
    const sound = manifest.files[file ?? -1]
    if (sound) urgent.add(sound.sha256)
  }
  const quiet = { ...manifest, alerts: [] }
  for (const cue of iterateCues(quiet, { from: at, until: at + URGENT_WITHIN_MS }, filesOf(manifest)))
    if (cue.kind === 'play') urgent.add(cue.file.sha256)
  return urgent
}
