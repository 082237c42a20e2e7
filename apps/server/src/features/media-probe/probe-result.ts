import type { Reason } from '@floorcast/contract/outcomes.ts'

/** Why a file is refused; the catalogues have a sentence for each. */
export type ProbeRefusalReason = Extract<
  Reason,
  | 'file-empty'
  | 'file-damaged'
  | 'file-truncated'
  | 'sound-too-short'
  | 'sound-changes'
  | 'not-mp3'
  | 'not-layer-3'
  | 'not-mp4'
  | 'quicktime'
  | 'no-video'
  | 'not-h264'
  | 'not-aac'
  | 'edit-list'
  | 'starts-late'
  | 'not-an-image'
>

/** Samples that the encoder put before and after the sound; players trim them for joins without a gap. */
export type GaplessTrim = { delaySamples: number; paddingSamples: number }

/** The facts of an MP3, read from its frames. `gapless` is null where the file does not tell its delay and padding. */
export type ProbedAudio = {
  accepted: true
  contentType: 'audio/mpeg'
  durationSeconds: number
  /** Bits a second over the whole length. */
  bitRate: number
  sampleRate: number
  channels: 1 | 2
  gapless: GaplessTrim | null
}

/** The facts of an H.264 MP4. `sampleRate` and `channels` are null when it has no sound; the size is in pixels as shown. */
export type ProbedVideo = {
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

/** The type of a preview image, read from its bytes. */
export type ProbedImage = { accepted: true; contentType: 'image/png' | 'image/jpeg' | 'image/webp' }

export type ProbeRefusal = { accepted: false; reason: ProbeRefusalReason }

/** The result of probing a file: its facts, or the reason of its refusal. */
export type MediaProbeResult<Facts = ProbedAudio | ProbedVideo> = Facts | ProbeRefusal

export function refuse(reason: ProbeRefusalReason): ProbeRefusal {
  return { accepted: false, reason }
}

/** The largest `integer` of PostgreSQL, which a file with absurd padding must not exceed. */
const MAX_BIT_RATE = 2 ** 31 - 1

export function averageBitRate(bytes: number, durationSeconds: number): number {
  return Math.min(MAX_BIT_RATE, Math.round((bytes * 8) / durationSeconds))
}
