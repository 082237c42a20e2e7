/** The two kinds of content: background (melodies, or videos in a video playlist) and ads. */
export type PlanKind = 'melody' | 'ad'

/** A track that may be planned. */
export interface PlanTrack {
  uid: string
  /** Seconds, with fractions. */
  duration: number
  /** How often it is heard against the others of its list; 1 where it is missing. */
  weight?: number | undefined
}

export type BlockMode = 'auto' | 'manual'

/** What a smart playlist is planned from. Times in seconds, but for the window's two ends (HH:MM). */
export interface PlanInput {
  type: 'audio-smart' | 'video-smart'
  startDay: string
  /** 23:59 means midnight; before the start it is the next day's. */
  endDay: string
  /** Target of a background block. */
  melTime: number
  /** Target of an ad block. */
  adsTime: number
  melMode: BlockMode
  adsMode: BlockMode
  melList: readonly PlanTrack[]
  adsList: readonly PlanTrack[]
  /** Between two background items; 0 where it is missing. */
  crossfade?: number | undefined
  /** Another seed, another order. */
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
  /** Part of the content's seconds, 0 to 1. */
  share: number
  /** From one start to the next start of the same track; null where it is not heard twice. */
  shortestDistanceSeconds: number | null
}

/** One kind over the whole window. Deviations leave out the window's last block of the kind, which ends where the window does. */
export interface KindFigures {
  blocks: number
  plays: number
  playsAnHour: number
  seconds: number
  /** Part of the content's seconds, 0 to 1. */
  share: number
  /** Tracks of the list that are never heard. */
  unheard: number
  /** What a block aims at: the given target, or the list's length where that is shorter and the size automatic. */
  targetSeconds: number
  meanDeviationSeconds: number
  worstDeviationSeconds: number
  shortestDistanceSeconds: number | null
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
