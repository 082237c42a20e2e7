import type { Deck } from './deck.ts'
import { FINE, Finds, type Found } from './finds.ts'
import type { Random } from './random.ts'
import { seek } from './seek.ts'

/** One of the window's last two blocks. */
export interface Last {
  deck: Deck
  reserve: number
}

/** The tracks of the last two blocks, either of which may be empty, and the idle seconds after them. */
interface Closing {
  tracks: [number[], number[]]
  idle: number
}

interface ClosingGoal {
  /** Seconds for both. */
  room: number
  /** Seconds that the first should have of them. */
  first: number
  random: Random
}

/** How many ways to end are tried. */
const TRIES = 24

const nothing: Found = { tracks: [], air: 0, off: 0, cost: 0 }

const secondsOf = (deck: Deck, found: Found) => (found.tracks.length > 0 ? found.air + deck.shelf.overlap : 0)

function look(
  { deck, reserve }: Last,
  goal: { need: number; room: number; random: Random },
  keep: number,
): Found[] {
  const { overlap } = deck.shelf
  const finds = new Finds(keep)
  const air = { need: goal.need - overlap, room: goal.room - overlap }
  if (air.room > 0) seek({ deck, goal: air, random: goal.random, finds }, reserve)
  return finds.best
}

/** The way to end the day that leaves the fewest idle seconds. The decks are left as they were. */
function close(lasts: [Last, Last], { room, first, random }: ClosingGoal): Closing {
  const means = lasts.map(
    ({ deck }) => deck.shelf.air.reduce((sum, air) => sum + air, 0) / deck.shelf.air.length,
  )
  // The kind with the longer tracks comes first, since the other fits the rest better.
  const coarse = (means[0] ?? 0) >= (means[1] ?? 0) ? 0 : 1
  const fine = coarse === 0 ? 1 : 0
  const need = coarse === 0 ? first : room - first
  let best: Closing = { tracks: [[], []], idle: room }
  for (let n = 0; n < TRIES && best.idle > FINE; n++) {
    const founds = look(lasts[coarse], { need, room, random }, 4)
    // Without its second block the day may end as well, but never with the second alone.
    for (const found of coarse === 1 ? [...founds, nothing] : founds) {
      const rest = room - secondsOf(lasts[coarse].deck, found)
      const [filling = nothing] = look(lasts[fine], { need: rest, room: rest, random }, 1)
      const idle = rest - secondsOf(lasts[fine].deck, filling)
      const [one, two] = coarse === 0 ? [found, filling] : [filling, found]
      if (idle < best.idle && (one.tracks.length > 0 || two.tracks.length === 0))
        best = { tracks: [[...one.tracks], [...two.tracks]], idle }
    }
  }
  return best
}

/** The tracks of a deck that the rules still let come next, with nothing to follow. */
function stillAllowed(deck: Deck): ArrayLike<number> {
  if (deck.isEven) return deck.allAllowed()
  const { weights } = deck.shelf
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const share = (track: number) => ((deck.dealt.length + 1) * (weights[track] ?? 0)) / total
  const fewest = new Map<number, number>()
  const urgent: number[] = []
  const tracks: number[] = []
  deck.plays.forEach((plays, track) => {
    const weight = weights[track] ?? 0
    fewest.set(weight, Math.min(fewest.get(weight) ?? Infinity, plays))
    if (plays < share(track) - 1 - 1e-9) urgent.push(track)
    if (plays <= share(track) + 1e-9) tracks.push(track)
  })
  if (urgent.length > 1) return []
  return tracks.filter(
    track =>
      deck.plays[track] === fewest.get(weights[track] ?? 0) && (urgent.length === 0 || track === urgent[0]),
  )
}

/** Adds to the last two blocks while anything that the rules allow still fits: the longest that does. */
function fillUp(lasts: [Last, Last], closing: Closing): void {
  for (;;) {
    let best: { track: number; block: 0 | 1; seconds: number } | null = null
    for (const block of [0, 1] as const) {
      if (block === 1 && closing.tracks[0].length === 0) continue
      const { shelf } = lasts[block].deck
      const overlap = closing.tracks[block].length > 0 ? 0 : shelf.overlap
      const allowed = stillAllowed(lasts[block].deck)
      for (let n = 0; n < allowed.length; n++) {
        const track = allowed[n] ?? 0
        const seconds = (shelf.air[track] ?? 0) + overlap
        if (seconds <= closing.idle && seconds > (best?.seconds ?? 0)) best = { track, block, seconds }
      }
    }
    if (!best) return
    lasts[best.block].deck.takeLast(best.track)
    closing.tracks[best.block].push(best.track)
    closing.idle -= best.seconds
  }
}

/** The tracks of the window's last two blocks, either of which may be empty. They are dealt. */
export function endDay(lasts: [Last, Last], goal: ClosingGoal): [number[], number[]] {
  const closing = close(lasts, goal)
  lasts.forEach(({ deck }, n) => {
    for (const track of closing.tracks[n === 0 ? 0 : 1]) deck.take(track)
  })
  fillUp(lasts, closing)
  return closing.tracks
}
