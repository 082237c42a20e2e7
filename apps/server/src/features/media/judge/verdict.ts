import type { Reason } from '@floorcast/contract/outcomes.ts'

/** Why an upload is no media file that plays everywhere; the catalogues have the words. */
export type RefusalReason = Extract<
  Reason,
  | 'file-empty'
  | 'file-damaged'
  | 'file-truncated'
  | 'sound-too-short'
  | 'not-mp3'
  | 'not-layer-3'
  | 'not-mp4'
  | 'quicktime'
  | 'no-video'
  | 'not-h264'
  | 'not-aac'
  | 'not-an-image'
>

/** Samples that the encoder put before and after the sound; players trim them for joins without a gap. */
export type GaplessTrim = { delaySamples: number; paddingSamples: number }

/** An MP3 as its frames say. `gapless` is null where the file does not tell its delay and padding. */
export type AcceptedSound = {
  accepted: true
  contentType: 'audio/mpeg'
  durationSeconds: number
  /** Bits a second over the whole length. */
  bitRate: number
  sampleRate: number
  channels: 1 | 2
  gapless: GaplessTrim | null
}

/** An MP4 of H.264; `sampleRate` and `channels` are null when it has no sound. Size in pixels as shown. */
export type AcceptedVideo = {
  accepted: true
  contentType: 'video/mp4'
  durationSeconds: number
  /** Bits a second over the whole length. */
  bitRate: number
  width: number
  height: number
  sampleRate: number | null
  channels: number | null
}

/** A file refused, and why. */
export type Refused = { accepted: false; why: RefusalReason }

/** Makes a refusal. */
export function refuse(why: RefusalReason): Refused {
  return { accepted: false, why }
}

const MOST_BITS_PER_SECOND = 2 ** 31 - 1

/** Bits a second; padding that nobody plays may make it absurd, then it stops at what an integer column holds. */
export function bitRateOf(bytes: number, durationSeconds: number): number {
  return Math.min(MOST_BITS_PER_SECOND, Math.round((bytes * 8) / durationSeconds))
}
