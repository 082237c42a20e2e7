import type { PlanBlock, PlanInput, PlanKind, PlanSummary, PlanTrack } from './plan-types.ts'
import { secondsOfDay, windowSeconds } from './plan-window.ts'

/** A track of a smart playlist with its name. */
export interface SmartTrack extends PlanTrack {
  name: string
  weight: number
}

/**
 * A planned day in flat arrays, which a worker transfers without copying: a day of two-second items has 43,200 plays, and the
 * page would take several frames to receive them as objects. Tracks are indexes: background in the list's order, then ads.
 */
export interface PackedDay {
  /** Seconds from the window's start, one for each block. */
  blockStarts: Float64Array<ArrayBuffer>
  blockDurations: Float64Array<ArrayBuffer>
  /** 1 where the block is one of ads. */
  blockIsAd: Uint8Array<ArrayBuffer>
  /** The index of each block's first play, and after the last block the number of plays. */
  blockFirst: Uint32Array<ArrayBuffer>
  playTracks: Uint32Array<ArrayBuffer>
  /** Seconds from the window's start. */
  playStarts: Float64Array<ArrayBuffer>
}

/** A planned day with its tracks and window, to be shown. */
export interface SmartDay extends PackedDay {
  /** Background in the list's order, then ads in theirs. */
  tracks: readonly SmartTrack[]
  /** How many of the tracks are background. */
  melodies: number
  windowSeconds: number
  /** The window's start in seconds since midnight. */
  startsAtSeconds: number
}

/** Key features of a day; those of its tracks are counted from the packed day. */
export type DaySummary = Omit<PlanSummary, 'tracks'>

type Lists<Track> = Record<'melList' | 'adsList', readonly Track[]>

/** @param lists what the blocks were planned from */
export function packDay(blocks: readonly PlanBlock[], { melList, adsList }: Lists<PlanTrack>): PackedDay {
  const indexes: Record<PlanKind, Map<string, number>> = {
    melody: new Map(melList.map(({ uid }, index) => [uid, index])),
    ad: new Map(adsList.map(({ uid }, index) => [uid, melList.length + index])),
  }
  const plays = blocks.reduce((sum, { items }) => sum + items.length, 0)
  const day: PackedDay = {
    blockStarts: new Float64Array(blocks.length),
    blockDurations: new Float64Array(blocks.length),
    blockIsAd: new Uint8Array(blocks.length),
    blockFirst: new Uint32Array(blocks.length + 1),
    playTracks: new Uint32Array(plays),
    playStarts: new Float64Array(plays),
  }
  let play = 0
  blocks.forEach((block, n) => {
    day.blockStarts[n] = block.start
    day.blockDurations[n] = block.duration
    day.blockIsAd[n] = block.kind === 'ad' ? 1 : 0
    day.blockFirst[n] = play
    for (const { uid, start } of block.items) {
      day.playTracks[play] = indexes[block.kind].get(uid) ?? 0
      day.playStarts[play] = start
      play += 1
    }
  })
  day.blockFirst[blocks.length] = play
  return day
}

/** The buffers of a packed day, to transfer them instead of copying. */
export const buffersOf = (day: PackedDay): ArrayBuffer[] => [
  day.blockStarts.buffer,
  day.blockDurations.buffer,
  day.blockIsAd.buffer,
  day.blockFirst.buffer,
  day.playTracks.buffer,
  day.playStarts.buffer,
]

/** @param source the window and the lists that the day was packed with */
export function toSmartDay(
  day: PackedDay,
  { melList, adsList, ...window }: Lists<SmartTrack> & Pick<PlanInput, 'startDay' | 'endDay'>,
): SmartDay {
  return {
    ...day,
    tracks: [...melList, ...adsList],
    melodies: melList.length,
    windowSeconds: windowSeconds(window),
    startsAtSeconds: secondsOfDay(window.startDay) ?? 0,
  }
}
