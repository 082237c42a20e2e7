import type { DeviceAlert } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile, ManifestPublication } from '@floorcast/contract/manifest.ts'
import type { Ms } from './instant.ts'

export const silentReasons = [
  'no-publication',
  'closed',
  'outside-dates',
  'outside-window',
  'empty',
  'not-downloaded',
] as const
/** Why nothing plays; a closed list, each with words in every catalogue. */
export type SilentReason = (typeof silentReasons)[number]

/** What ends a play before its own end. */
export type CutReason = 'closed' | 'publication' | 'outside-dates' | 'outside-window' | 'clock-change'

export interface PlayCue {
  kind: 'play'
  /** `loop` and `start-time` of a simple playlist, `timeline` of a smart one. */
  because: 'loop' | 'start-time' | 'timeline'
  publication: ManifestPublication
  /** Null in a smart playlist, whose plays are not items. */
  itemUid: string | null
  file: ManifestFile
  /** When this play began by schedule, not after the instant asked for. */
  startsAt: Ms
  /** How far into the file the asked instant is; 0 at its beginning. */
  offsetSeconds: number
  /** When the next cue begins; always after the asked instant. */
  until: Ms
  /** How long it sounds on after `until`, under the next: the crossfade. */
  overlap: Ms
  /** Set when `until` is before the file's own end. */
  cutBy: CutReason | null
}

export interface AlertCue {
  kind: 'alert'
  because: 'alert'
  alert: DeviceAlert
  /** Null: the device's own siren. */
  file: ManifestFile | null
  startsAt: Ms
  offsetSeconds: number
  /** The end of this repeat; it goes on until a manifest without the alert comes. */
  until: Ms
}

export interface SilentCue {
  kind: 'silent'
  because: SilentReason
  until: Ms
}

/** What plays at an instant, why, and until when. */
export type Cue = PlayCue | AlertCue | SilentCue

/** A moment at which whatever plays ends, and why. */
export interface Limit {
  at: Ms
  why: CutReason
}
