import type { AlertCue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import type { Play } from './track-player.ts'

/** What happens now. */
export type Scene =
  /** The browser plays only after a click. */
  | { kind: 'blocked' }
  /** Nothing is known yet. */
  | { kind: 'connecting' }
  | { kind: 'playing'; play: Play }
  /** An ad goes on elsewhere: the next track begins at this instant. */
  | { kind: 'waiting'; cue: PlayCue }
  | { kind: 'silent'; cue: SilentCue }
  | { kind: 'alert'; cue: AlertCue }
