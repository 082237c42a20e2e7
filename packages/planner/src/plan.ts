import { planTail, type TailBlock } from './tail.ts'
import { TrackPool } from './track-pool.ts'
import { aimOf, KINDS, readKindList, toTrackList, type KindList } from './track-list.ts'
import type { Plan, PlanBlock, PlanInput } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'
import { seedRandom, type Random } from './random.ts'
import { blocksOf, BlockSequence, type SearchNode } from './block-sequence.ts'
import { summarize } from './summary.ts'

/*
 * How a day is planned: a beam search under a rotation constraint.
 *
 * 1. With equal weights, plays run in rounds. A track may come next when at least ⌊(n−1)/2⌋ others were heard since: it is
 *    among the first ⌈(n+1)/2⌉ of the last round's order that this round has not heard (`Rotation`). No choice can lead
 *    into a dead end.
 * 2. Tracks of one weight form a group. Each play of a group has a first and a last place in the day's order; serving the
 *    nearest deadline always works, because the shares add up to one (`Slots`).
 * 3. A block is filled at random until two or three plays are missing. For these, all singles and pairs of the sorted
 *    candidates are tried by two pointers, until one is within 5 ms. Each step can be taken back, so nothing is copied:
 *    1,000 melodies and 200 ads cost milliseconds.
 * 4. Where the mean deviation stays above 0.05 s, the day is planned again, first with long tracks worth more, since they
 *    are hard to place late in a round, then with eight variants side by side. The best one wins. Days of over 5,000 plays
 *    are planned once.
 * 5. The last complete blocks are planned again together with the tail, in 24 variants.
 *
 * The random numbers are our own (Park and Miller), with whole products, so that every machine gives the same plan.
 *
 * The rules leave these choices open: a crossfade is at most half the shortest background track, so no three tracks sound at once.
 * Deviations leave out the window's last block of each kind. 'Within one play of its share' includes exactly one. With few
 * tracks whose lengths do not add up (20 melodies of two to five minutes for six-minute blocks) the mean deviation stays
 * near 20 to 30 s, because the rotation has to play each of them. Integer programming over whole days takes seconds.
 */

/** A sufficiently small mean deviation in seconds. */
const GOOD = 0.05
/** A day with more plays is planned only once. Plays with weights count more, because their searches take longer. */
const MAX_PLAYS = 5000
const WEIGHTED = 8
/** Searches for a better day, the quick ones first. */
const SEARCH_VARIANTS = [
  { width: 1, bonus: 0 },
  { width: 1, bonus: 0.2 },
  { width: 1, bonus: 0.4 },
  { width: 1, bonus: 0.6 },
  { width: 8, bonus: 0 },
]

type Pair<T> = [T, T]

function openSequence(list: KindList, random: Random): BlockSequence {
  const trackList = toTrackList(list)
  const middle = trackList.airSeconds.toSorted()[Math.floor(trackList.airSeconds.length / 2)] ?? 0
  return new BlockSequence(
    TrackPool.open(trackList, random),
    { ...aimOf(list), reserve: 2 * middle },
    { random, width: 1, bonus: 0 },
  )
}

/** How many whole blocks of each kind the window takes. */
function countBlocks(sequences: Pair<BlockSequence>, window: number): Pair<number> {
  const counts: Pair<number> = [0, 0]
  for (let kind: 0 | 1 = 0; ; kind = kind === 0 ? 1 : 0) {
    counts[kind]++
    if (sequences[0].bestNode(counts[0]).seconds + sequences[1].bestNode(counts[1]).seconds <= window)
      continue
    counts[kind]--
    return counts
  }
}

