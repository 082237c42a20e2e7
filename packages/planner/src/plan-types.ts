/** The two kinds of content: background (melodies, or videos in a video playlist) and ads. */
export type PlanKind = 'melody' | 'ad'

/** A track that may be planned. */
export interface PlanTrack {
  uid: string
  /** Seconds, with fractions. */
  duration: number
  /** Its frequency relative to the other tracks of its list; 1 by default. */
  weight?: number | undefined
}

export type BlockMode = 'auto' | 'manual'

/** The input of a plan. Times are in seconds, except the ends of the window (HH:MM). */
export interface PlanInput {
  type: 'audio-smart' | 'video-smart'
  startDay: string
  /** 23:59 means midnight. An end before the start is on the next day. */
  endDay: string
  /** Target of a background block. */
  melTime: number
  /** Target of an ad block. */
  adsTime: number
  melMode: BlockMode
  adsMode: BlockMode
  melList: readonly PlanTrack[]
  adsList: readonly PlanTrack[]
  /** Seconds between two background items; 0 by default. */
  crossfade?: number | undefined
  /** Minimum ad separation: seconds from one play's end to the next play's begin of the same ad; 0 by default. */
  minAdGap?: number | undefined
  /** The seed of the random order. */
  seed: number
}

/** One play; `start` in seconds from the window's start. */
interface PlanItem {
  uid: string
  start: number
  duration: number
}

/** Plays of one kind in a row; `start` in seconds from the window's start. */
export interface PlanBlock {
  kind: PlanKind
  start: number
  duration: number
  items: PlanItem[]
}

/** One track over the whole window. */
export interface TrackFigures {
  uid: string
  kind: PlanKind
  plays: number
  playsAnHour: number
  /** Its part of the content's seconds, 0 to 1. */
  share: number
  /** From one start to the next start of the same track; null if it has less than two plays. */
  shortestDistanceSeconds: number | null
  /** From one end to the next start of the same track; null if it has less than two plays. */
  shortestGapSeconds: number | null
}

/** One kind over the whole window. Deviations leave out the window's last block of the kind, which ends where the window does. */
export interface KindFigures {
  blocks: number
  plays: number
  playsAnHour: number
  seconds: number
  /** Its part of the content's seconds, 0 to 1. */
  share: number
  /** Tracks of the list that are never heard. */
  unheard: number
  /** The target of a block: the given one, or the list's length if it is shorter and the size automatic. */
  targetSeconds: number
  meanDeviationSeconds: number
  worstDeviationSeconds: number
  shortestDistanceSeconds: number | null
  shortestGapSeconds: number | null
}

export interface PlanSummary {
  windowSeconds: number
  contentSeconds: number
  /** Silence at the window's end. */
  idleSeconds: number
  blocks: number
  plays: number
  meanDeviationSeconds: number
  worstDeviationSeconds: number
  melody: KindFigures
  ad: KindFigures
  /** Background in the list's order, then ads in theirs. */
  tracks: TrackFigures[]
}

export interface Plan {
  blocks: PlanBlock[]
  summary: PlanSummary
}

/** Why no plan keeps the minimum ad separation; `largest` is the greatest whole second for which there is a plan. */
export type AdGapRefusal = { step: 'ads' } & (
  | { code: 'ad-gap-invalid'; minAdGap: number }
  | { code: 'ad-gap-too-long'; minAdGap: number; largest: number }
)

export interface RefusedPlan {
  refusal: AdGapRefusal
}
