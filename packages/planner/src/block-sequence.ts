import { TrackPool } from './track-pool.ts'
import { TopK, type BlockCandidate, type SearchBonus } from './top-k.ts'
import type { Random } from './random.ts'
import { search } from './search.ts'

/** A sufficiently small deviation of a block in seconds, and the number of tries for it. */
const GOOD_SECONDS = 0.02
const TRIES = 4
const ROUNDING = 1e-6

/** The target of the blocks of a kind. */
interface BlockTarget {
  /** Seconds of a block. */
  target: number
  /** Every block is the whole list once. */
  isWholeList: boolean
  /** Seconds left open for the last few plays. */
  reserve: number
}

/** Options of the beam search. */
interface SearchOptions {
  random: Random
  /** The number of variants of the day to compare, from 1. */
  width: number
  /** The worth of each second of a track beyond the mean: long tracks are hard to place, and late in a round nothing fits them. */
  bonus: number
}

/** The first blocks of one kind in one variant of the day. */
export interface SearchNode {
  parent: SearchNode | null
  pool: TrackPool
  tracks: number[]
  /** Plays and seconds of it and all before it. */
  plays: number
  seconds: number
  deviation: number
  /** The deviation minus the worth of its tracks. The search keeps the nodes with the lowest cost. */
  cost: number
}

/** The tracks of all blocks of a node. */
export function blocksOf(node: SearchNode): number[][] {
  const blocks: number[][] = []
  for (let at = node; at.parent; at = at.parent) blocks.push(at.tracks)
  return blocks.reverse()
}

/** Blocks of one kind, each as near to the target as the search found. */
export class BlockSequence {
  readonly aim: BlockTarget
  private readonly options: SearchOptions
  private readonly worth: SearchBonus
  /** Before the first block; with a width of 1, the pool that every block takes from. */
  private readonly start: TrackPool
  private readonly levels: SearchNode[][]

  constructor(pool: TrackPool, aim: BlockTarget, options: SearchOptions) {
    const { airSeconds } = pool.trackList
    this.aim = aim
    this.options = options
    const mean = airSeconds.reduce((sum, seconds) => sum + seconds, 0) / airSeconds.length
    const longest = airSeconds.reduce((most, seconds) => Math.max(most, seconds), 0)
    this.worth = { bonus: options.bonus, mean, reach: longest / 2 + ROUNDING }
    this.start = options.width > 1 ? pool.copy() : pool
    this.levels = [[{ parent: null, pool, tracks: [], plays: 0, seconds: 0, deviation: 0, cost: 0 }]]
  }

  /** The same blocks, searched with other options. */
  restart(options: SearchOptions): BlockSequence {
    const pool = this.start.copy()
    pool.undoTo(0)
    return new BlockSequence(pool, this.aim, options)
  }

  /** The best node with this number of blocks. */
  bestNode(blocks: number): SearchNode {
    while (this.levels.length <= blocks) this.levels.push(this.grow(this.levels.at(-1) ?? []))
    const best = this.levels[blocks]?.[0]
    if (!best) throw new Error('A list without tracks has no blocks')
    return best
  }

  /** The pool after a node of this sequence. With a width of 1, that ends the sequence. */
  poolAfter(node: SearchNode): TrackPool {
    if (this.options.width === 1) {
      node.pool.undoTo(node.plays)
      return node.pool
    }
    const pool = this.start.copy()
    for (const tracks of blocksOf(node)) for (const track of tracks) pool.take(track)
    return pool
  }

  private grow(level: SearchNode[]): SearchNode[] {
    const grown = level.flatMap(parent =>
      this.find(parent.pool).map(found => ({
        parent,
        found,
        deviation: parent.deviation + found.deviation,
        cost: parent.cost + found.cost,
      })),
    )
    grown.sort((a, b) => a.cost - b.cost)
    const kept = grown.slice(0, this.options.width)
    return kept.map(({ parent, found, deviation, cost }, n) => {
      // The last node that grows from the parent keeps its pool; the others get copies.
      const isLast = !kept.some((other, place) => place > n && other.parent === parent)
      const pool = isLast ? parent.pool : parent.pool.copy()
      for (const track of found.tracks) pool.take(track)
      const seconds = parent.seconds + found.air + pool.trackList.overlapSeconds
      return { parent, pool, tracks: found.tracks, plays: pool.played.length, seconds, deviation, cost }
    })
  }

  private find(pool: TrackPool): BlockCandidate[] {
    if (this.aim.isWholeList) return [this.wholeList(pool)]
    const need = this.aim.target - pool.trackList.overlapSeconds
    const goal = { need, room: Infinity, cap: Infinity }
    const topK = new TopK(this.options.width > 1 ? 4 : 1, this.worth)
    for (let n = 0; n < TRIES && (topK.best[0]?.deviation ?? Infinity) > GOOD_SECONDS; n++)
      search({ pool, goal, random: this.options.random, topK }, this.aim.reserve)
    return topK.best
  }

  private wholeList(pool: TrackPool): BlockCandidate {
    const from = pool.played.length
    for (let n = 0; n < pool.trackList.airSeconds.length; n++)
      pool.take(pool.drawUpTo(Infinity, this.options.random))
    const tracks = pool.played.slice(from)
    pool.undoTo(from)
    return {
      tracks,
      air: tracks.reduce((sum, track) => sum + (pool.trackList.airSeconds[track] ?? 0), 0),
      deviation: 0,
      cost: 0,
    }
  }
}
