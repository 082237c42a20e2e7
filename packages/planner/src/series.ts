import { Deck } from './deck.ts'
import type { Random } from './random.ts'
import { Finds, seek, type Found } from './seek.ts'

/** A deviation (seconds) that nobody would want bettered, and how often it is tried for. */
export const GOOD = 0.02
const TRIES = 4

/** How the blocks of a kind are to be. */
export interface Aim {
  /** Seconds of a block. */
  target: number
  /** Every block is the whole list once. */
  isWholeList: boolean
  /** Seconds left open for the last few plays. */
  reserve: number
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
}

/** Blocks of one kind, as many as are asked for, each as near to the target as was found. */
export class Series {
  readonly aim: Aim
  private readonly random: Random
  private readonly width: number
  private readonly start: Deck
  private readonly levels: Branch[][]

  /** `width`: between how many ways through the day to choose, 1 and up. */
  constructor(deck: Deck, aim: Aim, search: { random: Random; width: number }) {
    this.aim = aim
    this.random = search.random
    this.width = search.width
    this.start = search.width > 1 ? deck.copy() : deck
    const root = { parent: null, deck, tracks: [], plays: 0, seconds: 0, deviation: 0 }
    this.levels = [[root]]
  }

  /** The best way to so many blocks. */
  upTo(blocks: number): Branch {
    while (this.levels.length <= blocks) this.levels.push(this.grow(this.levels.at(-1) ?? []))
    const best = this.levels[blocks]?.[0]
    if (!best) throw new Error('A list without tracks has no blocks')
    return best
  }

  /** The deck as it stands after so many blocks. Ends the series where its width is 1. */
  deckAfter(blocks: number): Deck {
    const branch = this.upTo(blocks)
    if (this.width === 1) {
      branch.deck.undoTo(branch.plays)
      return branch.deck
    }
    const deck = this.start.copy()
    for (const tracks of this.blocks(blocks)) for (const track of tracks) deck.take(track)
    return deck
  }

  /** The tracks of the first so many blocks. */
  blocks(count: number): number[][] {
    const blocks: number[][] = []
    for (let at: Branch | null = this.upTo(count); at?.parent; at = at.parent) blocks.push(at.tracks)
    return blocks.reverse()
  }

  private grow(level: Branch[]): Branch[] {
    const grown = level.flatMap(parent =>
      this.find(parent.deck).map(found => ({ parent, found, deviation: parent.deviation + found.off })),
    )
    grown.sort((a, b) => a.deviation - b.deviation)
    const kept = grown.slice(0, this.width)
    return kept.map(({ parent, found, deviation }, n) => {
      // The deck goes on with the last that wants it; the others get copies.
      const isLast = !kept.some((other, place) => place > n && other.parent === parent)
      const deck = isLast ? parent.deck : parent.deck.copy()
      for (const track of found.tracks) deck.take(track)
      const seconds = parent.seconds + found.air + deck.shelf.overlap
      return { parent, deck, tracks: found.tracks, plays: deck.dealt.length, seconds, deviation }
    })
  }

  private find(deck: Deck): Found[] {
    if (this.aim.isWholeList) return [this.wholeList(deck)]
    const goal = { need: this.aim.target - deck.shelf.overlap, room: Infinity }
    const finds = new Finds(this.width > 1 ? 4 : 1)
    for (let n = 0; n < TRIES && (finds.best[0]?.off ?? Infinity) > GOOD; n++)
      seek({ deck, goal, random: this.random, finds }, this.aim.reserve)
    return finds.best
  }

  private wholeList(deck: Deck): Found {
    const from = deck.dealt.length
    for (let n = 0; n < deck.shelf.air.length; n++) deck.take(deck.drawUpTo(Infinity, this.random))
    const tracks = deck.dealt.slice(from)
    deck.undoTo(from)
    return { tracks, air: tracks.reduce((sum, track) => sum + (deck.shelf.air[track] ?? 0), 0), off: 0 }
  }
}
