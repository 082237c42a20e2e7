import type { DeviceAlert, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { Ms } from './instant.ts'

export const silentReasons = [
  'no-publication',
  'closed',
  'outside-dates',
  'outside-window',
  'empty',
  'not-downloaded',
] as const
/** The reason for silence; a closed list, each with a text in every catalogue. */
export type SilentReason = (typeof silentReasons)[number]

/** The reason for which a play ends early. */
export type CutReason = 'closed' | 'publication' | 'outside-dates' | 'outside-window' | 'clock-change'

export interface PlayCue {
  kind: 'play'
  /** `loop` and `start-time` of a simple playlist, `timeline` of a smart one. */
  because: 'loop' | 'start-time' | 'timeline'
  publication: DevicePublication
  /** Null in a smart playlist, which has no items. */
  itemUid: string | null
  file: ManifestFile
  /** The scheduled start, at or before the requested instant. */
  startsAt: Ms
  /** The offset of the requested instant in the file. */
  offsetSeconds: number
  /** The start of the next cue, always after the requested instant. */
  until: Ms
  /** The crossfade: how long this play continues after `until`. */
  overlapMs: Ms
  /** Set if `until` lies before the file's end. */
  cutBy: CutReason | null
}

export interface AlertCue {
  kind: 'alert'
  because: 'alert'
  alert: DeviceAlert
  /** Null means the device's built-in siren. */
  file: ManifestFile | null
  startsAt: Ms
  offsetSeconds: number
  /** The end of this repetition. The alert repeats until it has ended. */
  until: Ms
}

export interface SilentCue {
  kind: 'silent'
  because: SilentReason
  until: Ms
}

/** A play, an alert or silence at an instant, with its reason and end. */
export type Cue = PlayCue | AlertCue | SilentCue

/** A time at which any play ends, with the reason. */
export interface Limit {
  at: Ms
  why: CutReason
}
