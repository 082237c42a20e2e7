import type { Deck } from './deck.ts'
import type { Finds, Goal } from './finds.ts'
import { drawBelow, type Random } from './random.ts'
import { placeAbove, type Candidates } from './shelf.ts'

/** After how many plays of a block's last ones a search looks for the rest, besides the very last. */
const LOOKS = 6

/** So many neighbours are asked whether they may follow. */
const NEAR = 4

interface Search {
  deck: Deck
  goal: Goal
  random: Random
  finds: Finds
}

/** Looks at what might follow the plays that were dealt since `from`. */
class Look {
  private readonly search: Search
  private readonly from: number
  private readonly dealt: number
  /** Seconds of what was dealt. */
  private readonly air: number

  constructor(search: Search, from: number, air: number) {
    this.search = search
    this.from = from
    this.dealt = search.deck.dealt.length - from
    this.air = air
  }

  /** Nothing more, one more, and the best pairs of two more. */
  complete(): void {
    const { deck, goal } = this.search
    if (this.dealt > 0) this.offer(-1, -1)
    const candidates = deck.candidates()
    const place = placeAbove(deck.shelf.air, candidates, goal.need - this.air)
    this.offerAround(candidates, place, -1)
    this.offerPairs(candidates, deck.isEven ? candidates : deck.candidates(1))
  }

  /** Each first with the seconds that come nearest, from a random first on. */
  private offerPairs(firsts: Candidates, seconds: Candidates): void {
    const { deck, goal, random, finds } = this.search
    const { air } = deck.shelf
    const start = firsts.size > 0 ? drawBelow(random, firsts.size) : 0
    let place = 0
    for (let n = 0; n < firsts.size && !finds.isFine; n++) {
      const at = start + n < firsts.size ? start + n : start + n - firsts.size
      const first = firsts.tracks[at] ?? 0
      const rest = goal.need - this.air - (air[first] ?? 0)
      // The firsts grow longer, so the seconds' place only falls, but where the firsts begin anew.
      if (n === 0 || at === 0) place = placeAbove(air, seconds, rest)
      else while (place > 0 && (air[seconds.tracks[place - 1] ?? 0] ?? 0) > rest) place--
      if (rest > 0) this.offerAround(seconds, place, first)
    }
  }

  /** The candidates around a place that may follow `first` (-1: what was dealt). */
  private offerAround({ tracks, size }: Candidates, place: number, first: number): void {
    for (let at = place - 1; at >= 0 && at >= place - NEAR; at--)
      if (this.mayFollow(first, tracks[at] ?? 0)) {
        this.offer(first, tracks[at] ?? 0)
        break
      }
    for (let at = place; at < size && at < place + NEAR; at++)
      if (this.mayFollow(first, tracks[at] ?? 0)) {
        this.offer(first, tracks[at] ?? 0)
        break
      }
  }

  private mayFollow(first: number, track: number): boolean {
    return first !== track && (first < 0 || this.search.deck.mayFollow(first, track))
  }

  /** Offers what was dealt with two more tracks, each of which may be none (-1). */
  private offer(first: number, track: number): void {
    const { deck, goal, finds } = this.search
    const more = (first < 0 ? 0 : 1) + (track < 0 ? 0 : 1)
    const air =
      this.air +
      (first < 0 ? 0 : (deck.shelf.air[first] ?? 0)) +
      (track < 0 ? 0 : (deck.shelf.air[track] ?? 0))
    if (air > goal.room + 1e-9) return
    const off = goal.need > air ? goal.need - air : air - goal.need
    const cost = finds.costOf(off, air, this.dealt + more)
    if (cost === Infinity) return
    const tracks = [...deck.dealt.slice(this.from), first, track].filter(one => one >= 0)
    finds.keepOne({ tracks, air, off, cost })
  }
}

/**
 * Looks for a block: deals at random while there is room for more than the last few, then tries all singles and pairs for
 * the rest, after each further play anew. The deck is left as it was. What is found is never further off than half the
 * longest track, or is a single one.
 */
export function seek(search: Search, reserve: number): void {
  const { deck, goal, random, finds } = search
  const from = deck.dealt.length
  let air = 0
  for (let looks = 0; ;) {
    let track = deck.drawUpTo(goal.need - air - reserve, random)
    if (track < 0) {
      track = deck.drawUpTo(goal.need - air, random)
      if (track < 0 || looks++ < LOOKS) new Look(search, from, air).complete()
      if (track < 0 || finds.isFine) break
    }
    deck.take(track)
    air += deck.shelf.air[track] ?? 0
  }
  deck.undoTo(from)
}
