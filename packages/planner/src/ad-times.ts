import { ROUNDING } from './broken-rule.ts'

/** When each ad of a list was last heard, and the shortest time from one play's end to the next begin of the same ad. */
export class AdTimes {
  /** Infinity until an ad is heard twice. */
  shortestGap = Infinity
  private readonly durations: Float64Array
  private readonly ends: Float64Array

  constructor(durations: Float64Array, ends = new Float64Array(durations.length).fill(-Infinity)) {
    this.durations = durations
    this.ends = ends
  }

  /** Plays the ads one after the other. @returns the end of the last one */
  hear(tracks: readonly number[], start: number): number {
    let at = start
    for (const track of tracks) {
      this.shortestGap = Math.min(this.shortestGap, this.gapBefore(track, at))
      at += this.durations[track] ?? 0
      this.ends[track] = at
    }
    return at
  }

  /** How many of the ads, in this order, keep a gap to the former play of the same ad. */
  countKeeping(gap: number, tracks: readonly number[], start: number): number {
    const trial = this.copy()
    let at = start
    for (const [n, track] of tracks.entries()) {
      if (!trial.keeps(gap, track, at)) return n
      at = trial.hear([track], at)
    }
    return tracks.length
  }

  keeps(gap: number, track: number, start: number): boolean {
    return this.gapBefore(track, start) >= gap - ROUNDING
  }

  copy(): AdTimes {
    const copy = new AdTimes(this.durations, this.ends.slice())
    copy.shortestGap = this.shortestGap
    return copy
  }

  private gapBefore(track: number, start: number): number {
    return start - (this.ends[track] ?? -Infinity)
  }
}
