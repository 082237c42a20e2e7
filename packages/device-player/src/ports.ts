import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import type { AlertCue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import type { Entry } from '@floorcast/playback/iterate-cues.ts'

/** The player's time. */
export type PlayerClock = Pick<Clock, 'now' | 'steady' | 'instantOf' | 'steadyOf'> & {
  /** The time was corrected. */
  onMove: (listener: () => void) => void
}

/** The manifest in use and the newest one. */
export interface PlayableManifests extends Pick<ManifestStore, 'seenAt' | 'promoteNewest' | 'onChange'> {
  playing: () => { manifest: DeviceManifest } | null
  newest: () => { manifest: DeviceManifest } | null
}

/** The files that can be played. */
export interface PlayableFiles {
  /** Their hashes. */
  readonly held: ReadonlySet<string>
  onChange: (listener: () => void) => void
}

/** One play of a cue, from its command to its entry in the log. */
export interface Play {
  /** Another manifest may give it another end. */
  cue: PlayCue
  readonly entry: Exclude<Entry, 'wait'>
  /** The position in the file at which it began. */
  readonly offsetSeconds: number
  /** When its sound began; null until then. */
  readonly startedAt: Steady | null
  /** Resolves when its sound begins; never if it fails before. */
  readonly started: Promise<unknown>
  readonly ended: Promise<unknown>
  /** Null until it has ended: at its end, on request, because its file cannot be played, or lost with its program. */
  readonly ending: { readonly kind: 'end' | 'stopped' | 'failed' | 'died' } | null
  /** Resolves when it has ended and is logged; null if it was never heard. */
  readonly logged: Promise<PlayOutcome | null>
}

/** The track that follows a play. */
export interface NextPlay<P extends Play> {
  readonly cue: PlayCue
  /** When `begin` is due. Null: it begins by itself when the play before it ends. */
  readonly dueAt: () => Steady | null
  readonly begin: () => Promise<P>
  /**
   * Gives it up. @param reason what ends the play before it; null: that play goes on @returns false if it has begun by itself, and then
   * it is noted as cut for the reason
   */
  readonly drop: (reason: string | null) => Promise<boolean>
}

/** Plays tracks, one at a time but in a crossfade, and logs them. */
export interface TrackOutput<P extends Play> {
  /** The time of the log. */
  readonly reportingClock: Pick<ReportingClock, 'toReported'>
  /** Resolves when it can play; null: it can. */
  ready: () => Promise<void> | null
  /** Starts a track after silence: at its beginning, or inside it with a fade, where the schedule is when it is heard. */
  start: (cue: PlayCue, entry: P['entry']) => Promise<P>
  /** Prepares the track that is to follow. */
  prepareNext: (play: P, cue: PlayCue) => Promise<NextPlay<P>>
  /** Notes what ends a play, and the one that still fades out before it; null: it goes on. */
  noteCut: (play: P, reason: string | null) => void
  /** Ends a play early, with a fade. Resolves when it is logged. */
  cut: (play: P, reason: string) => Promise<void>
  /** A play gives no sign any more: it is to end at once. */
  endStuck: (play: P) => Promise<void>
  /** Follows up on a play that has ended with no other after it. @returns whether its cue is over; else it is asked for again */
  settle: (play: P) => Promise<boolean>
  /** Ends all sound. */
  stop: () => Promise<void>
  /** Ends all sound for an alert, also of a program that hangs. */
  stopForAlert: () => Promise<void>
  close: () => void
}

/** One sound of an alert, until it is to end. */
export interface AlertSound {
  /** From 0 to 100. */
  volume: number
  /** Resolves when the alert is to end, or to play otherwise. */
  interrupted: Promise<void>
  /** Stops the music; the sooner of several calls counts. */
  silenceMusic: () => Promise<void>
  /** Called when samples are played: of the alert's own sound, or of the siren. */
  onSound: () => void
}

/** Plays alerts, beside the tracks. */
export interface AlertOutput {
  /** Plays the alert's sound once from its start; without one, or if it cannot be played, the siren until it is interrupted. */
  play: (file: ManifestFile | null, sound: AlertSound) => Promise<void>
  stop: () => Promise<void>
  close: () => void
}

/** The current state of the player. */
export type Scene<P extends Play> =
  /** There is no manifest yet. */
  | { kind: 'connecting' }
  | { kind: 'playing'; play: P }
  /** An ad goes on elsewhere: the next track begins at the end of its cue. */
  | { kind: 'waiting'; cue: PlayCue }
  | { kind: 'silent'; cue: SilentCue }
  | { kind: 'alert'; cue: AlertCue }
  /** A play has failed, and the next one begins soon. */
  | { kind: 'recovering' }
  /** The player is at fault, not a file. */
  | { kind: 'broken' }
  | { kind: 'stopped' }