/** Returns the sequence, or a better one with as many blocks if the first is not good and the day is not too long. */
function improve(sequence: BlockSequence, blocks: number, random: Random): BlockSequence {
  let best = sequence
  for (const variant of SEARCH_VARIANTS) {
    const { plays, deviation, pool } = best.bestNode(blocks)
    const effort = plays * variant.width * (pool.isEven ? 1 : WEIGHTED)
    if (deviation <= GOOD * blocks || effort > MAX_PLAYS) continue
    const other = sequence.restart({ ...variant, random })
    if (other.bestNode(blocks).deviation < deviation) best = other
  }
  return best
}

/** The tracks of each block, background first, for lists that both have tracks. */
function fillDay(sequences: Pair<BlockSequence>, window: number, random: Random): number[][] {
  const counts = countBlocks(sequences, window)
  const nodes: Pair<SearchNode> = [sequences[0].bestNode(counts[0]), sequences[1].bestNode(counts[1])]
  // The last two blocks are filled again: the last complete one and the one after it.
  const first = counts[0] > counts[1] || counts[0] === 0 ? 0 : 1
  const second = first === 0 ? 1 : 0
  nodes[first] = nodes[first].parent ?? nodes[first]
  const pools: Pair<TrackPool> = [
    sequences[first].poolAfter(nodes[first]),
    sequences[second].poolAfter(nodes[second]),
  ]
  const room = window - nodes[0].seconds - nodes[1].seconds
  const { reserve, target } = sequences[first].aim
  const tailBlocks: Pair<TailBlock> = [
    { pool: pools[0], reserve },
    { pool: pools[1], reserve: sequences[second].aim.reserve },
  ]
  const tail = planTail(tailBlocks, { room, first: Math.min(room, target), random })
  const blocks: Pair<number[][]> = [blocksOf(nodes[0]), blocksOf(nodes[1])]
  blocks[first].push(tail[0])
  blocks[second].push(tail[1])
  return blocks[0].flatMap((tracks, n) => [tracks, blocks[1][n] ?? []])
}

function tracksOfBlocks(lists: Pair<KindList>, window: number, random: Random): number[][] {
  if (lists[0].tracks.length === 0 || window === 0) return []
  const sequences: Pair<BlockSequence> = [openSequence(lists[0], random), openSequence(lists[1], random)]
  if (lists[1].tracks.length > 0) {
    const counts = countBlocks(sequences, window)
    const wider: Pair<BlockSequence> = [
      improve(sequences[0], counts[0], random),
      improve(sequences[1], counts[1], random),
    ]
    return fillDay(wider, window, random)
  }
  // Without ads the day is one block of background.
  const [pool, none] = [
    sequences[0].poolAfter(sequences[0].bestNode(0)),
    sequences[1].poolAfter(sequences[1].bestNode(0)),
  ]
  const last = { pool, reserve: sequences[0].aim.reserve }
  return [planTail([last, { pool: none, reserve: 0 }], { room: window, first: window, random })[0]]
}

/** Computes the starts of blocks and items. */
function layOut(lists: Pair<KindList>, blocks: number[][]): PlanBlock[] {
  let end = 0
  return blocks.flatMap((tracks, n) => {
    const { kind, tracks: list, overlap } = lists[n % 2 === 0 ? 0 : 1]
    if (tracks.length === 0) return []
    const start = end
    const items = tracks.map((track, place) => {
      const { uid, duration } = list[track] ?? { uid: '', duration: 0 }
      const startsAt = place === 0 ? end : end - overlap
      end = startsAt + duration
      return { uid, start: startsAt, duration }
    })
    return [{ kind, start, duration: end - start, items }]
  })
}

/**
 * Plans the day of a smart playlist: background and ad blocks alternate over the window, by the rules that `check` checks. The
 * same input gives the same plan on every machine. It plans any lists; `validate` decides whether they make sense.
 */
export function plan(input: PlanInput): Plan {
  const lists: Pair<KindList> = [readKindList(input, KINDS[0]), readKindList(input, KINDS[1])]
  const window = windowSeconds(input)
  const blocks = layOut(lists, tracksOfBlocks(lists, window, seedRandom(input.seed)))
  return { blocks, summary: summarize(blocks, input) }
}
