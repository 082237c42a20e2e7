import type { AdTimes } from './ad-times.ts'
import { ROUNDING } from './broken-rule.ts'
import { mayBeFollowed, secondsOf, type TailBlock, type TailGoal, type TailKind } from './tail-block.ts'
import type { TrackPool } from './track-pool.ts'

/** Where one more play of a kind may come: at the end of a block, or as a new last one (`block` is null). */
interface Position {
  kind: 0 | 1
  block: TailBlock | null
  /** Its begin in the window. */
  start: number
  /** The maximum seconds that it may add. */
  room: number
  /** The seconds that it takes beyond the track's air. */
  overlap: number
}

/** The tracks of a pool that the rules still allow as the very last play. */
function stillAllowed(pool: TrackPool): ArrayLike<number> {
  if (pool.isEven) return pool.allAllowed()
  const { weights, mayRepeat } = pool.trackList
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const share = (track: number) => ((pool.played.length + 1) * (weights[track] ?? 0)) / total
  const last = pool.played.at(-1)
  const fewest = new Map<number, number>()
  const urgent: number[] = []
  const tracks: number[] = []
  pool.plays.forEach((plays, track) => {
    const weight = weights[track] ?? 0
    fewest.set(weight, Math.min(fewest.get(weight) ?? Infinity, plays))
    if (plays < share(track) - 1 - ROUNDING) urgent.push(track)
    if (plays <= share(track) + ROUNDING && (track !== last || mayRepeat[track])) tracks.push(track)
  })
  if (urgent.length > 1) return []
  return tracks.filter(
    track =>
      pool.plays[track] === fewest.get(weights[track] ?? 0) && (urgent.length === 0 || track === urgent[0]),
  )
}

/** The ends of the last two blocks, each the last of its kind. */
function endPositions(kinds: [TailKind, TailKind], blocks: TailBlock[], { start, room }: TailGoal) {
  let at = start
  const positions = blocks.map((block): Position => {
    const kind = kinds[block.kind]
    const seconds = secondsOf(kind, block.tracks)
    at += seconds
    return { kind: block.kind, block, start: at, room: kind.cap - seconds, overlap: 0 }
  })
  const idle = start + room - at
  return {
    idle,
    end: at,
    ends: positions.slice(-2).map(position => ({ ...position, room: Math.min(position.room, idle) })),
  }
}

/** A new last block, if the former one of its kind may be followed by another. */
function newPosition(
  kinds: [TailKind, TailKind],
  blocks: TailBlock[],
  { end, idle }: { end: number; idle: number },
): Position[] {
  const last = blocks.at(-1)
  const kind = last ? (last.kind === 0 ? 1 : 0) : 0
  const former = blocks.at(-2)
  if (former && !mayBeFollowed(kinds[kind], former.tracks)) return []
  const overlap = kinds[kind].pool.trackList.overlapSeconds
  return [{ kind, block: null, start: end, room: idle, overlap }]
}

interface Choice {
  track: number
  position: Position
  seconds: number
}

/** The longest track for one of the positions; null if none fits. */
function longestFor(kinds: [TailKind, TailKind], positions: Position[], mayComeAt: MayComeAt): Choice | null {
  let best: Choice | null = null
  for (const position of positions) {
    const { pool, list } = kinds[position.kind]
    const allowed = stillAllowed(pool)
    for (let n = 0; n < allowed.length; n++) {
      const track = allowed[n] ?? 0
      const seconds = (pool.trackList.airSeconds[track] ?? 0) + position.overlap
      if (seconds > position.room || seconds <= (best?.seconds ?? 0)) continue
      if (list.kind === 'melody' || mayComeAt(track, position.start)) best = { track, position, seconds }
    }
  }
  return best
}

type MayComeAt = (ad: number, start: number) => boolean

/** When the ads of the tail were heard, and of the day before it. */
function timesAfter(kinds: [TailKind, TailKind], blocks: TailBlock[], goal: TailGoal): AdTimes | undefined {
  const times = goal.separation?.times.copy()
  let at = goal.start
  for (const { kind, tracks } of blocks) {
    if (kinds[kind].list.kind === 'ad') times?.hear(tracks, at)
    at += secondsOf(kinds[kind], tracks)
  }
  return times
}

/** Adds the longest track that fits and that the rules allow to the last two blocks or as a new one, until none fits. */
export function fillRemainder(kinds: [TailKind, TailKind], blocks: TailBlock[], goal: TailGoal): void {
  for (;;) {
    const times = timesAfter(kinds, blocks, goal)
    const gap = goal.separation?.gap ?? 0
    const mayComeAt = (ad: number, start: number) => times?.keeps(gap, ad, start) ?? true
    const { ends, ...after } = endPositions(kinds, blocks, goal)
    const fresh = newPosition(kinds, blocks, after)
    // Both kinds, if they fit; then no more blocks than it takes.
    const [preferred, others] = blocks.length < 2 ? [fresh, ends] : [ends, fresh]
    const best = longestFor(kinds, preferred, mayComeAt) ?? longestFor(kinds, others, mayComeAt)
    if (!best) return
    const { kind, block } = best.position
    kinds[kind].pool.takeLast(best.track)
    if (block) block.tracks.push(best.track)
    else blocks.push({ kind, tracks: [best.track] })
  }
}
