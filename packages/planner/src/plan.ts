import { endDay, type Last } from './closing.ts'
import { Deck } from './deck.ts'
import { aimOf, KINDS, listOf, shelfOf, type KindList } from './list.ts'
import type { Plan, PlanBlock, PlanInput } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'
import { seedRandom, type Random } from './random.ts'
import { blocksOf, Series, type Branch } from './series.ts'
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
 * Where the rules are silent: a crossfade is at most half the shortest background track, so no three tracks sound at once.
 * Deviations leave out the window's last block of each kind. 'Within one play of its share' includes exactly one. With few
 * tracks whose lengths do not add up (20 melodies of two to five minutes for six-minute blocks) the mean deviation stays
 * near 20 to 30 s, because the rotation has to play each of them. Integer programming over whole days takes seconds.
 */

/** A mean deviation (seconds) that is good enough. */
const GOOD = 0.05
/** A day of more plays is not planned a second time; one with weights counts for more, since its searches take longer. */
const MOST_PLAYS = 5000
const WEIGHTED = 8
/** Ways to look for a better day, the quick ones first. */
const WAYS = [
  { width: 1, bonus: 0 },
  { width: 1, bonus: 0.2 },
  { width: 1, bonus: 0.4 },
  { width: 1, bonus: 0.6 },
  { width: 8, bonus: 0 },
]

type Pair<T> = [T, T]

function openSeries(list: KindList, random: Random): Series {
  const shelf = shelfOf(list)
  const middle = shelf.air.toSorted()[Math.floor(shelf.air.length / 2)] ?? 0
  return new Series(
    Deck.open(shelf, random),
    { ...aimOf(list), reserve: 2 * middle },
    { random, width: 1, bonus: 0 },
  )
}

/** How many whole blocks of each kind the window takes. */
function countBlocks(series: Pair<Series>, window: number): Pair<number> {
  const counts: Pair<number> = [0, 0]
  for (let kind: 0 | 1 = 0; ; kind = kind === 0 ? 1 : 0) {
    counts[kind]++
    if (series[0].upTo(counts[0]).seconds + series[1].upTo(counts[1]).seconds <= window) continue
    counts[kind]--
    return counts
  }
}

/** The series, or a better one of as many blocks where the first is not good and the day not too long to look for it. */
function better(series: Series, blocks: number, random: Random): Series {
  let best = series
  for (const way of WAYS) {
    const { plays, deviation, deck } = best.upTo(blocks)
    const effort = plays * way.width * (deck.isEven ? 1 : WEIGHTED)
    if (deviation <= GOOD * blocks || effort > MOST_PLAYS) continue
    const other = series.again({ ...way, random })
    if (other.upTo(blocks).deviation < deviation) best = other
  }
  return best
}

/** The tracks of each block, background first, for lists that both have tracks. */
function fillDay(series: Pair<Series>, window: number, random: Random): number[][] {
  const counts = countBlocks(series, window)
  const branches: Pair<Branch> = [series[0].upTo(counts[0]), series[1].upTo(counts[1])]
  // The last two blocks are filled anew: the last that fitted whole, and what follows it.
  const first = counts[0] > counts[1] || counts[0] === 0 ? 0 : 1
  const second = first === 0 ? 1 : 0
  branches[first] = branches[first].parent ?? branches[first]
  const decks: Pair<Deck> = [
    series[first].deckAfter(branches[first]),
    series[second].deckAfter(branches[second]),
  ]
  const room = window - branches[0].seconds - branches[1].seconds
  const { reserve, target } = series[first].aim
  const lasts: Pair<Last> = [
    { deck: decks[0], reserve },
    { deck: decks[1], reserve: series[second].aim.reserve },
  ]
  const closing = endDay(lasts, { room, first: Math.min(room, target), random })
  const blocks: Pair<number[][]> = [blocksOf(branches[0]), blocksOf(branches[1])]
  blocks[first].push(closing[0])
  blocks[second].push(closing[1])
  return blocks[0].flatMap((tracks, n) => [tracks, blocks[1][n] ?? []])
}

function tracksOfBlocks(lists: Pair<KindList>, window: number, random: Random): number[][] {
  if (lists[0].tracks.length === 0 || window === 0) return []
  const series: Pair<Series> = [openSeries(lists[0], random), openSeries(lists[1], random)]
  if (lists[1].tracks.length > 0) {
    const counts = countBlocks(series, window)
    const wider: Pair<Series> = [better(series[0], counts[0], random), better(series[1], counts[1], random)]
    return fillDay(wider, window, random)
  }
  // Without ads the day is one block of background.
  const [deck, none] = [series[0].deckAfter(series[0].upTo(0)), series[1].deckAfter(series[1].upTo(0))]
  const last = { deck, reserve: series[0].aim.reserve }
  return [endDay([last, { deck: none, reserve: 0 }], { room: window, first: window, random })[0]]
}

/** Gives blocks and items their moments. */
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
 * The day of a smart playlist: background and ad blocks in turn over the window, by the rules that `check` checks. The same
 * input gives the same plan on every machine. It plans any lists; whether they make sense is `validate`'s to say.
 */
export function plan(input: PlanInput): Plan {
  const lists: Pair<KindList> = [listOf(input, KINDS[0]), listOf(input, KINDS[1])]
  const window = windowSeconds(input)
  const blocks = layOut(lists, tracksOfBlocks(lists, window, seedRandom(input.seed)))
  return { blocks, summary: summarize(blocks, input) }
}
