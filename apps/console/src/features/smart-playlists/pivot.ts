import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { countBlocks } from './smart-blocks.ts'

const HOUR = 3600

export type PivotUnit = 'plays' | 'seconds'

/** Plays and seconds of each track in each hour of the window. */
export interface Pivot {
  /** The hour of day of each column; a window from 9:30 starts with 9. */
  hours: number[]
  /** Track by track, `hours.length` figures each. A play counts in the hour of its start. */
  plays: Uint32Array
  /** A play over the end of an hour counts in both. */
  seconds: Float64Array
}

/** A row of the table. */
export interface PivotRow {
  figures: number[]
  total: number
}

/** Counts the plays of a day by track and hour. */
export function countPivot(day: SmartDay): Pivot {
  const lead = day.startsAtSeconds % HOUR
  const first = Math.floor(day.startsAtSeconds / HOUR)
  const width = Math.max(1, Math.ceil((lead + day.windowSeconds) / HOUR))
  const hours = Array.from({ length: width }, (_, hour) => (first + hour) % 24)
  const plays = new Uint32Array(day.tracks.length * width)
  const seconds = new Float64Array(day.tracks.length * width)
  const end = day.playTracks.length
  for (let play = 0; play < end; play += 1) {
    const track = day.playTracks[play] ?? 0
    let from = lead + (day.playStarts[play] ?? 0)
    const until = from + (day.tracks[track]?.duration ?? 0)
    const at = track * width
    add(plays, at + Math.floor(from / HOUR), 1)
    while (from < until) {
      const hour = Math.floor(from / HOUR)
      const stop = Math.min(until, (hour + 1) * HOUR)
      add(seconds, at + hour, stop - from)
      from = stop
    }
  }
  return { hours, plays, seconds }
}

export function rowOfTrack({ hours, ...pivot }: Pivot, track: number, unit: PivotUnit): PivotRow {
  const width = hours.length
  const figures = Array.from(pivot[unit].subarray(track * width, (track + 1) * width))
  return { figures, total: sum(figures) }
}

/** The sums of several tracks, such as a kind. */
export function rowOfTracks(
  { hours, ...pivot }: Pivot,
  { from, to }: { from: number; to: number },
  unit: PivotUnit,
): PivotRow {
  const width = hours.length
  const figures = hours.map(() => 0)
  for (let track = from; track < to; track += 1)
    for (let hour = 0; hour < width; hour += 1)
      figures[hour] = (figures[hour] ?? 0) + (pivot[unit][track * width + hour] ?? 0)
  return { figures, total: sum(figures) }
}

const sum = (figures: readonly number[]) => figures.reduce((whole, figure) => whole + figure, 0)

/** The share of one ad in the day. */
export interface TrackShare {
  /** Index in the tracks of the day. */
  track: number
  plays: number
  playsAnHour: number
  /** Part of all content, 0 to 1. */
  share: number
  /** From one end to the next start of the same track; null for fewer than two plays. */
  nearestSeconds: number | null
}

/** The shares of all ads, in the order of their list. */
export function shareOfAds(day: SmartDay): TrackShare[] {
  const { melodies, tracks } = day
  const count = tracks.length - melodies
  const plays = new Uint32Array(count)
  const lastEnd = new Float64Array(count).fill(-Infinity)
  const nearest = new Float64Array(count).fill(Infinity)
  day.playTracks.forEach((track, play) => {
    if (track < melodies) return
    const ad = track - melodies
    const start = day.playStarts[play] ?? 0
    plays[ad] = (plays[ad] ?? 0) + 1
    nearest[ad] = Math.min(nearest[ad] ?? Infinity, start - (lastEnd[ad] ?? -Infinity))
    lastEnd[ad] = start + (tracks[track]?.duration ?? 0)
  })
  const content = contentSeconds(day)
  return Array.from({ length: count }, (_, ad) => {
    const played = plays[ad] ?? 0
    const distance = nearest[ad] ?? Infinity
    return {
      track: melodies + ad,
      plays: played,
      playsAnHour: (played * HOUR) / day.windowSeconds,
      share: content > 0 ? (played * (tracks[melodies + ad]?.duration ?? 0)) / content : 0,
      nearestSeconds: Number.isFinite(distance) ? Math.max(0, distance) : null,
    }
  })
}

/** Seconds of content, without silence. */
export function contentSeconds(day: SmartDay): number {
  let content = 0
  for (let block = 0; block < countBlocks(day); block += 1) content += day.blockDurations[block] ?? 0
  return content
}

function add(figures: Uint32Array | Float64Array, place: number, more: number): void {
  figures[place] = (figures[place] ?? 0) + more
}
