import { close, fillUp } from './closing.ts'
import { Deck } from './deck.ts'
import { aimOf, KINDS, listOf, shelfOf, type KindList } from './list.ts'
import type { Plan, PlanBlock, PlanInput } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'
import { seedRandom, type Random } from './random.ts'
import { GOOD, Series } from './series.ts'
import { summarize } from './summary.ts'

/** Plays that may be dealt in looking for a better day. */
const EFFORT = 0
const WIDEST = 24

type Pair<T> = [T, T]

function openSeries(list: KindList, random: Random): Series {
  const shelf = shelfOf(list)
  const middle = shelf.air.toSorted()[Math.floor(shelf.air.length / 2)] ?? 0
  return new Series(Deck.open(shelf, random), { ...aimOf(list), reserve: 2 * middle }, { random, width: 1 })
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

/** The same with more effort, where the first way through the day is not good and the day not too long for it. */
function better(series: Series, blocks: number, random: Random): Series {
  const { plays, deviation } = series.upTo(blocks)
  const width = Math.min(WIDEST, Math.floor(EFFORT / Math.max(1, plays)))
  if (deviation <= GOOD * blocks || width < 2) return series
  return new Series(series.deckAfter(0), series.aim, { random, width })
}

/** The tracks of each block, background first, for lists that both have tracks. */
function fillDay(series: Pair<Series>, window: number, random: Random): number[][] {
  const counts = countBlocks(series, window)
  // The last two blocks are filled anew: the last that fitted whole, and what follows it.
  const first = counts[0] > counts[1] || counts[0] === 0 ? 0 : 1
  const second = first === 0 ? 1 : 0
  counts[first] = Math.max(0, counts[first] - 1)
  const room = window - series[0].upTo(counts[0]).seconds - series[1].upTo(counts[1]).seconds
  const blocks: Pair<number[][]> = [series[0].blocks(counts[0]), series[1].blocks(counts[1])]
  const decks: Pair<Deck> = [series[first].deckAfter(counts[first]), series[second].deckAfter(counts[second])]
  const { reserve, target } = series[first].aim
  const lasts = [
    { deck: decks[0], reserve },
    { deck: decks[1], reserve: series[second].aim.reserve },
  ] as const
  const closing = close([...lasts], { room, first: Math.min(room, target), random })
  closing.tracks.forEach((tracks, n) => {
    for (const track of tracks) decks[n === 0 ? 0 : 1].take(track)
  })
  fillUp(decks, closing)
  blocks[first].push(closing.tracks[0])
  blocks[second].push(closing.tracks[1])
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
  const deck = series[0].deckAfter(0)
  const last = { deck, reserve: series[0].aim.reserve }
  const none = { deck: series[1].deckAfter(0), reserve: 0 }
  const closing = close([last, none], { room: window, first: window, random })
  for (const track of closing.tracks[0]) deck.take(track)
  fillUp([deck, none.deck], closing)
  return [closing.tracks[0]]
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
