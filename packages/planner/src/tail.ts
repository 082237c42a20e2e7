import type { TrackPool } from './track-pool.ts'
import { FINE_SECONDS, TopK, type BlockCandidate } from './top-k.ts'
import type { Random } from './random.ts'
import { search } from './search.ts'

/** One of the window's last two blocks. */
export interface TailBlock {
  pool: TrackPool
  reserve: number
}

/** The tracks of the last two blocks, either of which may be empty, and the idle seconds after them. */
interface Tail {
  tracks: [number[], number[]]
  idle: number
}

interface TailGoal {
  /** The seconds for both blocks. */
  room: number
  /** The desired seconds of the first block. */
  first: number
  random: Random
}

/** Variants of the tail that are tried. */
const TRIES = 24

const nothing: BlockCandidate = { tracks: [], air: 0, deviation: 0, cost: 0 }

const secondsOf = (pool: TrackPool, found: BlockCandidate) =>
  found.tracks.length > 0 ? found.air + pool.trackList.overlapSeconds : 0

function searchTailBlock(
  { pool, reserve }: TailBlock,
  goal: { need: number; room: number; random: Random },
  keep: number,
): BlockCandidate[] {
  const { overlapSeconds } = pool.trackList
  const topK = new TopK(keep)
  const air = { need: goal.need - overlapSeconds, room: goal.room - overlapSeconds }
  if (air.room > 0) search({ pool, goal: air, random: goal.random, topK }, reserve)
  return topK.best
}

/** The last two blocks that leave the fewest idle seconds. The pools are restored. */
function findBestTail(tailBlocks: [TailBlock, TailBlock], { room, first, random }: TailGoal): Tail {
  const means = tailBlocks.map(
    ({ pool }) =>
      pool.trackList.airSeconds.reduce((sum, air) => sum + air, 0) / pool.trackList.airSeconds.length,
  )
  // The kind with the longer tracks comes first, since the other fits the rest better.
  const coarse = (means[0] ?? 0) >= (means[1] ?? 0) ? 0 : 1
  const fine = coarse === 0 ? 1 : 0
  const need = coarse === 0 ? first : room - first
  let best: Tail = { tracks: [[], []], idle: room }
  for (let n = 0; n < TRIES && best.idle > FINE_SECONDS; n++) {
    const candidates = searchTailBlock(tailBlocks[coarse], { need, room, random }, 4)
    // The day may end without the second block, but never with the second alone.
    for (const found of coarse === 1 ? [...candidates, nothing] : candidates) {
      const rest = room - secondsOf(tailBlocks[coarse].pool, found)
      const [filling = nothing] = searchTailBlock(tailBlocks[fine], { need: rest, room: rest, random }, 1)
      const idle = rest - secondsOf(tailBlocks[fine].pool, filling)
      const [one, two] = coarse === 0 ? [found, filling] : [filling, found]
      if (idle < best.idle && (one.tracks.length > 0 || two.tracks.length === 0))
        best = { tracks: [[...one.tracks], [...two.tracks]], idle }
    }
  }
  return best
}

/** The tracks of a pool that the rules still allow as the very last play. */
function stillAllowed(pool: TrackPool): ArrayLike<number> {
  if (pool.isEven) return pool.allAllowed()
  const { weights } = pool.trackList
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const share = (track: number) => ((pool.played.length + 1) * (weights[track] ?? 0)) / total
  const fewest = new Map<number, number>()
  const urgent: number[] = []
  const tracks: number[] = []
  pool.plays.forEach((plays, track) => {
    const weight = weights[track] ?? 0
    fewest.set(weight, Math.min(fewest.get(weight) ?? Infinity, plays))
    if (plays < share(track) - 1 - 1e-9) urgent.push(track)
    if (plays <= share(track) + 1e-9) tracks.push(track)
  })
  if (urgent.length > 1) return []
  return tracks.filter(
    track =>
      pool.plays[track] === fewest.get(weights[track] ?? 0) && (urgent.length === 0 || track === urgent[0]),
  )
}

/** Adds the longest track that fits and that the rules allow to the last two blocks, until none fits. */
function fillRemainder(tailBlocks: [TailBlock, TailBlock], tail: Tail): void {
  for (;;) {
    let best: { track: number; block: 0 | 1; seconds: number } | null = null
    for (const block of [0, 1] as const) {
      if (block === 1 && tail.tracks[0].length === 0) continue
      const { trackList } = tailBlocks[block].pool
      const overlap = tail.tracks[block].length > 0 ? 0 : trackList.overlapSeconds
      const allowed = stillAllowed(tailBlocks[block].pool)
      for (let n = 0; n < allowed.length; n++) {
        const track = allowed[n] ?? 0
        const seconds = (trackList.airSeconds[track] ?? 0) + overlap
        if (seconds <= tail.idle && seconds > (best?.seconds ?? 0)) best = { track, block, seconds }
      }
    }
    if (!best) return
    tailBlocks[best.block].pool.takeLast(best.track)
    tail.tracks[best.block].push(best.track)
    tail.idle -= best.seconds
  }
}

/** The tracks of the window's last two blocks, either of which may be empty. The pools have played them. */
export function planTail(tailBlocks: [TailBlock, TailBlock], goal: TailGoal): [number[], number[]] {
  const tail = findBestTail(tailBlocks, goal)
  tailBlocks.forEach(({ pool }, n) => {
    for (const track of tail.tracks[n === 0 ? 0 : 1]) pool.take(track)
  })
  fillRemainder(tailBlocks, tail)
  return tail.tracks
}
