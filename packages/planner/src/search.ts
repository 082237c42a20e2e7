import type { TrackPool } from './track-pool.ts'
import type { TopK, Goal } from './top-k.ts'
import { drawBelow, type Random } from './random.ts'
import { indexAbove, type EligibleTracks } from './track-list.ts'

/** How often a search tries to complete a block before its last play. */
const MAX_COMPLETIONS = 6

/** Neighbors on each side that are tried as followers. */
const MAX_NEIGHBORS = 4

interface SearchInput {
  pool: TrackPool
  goal: Goal
  random: Random
  topK: TopK
}

/** The plays of a block since `from`, which it completes. */
class Candidate {
  private readonly search: SearchInput
  private readonly from: number
  private readonly playCount: number
  /** Seconds of air of the plays since `from`. */
  private readonly air: number

  constructor(search: SearchInput, from: number, air: number) {
    this.search = search
    this.from = from
    this.playCount = search.pool.played.length - from
    this.air = air
  }

  /** Adds the block as it is, with one more play, and with the best pairs of plays. */
  complete(): void {
    const { pool, goal } = this.search
    if (this.playCount > 0) this.addCandidate(-1, -1)
    const candidates = pool.eligible()
    const place = indexAbove(pool.trackList.airSeconds, candidates, goal.need - this.air)
    this.addNearest(candidates, place, -1)
    this.addPairs(candidates, pool.isEven ? candidates : pool.eligible(1))
  }

  /** Pairs each first track with the second tracks nearest to the rest, starting at a random first. */
  private addPairs(firsts: EligibleTracks, seconds: EligibleTracks): void {
    const { pool, goal, random, topK } = this.search
    const { airSeconds } = pool.trackList
    const start = firsts.size > 0 ? drawBelow(random, firsts.size) : 0
    let place = 0
    for (let n = 0; n < firsts.size && !topK.isFine; n++) {
      const at = start + n < firsts.size ? start + n : start + n - firsts.size
      const first = firsts.tracks[at] ?? 0
      const rest = goal.need - this.air - (airSeconds[first] ?? 0)
      // First tracks grow longer, so the index of the second only falls, except where the first tracks wrap around.
      if (n === 0 || at === 0) place = indexAbove(airSeconds, seconds, rest)
      else while (place > 0 && (airSeconds[seconds.tracks[place - 1] ?? 0] ?? 0) > rest) place--
      if (rest > 0) this.addNearest(seconds, place, first)
    }
  }

  /** Adds the eligible tracks nearest to an index that may follow `first` (-1: the plays so far). */
  private addNearest({ tracks, size }: EligibleTracks, place: number, first: number): void {
    for (let at = place - 1; at >= 0 && at >= place - MAX_NEIGHBORS; at--)
      if (this.mayFollow(first, tracks[at] ?? 0)) {
        this.addCandidate(first, tracks[at] ?? 0)
        break
      }
    for (let at = place; at < size && at < place + MAX_NEIGHBORS; at++)
      if (this.mayFollow(first, tracks[at] ?? 0)) {
        this.addCandidate(first, tracks[at] ?? 0)
        break
      }
  }

  private mayFollow(first: number, track: number): boolean {
    return first !== track && (first < 0 || this.search.pool.mayFollow(first, track))
  }

  /** Adds the plays so far with two more tracks, each of which may be none (-1). */
  private addCandidate(first: number, track: number): void {
    const { pool, goal, topK } = this.search
    const more = (first < 0 ? 0 : 1) + (track < 0 ? 0 : 1)
    const air =
      this.air +
      (first < 0 ? 0 : (pool.trackList.airSeconds[first] ?? 0)) +
      (track < 0 ? 0 : (pool.trackList.airSeconds[track] ?? 0))
    if (air > goal.room + 1e-9 || (air > goal.cap && this.playCount + more > 1)) return
    const deviation = goal.need > air ? goal.need - air : air - goal.need
    const cost = topK.costOf(deviation, air, this.playCount + more)
    if (cost === Infinity) return
    const tracks = [...pool.played.slice(this.from), first, track].filter(one => one >= 0)
    topK.insert({ tracks, air, deviation, cost })
  }
}

/**
 * Searches tracks for a block: plays at random while there is room for more than the last few, then tries all singles and
 * pairs for the rest after each further play. The pool is restored at the end. A candidate deviates by at most half the
 * longest track, or is a single one.
 */
export function search(search: SearchInput, reserve: number): void {
  const { pool, goal, random, topK } = search
  const from = pool.played.length
  let air = 0
  for (let completions = 0; ;) {
    let track = pool.drawUpTo(goal.need - air - reserve, random)
    if (track < 0) {
      track = pool.drawUpTo(goal.need - air, random)
      if (track < 0 || completions++ < MAX_COMPLETIONS) new Candidate(search, from, air).complete()
      if (track < 0 || topK.isFine) break
    }
    pool.take(track)
    air += pool.trackList.airSeconds[track] ?? 0
  }
  pool.undoTo(from)
}
