import { Deck } from './deck.ts'
import { Finds, type Found, type Worth } from './finds.ts'
import type { Random } from './random.ts'
import { seek } from './seek.ts'

/** A deviation (seconds) of a block that is good enough, and how often it is tried for. */
const GOOD = 0.02
const TRIES = 4
const ROUNDING = 1e-6

/** How the blocks of a kind are to be. */
export interface Aim {
  /** Seconds of a block. */
  target: number
  /** Every block is the whole list once. */
  isWholeList: boolean
  /** Seconds left open for the last few plays. */
  reserve: number
}

/** How to look for blocks. */
export interface Way {
  random: Random
  /** Between how many ways through the day to choose, 1 and up. */
  width: number
  /** What a second of a track beyond the mean is worth: long tracks are hard to place, and late in a round nothing goes with them. */
  bonus: number
}

/** A day's first blocks of one kind, one way of several. */
export interface Branch {
  parent: Branch | null
  deck: Deck
  tracks: number[]
  /** Plays and seconds of it and all before it. */
  plays: number
  seconds: number
  deviation: number
  /** The deviation less what its tracks are worth: what branches are chosen by. */
  cost: number
}

/** The tracks of all blocks of a branch. */
export function blocksOf(branch: Branch): number[][] {
  const blocks: number[][] = []
  for (let at = branch; at.parent; at = at.parent) blocks.push(at.tracks)
  return blocks.reverse()
}

/** Blocks of one kind, as many as are asked for, each as near to the target as was found. */
export class Series {
  readonly aim: Aim
  private readonly way: Way
  private readonly worth: Worth
  /** Before the first block; where the width is 1, the deck that all is dealt from. */
  private readonly start: Deck
  private readonly levels: Branch[][]

  constructor(deck: Deck, aim: Aim, way: Way) {
    const { air } = deck.shelf
    this.aim = aim
    this.way = way
    const mean = air.reduce((sum, seconds) => sum + seconds, 0) / air.length
    const longest = air.reduce((most, seconds) => Math.max(most, seconds), 0)
    this.worth = { bonus: way.bonus, mean, reach: longest / 2 + ROUNDING }
    this.start = way.width > 1 ? deck.copy() : deck
    this.levels = [[{ parent: null, deck, tracks: [], plays: 0, seconds: 0, deviation: 0, cost: 0 }]]
  }

  /** The same blocks, looked for in another way. */
  again(way: Way): Series {
    const deck = this.start.copy()
    deck.undoTo(0)
    return new Series(deck, this.aim, way)
  }

  /** The best way to so many blocks. */
  upTo(blocks: number): Branch {
    while (this.levels.length <= blocks) this.levels.push(this.grow(this.levels.at(-1) ?? []))
    const best = this.levels[blocks]?.[0]
    if (!best) throw new Error('A list without tracks has no blocks')
    return best
  }

  /** The deck as it stands after a branch of this series. Where the width is 1, that ends the series. */
  deckAfter(branch: Branch): Deck {
    if (this.way.width === 1) {
      branch.deck.undoTo(branch.plays)
      return branch.deck
    }
    const deck = this.start.copy()
    for (const tracks of blocksOf(branch)) for (const track of tracks) deck.take(track)
    return deck
  }

  private grow(level: Branch[]): Branch[] {
    const grown = level.flatMap(parent =>
      this.find(parent.deck).map(found => ({
        parent,
        found,
        deviation: parent.deviation + found.off,
        cost: parent.cost + found.cost,
      })),
    )
    grown.sort((a, b) => a.cost - b.cost)
    const kept = grown.slice(0, this.way.width)
    return kept.map(({ parent, found, deviation, cost }, n) => {
      // The deck goes on with the last that wants it; the others get copies.
      const isLast = !kept.some((other, place) => place > n && other.parent === parent)
      const deck = isLast ? parent.deck : parent.deck.copy()
      for (const track of found.tracks) deck.take(track)
      const seconds = parent.seconds + found.air + deck.shelf.overlap
      return { parent, deck, tracks: found.tracks, plays: deck.dealt.length, seconds, deviation, cost }
    })
  }

  private find(deck: Deck): Found[] {
    if (this.aim.isWholeList) return [this.wholeList(deck)]
    const goal = { need: this.aim.target - deck.shelf.overlap, room: Infinity }
    const finds = new Finds(this.way.width > 1 ? 4 : 1, this.worth)
    for (let n = 0; n < TRIES && (finds.best[0]?.off ?? Infinity) > GOOD; n++)
      seek({ deck, goal, random: this.way.random, finds }, this.aim.reserve)
    return finds.best
  }

  private wholeList(deck: Deck): Found {
    const from = deck.dealt.length
    for (let n = 0; n < deck.shelf.air.length; n++) deck.take(deck.drawUpTo(Infinity, this.way.random))
    const tracks = deck.dealt.slice(from)
    deck.undoTo(from)
    return {
      tracks,
      air: tracks.reduce((sum, track) => sum + (deck.shelf.air[track] ?? 0), 0),
      off: 0,
      cost: 0,
    }
  }
}
