import { placeAbove, type Candidates, type Deck } from './deck.ts'
import { drawBelow, type Random } from './random.ts'

/** Nearer than this (seconds) need not be looked for. */
export const FINE = 0.005

/** After how many plays of a block's last ones a search looks for the rest, besides the very last. */
const LOOKS = 6

/** A block to be filled, in seconds of air. */
export interface Goal {
  /** What it should come to. */
  need: number
  /** What it must not pass. */
  room: number
}

/** Tracks for a block, in their order, and how far from the need they end. */
export interface Found {
  tracks: number[]
  air: number
  off: number
}

/** The few best that a search came by. */
export class Finds {
  readonly best: Found[] = []
  private readonly keep: number

  constructor(keep: number) {
    this.keep = keep
  }

  get isFine(): boolean {
    return (this.best[0]?.off ?? Infinity) <= FINE
  }

  offer({ need, room }: Goal, air: number, tracks: () => number[]): void {
    const off = need > air ? need - air : air - need
    const worst = this.best[this.keep - 1]
    if (air > room + 1e-9 || (worst && worst.off <= off)) return
    if (this.best.some(found => found.off === off)) return
    const place = this.best.findIndex(found => found.off > off)
    this.best.splice(place < 0 ? this.best.length : place, 0, { tracks: tracks(), air, off })
    if (this.best.length > this.keep) this.best.pop()
  }
}

interface Search {
  deck: Deck
  goal: Goal
  random: Random
  finds: Finds
}

/** What was dealt since the search began. */
interface Prefix {
  from: number
  air: number
}

/** Offers the two candidates around `place` that may follow `first` (-1: stand alone). */
function offerAround(
  search: Search,
  prefix: Prefix,
  near: { candidates: Candidates; place: number; first: number },
): void {
  const { deck, goal, finds } = search
  const { candidates, place, first } = near
  const { air } = deck.shelf
  for (const step of [-1, 1]) {
    let at = step < 0 ? place - 1 : place
    for (let tried = 0; tried < 4 && at >= 0 && at < candidates.size; tried++, at += step) {
      const track = candidates.tracks[at] ?? 0
      if (track === first || (first >= 0 && !deck.mayFollow(first, track))) continue
      const more = first < 0 ? [track] : [first, track]
      const sum = prefix.air + (air[track] ?? 0) + (first < 0 ? 0 : (air[first] ?? 0))
      finds.offer(goal, sum, () => [...deck.dealt.slice(prefix.from), ...more])
      break
    }
  }
}

/** Offers what was dealt, alone, with one more and with the best pairs of two more. */
function complete(search: Search, prefix: Prefix): void {
  const { deck, goal, random, finds } = search
  const { air } = deck.shelf
  if (deck.dealt.length > prefix.from) finds.offer(goal, prefix.air, () => deck.dealt.slice(prefix.from))
  const candidates = deck.candidates()
  const need = goal.need - prefix.air
  offerAround(search, prefix, { candidates, place: placeAbove(air, candidates, need), first: -1 })
  const seconds = deck.isEven ? candidates : deck.candidates(1)
  const start = candidates.size > 0 ? drawBelow(random, candidates.size) : 0
  for (let n = 0; n < candidates.size && !finds.isFine; n++) {
    const first = candidates.tracks[(start + n) % candidates.size] ?? 0
    const rest = need - (air[first] ?? 0)
    if (rest > 0)
      offerAround(search, prefix, { candidates: seconds, place: placeAbove(air, seconds, rest), first })
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
      if (track < 0 || looks++ < LOOKS) complete(search, { from, air })
      if (track < 0 || finds.isFine) break
    }
    deck.take(track)
    air += deck.shelf.air[track] ?? 0
  }
  deck.undoTo(from)
}
