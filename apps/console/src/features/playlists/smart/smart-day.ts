import type { PlanBlock, PlanKind } from '@floorcast/planner/plan-types.ts'

/** A track of a smart playlist as the console shows it; `duration` in seconds. */
export interface SmartTrack {
  uid: string
  name: string
  duration: number
  /** How often it is heard against the others of its list. */
  weight: number
}

/**
 * A planned day in flat arrays: a day of two-second items has 43,200 plays, and as objects they would take the page
 * several frames to receive. Tracks are places in `SmartDay.tracks`.
 */
export interface PackedDay {
  /** Seconds from the window's start, one for each block. */
  blockStarts: Float64Array<ArrayBuffer>
  blockDurations: Float64Array<ArrayBuffer>
  /** 1 where the block is one of ads. */
  blockIsAd: Uint8Array<ArrayBuffer>
  /** The place of each block's first play, and after the last block the number of plays. */
  blockFirst: Uint32Array<ArrayBuffer>
  playTracks: Uint32Array<ArrayBuffer>
  /** Seconds from the window's start. */
  playStarts: Float64Array<ArrayBuffer>
}

/** A planned day with what is needed to show it. */
export interface SmartDay extends PackedDay {
  /** Background in the list's order, then ads in theirs. */
  tracks: readonly SmartTrack[]
  /** How many of the tracks are background. */
  melodies: number
  windowSeconds: number
  /** Where the window begins, in seconds since midnight. */
  startsAtSeconds: number
}

/** @param placeOf the place of a kind's track in the list of all tracks */
export function packBlocks(
  blocks: readonly PlanBlock[],
  placeOf: (kind: PlanKind, uid: string) => number,
): PackedDay {
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
      day.playTracks[play] = placeOf(block.kind, uid)
      day.playStarts[play] = start
      play += 1
    }
  })
  day.blockFirst[blocks.length] = play
  return day
}

/** The buffers of a packed day, to hand them over instead of copying them. */
export const buffersOf = (day: PackedDay): ArrayBuffer[] => [
  day.blockStarts.buffer,
  day.blockDurations.buffer,
  day.blockIsAd.buffer,
  day.blockFirst.buffer,
  day.playTracks.buffer,
  day.playStarts.buffer,
]

export const countBlocks = (day: PackedDay): number => day.blockStarts.length

/** One play; times in seconds from the window's start. */
export interface SmartPlay {
  track: SmartTrack
  start: number
}

/** One block of a day; times in seconds from the window's start. */
export interface SmartBlock {
  /** From 0. */
  index: number
  isAd: boolean
  start: number
  duration: number
  plays: SmartPlay[]
}

export function blockOf(day: SmartDay, index: number): SmartBlock | undefined {
  const start = day.blockStarts[index]
  if (start === undefined) return undefined
  const plays: SmartPlay[] = []
  for (let play = day.blockFirst[index] ?? 0; play < (day.blockFirst[index + 1] ?? 0); play += 1) {
    const track = day.tracks[day.playTracks[play] ?? 0]
    if (track) plays.push({ track, start: day.playStarts[play] ?? 0 })
  }
  return { index, isAd: day.blockIsAd[index] === 1, start, duration: day.blockDurations[index] ?? 0, plays }
}

/** The block that is heard at a moment, or the last one before it; -1 for a day without blocks. */
export function blockAt(day: PackedDay, seconds: number): number {
  let low = 0
  let high = countBlocks(day) - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((day.blockStarts[middle] ?? 0) <= seconds) low = middle
    else high = middle - 1
  }
  return high < 0 ? -1 : low
}

const DAY = 86_400

/** The wall time, in seconds since midnight, of a moment in the window. */
export const wallSeconds = (day: Pick<SmartDay, 'startsAtSeconds'>, seconds: number): number =>
  (day.startsAtSeconds + seconds) % DAY
