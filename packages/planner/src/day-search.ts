import { AdTimes } from './ad-times.ts'
import { blocksOf, BlockSequence, type SearchNode } from './block-sequence.ts'
import type { Random } from './random.ts'
import { planTail } from './tail.ts'
import { openTailKind, secondsOf, type AdSeparation, type TailKind } from './tail-block.ts'
import { LOOSE, TrackPool, type Spacing } from './track-pool.ts'
import { aimOf, toTrackList, type KindList } from './track-list.ts'

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

export type Pair<T> = [T, T]

function openSequence(list: KindList, random: Random, spacing: Spacing): BlockSequence {
  const trackList = toTrackList(list)
  const middle = trackList.airSeconds.toSorted()[Math.floor(trackList.airSeconds.length / 2)] ?? 0
  return new BlockSequence(
    TrackPool.open(trackList, random, spacing),
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

/** What a day is searched for; times in seconds. */
export interface DaySearch {
  lists: Pair<KindList>
  window: number
  random: Random
  spacing: Spacing
  minAdGap: number
}

/** A day's blocks, background first, and the shortest gap between two plays of an ad in the complete ones. */
interface Day {
  blocks: number[][]
  adGap: number
}

/** When the ads of complete blocks were heard. */
function timesOfAds(kinds: Pair<TailKind>, blocks: Pair<number[][]>): AdTimes {
  const times = new AdTimes(kinds[1].pool.trackList.airSeconds)
  let at = 0
  blocks[0].forEach((tracks, n) => {
    at = times.hear(blocks[1][n] ?? [], at + secondsOf(kinds[0], tracks))
  })
  return times
}

interface SeparateInput {
  complete: Pair<number[][]>
  before: Pair<number[][]>
  gap: number
  /** Seconds for the tail. */
  room: number
}

/** The separation for the tail, and the gap of all complete blocks. Only a separation needs either. */
function separate(
  kinds: Pair<TailKind>,
  { complete, before, gap, room }: SeparateInput,
): { adGap: number; separation: AdSeparation | null } {
  if (gap === 0) return { adGap: 0, separation: null }
  const { pool, list } = kinds[1]
  const shortest = list.tracks.reduce((least, { duration }) => Math.min(least, duration), Infinity)
  // Wanted distances may break rule 4: then the day counts for nothing.
  if (!pool.isOnTime(Math.ceil(room / shortest))) return { adGap: -1, separation: null }
  const { shortestGap } = timesOfAds(kinds, complete)
  return { adGap: shortestGap, separation: { gap, times: timesOfAds(kinds, before) } }
}

/** The day for lists that both have tracks. */
function fillDay(sequences: Pair<BlockSequence>, { lists, window, random, minAdGap }: DaySearch): Day {
  const counts = countBlocks(sequences, window)
  const nodes: Pair<SearchNode> = [sequences[0].bestNode(counts[0]), sequences[1].bestNode(counts[1])]
  const complete: Pair<number[][]> = [blocksOf(nodes[0]), blocksOf(nodes[1])]
  // The last two blocks are filled again: the last complete one and the one after it.
  const first = counts[0] > counts[1] || counts[0] === 0 ? 0 : 1
  const second = first === 0 ? 1 : 0
  const known = nodes[first].tracks
  nodes[first] = nodes[first].parent ?? nodes[first]
  const kinds: Pair<TailKind> = [
    openTailKind(lists[0], sequences[0].poolAfter(nodes[0]), sequences[0].aim.reserve),
    openTailKind(lists[1], sequences[1].poolAfter(nodes[1]), sequences[1].aim.reserve),
  ]
  const blocks: Pair<number[][]> = [blocksOf(nodes[0]), blocksOf(nodes[1])]
  const start = nodes[0].seconds + nodes[1].seconds
  const room = window - start
  const { adGap, separation } = separate(kinds, { complete, before: blocks, gap: minAdGap, room })
  const tail = planTail([kinds[first], kinds[second]], {
    start,
    room,
    first: Math.min(room, sequences[first].aim.target),
    known,
    separation,
    random,
  })
  for (const { kind, tracks } of tail) blocks[kind === 0 ? first : second].push(tracks)
  return { blocks: blocks[0].flatMap((tracks, n) => [tracks, blocks[1][n] ?? []]), adGap }
}

/** Without ads the day is one block of background. */
function fillBackground(sequences: Pair<BlockSequence>, { lists, window, random }: DaySearch): Day {
  const open = (kind: 0 | 1) => {
    const { aim } = sequences[kind]
    return openTailKind(lists[kind], sequences[kind].poolAfter(sequences[kind].bestNode(0)), aim.reserve)
  }
  const goal = { start: 0, room: window, first: window, known: [], separation: null, random }
  return { blocks: planTail([open(0), open(1)], goal).map(({ tracks }) => tracks), adGap: Infinity }
}

/** Searches the tracks of each block of the day, background first. */
export function searchDay(search: DaySearch): Day {
  const { lists, window, random, spacing } = search
  if (lists[0].tracks.length === 0 || window === 0) return { blocks: [], adGap: Infinity }
  const sequences: Pair<BlockSequence> = [
    openSequence(lists[0], random, LOOSE),
    openSequence(lists[1], random, spacing),
  ]
  if (lists[1].tracks.length === 0) return fillBackground(sequences, search)
  const counts = countBlocks(sequences, window)
  const wider: Pair<BlockSequence> = [
    improve(sequences[0], counts[0], random),
    improve(sequences[1], counts[1], random),
  ]
  return fillDay(wider, search)
}
