import type { Random } from './random.ts'
import { search } from './search.ts'
import { secondsOf, type TailBlock, type TailGoal, type TailKind } from './tail-block.ts'
import { fillRemainder } from './tail-remainder.ts'
import { FINE_SECONDS, TopK, type BlockCandidate } from './top-k.ts'

/** The tracks of two blocks, either of which may be empty, and the idle seconds after them. */
interface Tail {
  tracks: [number[], number[]]
  idle: number
}

/** Variants of the tail that are tried. */
const TRIES = 24

const nothing: BlockCandidate = { tracks: [], air: 0, deviation: 0, cost: 0 }

function searchTailBlock(
  kind: TailKind,
  goal: { need: number; room: number; random: Random },
  keep: number,
): BlockCandidate[] {
  const { pool, reserve } = kind
  const { overlapSeconds } = pool.trackList
  const topK = new TopK(keep)
  const cap = kind.cap - overlapSeconds
  const air = {
    need: Math.min(goal.need - overlapSeconds, cap),
    room: goal.room - overlapSeconds,
    cap,
  }
  if (air.room > 0) search({ pool, goal: air, random: goal.random, topK }, reserve)
  return topK.best
}

/** Leaves out the ads from the first one on that would come too soon. */
function keepApart(kinds: [TailKind, TailKind], tracks: Tail['tracks'], goal: TailGoal): Tail['tracks'] {
  const { separation, start } = goal
  if (!separation) return tracks
  const [first, second] = tracks
  const { gap, times } = separation
  const isFirst = kinds[0].list.kind === 'ad'
  const startsAt = isFirst ? start : start + secondsOf(kinds[0], first)
  const kept = times.countKeeping(gap, isFirst ? first : second, startsAt)
  return isFirst ? [first.slice(0, kept), second] : [first, second.slice(0, kept)]
}

/** The last two blocks that leave the fewest idle seconds. The pools are restored. */
function findBestTail(kinds: [TailKind, TailKind], goal: TailGoal): Tail {
  const { room, first, random, known } = goal
  const means = kinds.map(
    ({ pool }) =>
      pool.trackList.airSeconds.reduce((sum, air) => sum + air, 0) / pool.trackList.airSeconds.length,
  )
  // The kind with the longer tracks comes first, since the other fits the rest better.
  const coarse = (means[0] ?? 0) >= (means[1] ?? 0) ? 0 : 1
  const fine = coarse === 0 ? 1 : 0
  const need = coarse === 0 ? first : room - first
  let best: Tail = { tracks: [known, []], idle: room - secondsOf(kinds[0], known) }
  for (let n = 0; n < TRIES && best.idle > FINE_SECONDS; n++) {
    const candidates = searchTailBlock(kinds[coarse], { need, room, random }, 4)
    // The day may end without the second block, but never with the second alone.
    for (const found of coarse === 1 ? [...candidates, nothing] : candidates) {
      const rest = room - secondsOf(kinds[coarse], found.tracks)
      const [filling = nothing] = searchTailBlock(kinds[fine], { need: rest, room: rest, random }, 1)
      const both = coarse === 0 ? [found.tracks, filling.tracks] : [filling.tracks, found.tracks]
      const tracks = keepApart(kinds, [both[0] ?? [], both[1] ?? []], goal)
      const idle = room - secondsOf(kinds[0], tracks[0]) - secondsOf(kinds[1], tracks[1])
      if (idle < best.idle && (tracks[0].length > 0 || tracks[1].length === 0)) best = { tracks, idle }
    }
  }
  return best
}

/** The window's last blocks, in turn, from the first kind on. The pools have played them. */
export function planTail(kinds: [TailKind, TailKind], goal: TailGoal): TailBlock[] {
  const { tracks } = findBestTail(kinds, goal)
  const blocks: TailBlock[] = []
  for (const kind of [0, 1] as const) {
    for (const track of tracks[kind]) kinds[kind].pool.take(track)
    if (tracks[kind].length > 0) blocks.push({ kind, tracks: [...tracks[kind]] })
  }
  fillRemainder(kinds, blocks, goal)
  return blocks
}
