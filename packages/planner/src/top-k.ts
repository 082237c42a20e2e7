/** A block within this deviation (seconds) ends the search. */
export const FINE_SECONDS = 0.005

/** A block to be filled, in seconds of air. */
export interface Goal {
  /** The desired seconds. */
  need: number
  /** The maximum seconds. */
  room: number
  /** The maximum seconds of more than one track. */
  cap: number
}

/** Tracks for a block in their order, and their deviation from the need. */
export interface BlockCandidate {
  tracks: number[]
  air: number
  deviation: number
  /** The deviation minus the worth of its tracks. */
  cost: number
}

/** The worth of tracks: `bonus` for each second beyond `mean`; shorter tracks have a negative worth. */
export interface SearchBonus {
  bonus: number
  mean: number
  /** The maximum deviation in seconds of a block with more than one track. */
  reach: number
}

/** The best candidates of a search. */
export class TopK {
  readonly best: BlockCandidate[] = []
  private readonly keep: number
  private readonly worth: SearchBonus
  private limit = Infinity
  /** True if the best candidate ends the search. With a worth of tracks a better one may always follow. */
  isFine = false

  constructor(keep: number, worth: SearchBonus = { bonus: 0, mean: 0, reach: Infinity }) {
    this.keep = keep
    this.worth = worth
  }

  /** The cost of `air` seconds of tracks with the deviation `off`; infinite if they would not be kept. */
  costOf(off: number, air: number, count: number): number {
    if (count > 1 && off > this.worth.reach) return Infinity
    const cost = off - this.worth.bonus * (air - this.worth.mean * count)
    return cost < this.limit ? cost : Infinity
  }

  insert(found: BlockCandidate): void {
    if (this.best.some(({ cost }) => cost === found.cost)) return
    const place = this.best.findIndex(({ cost }) => cost > found.cost)
    this.best.splice(place < 0 ? this.best.length : place, 0, found)
    if (this.best.length > this.keep) this.best.pop()
    this.isFine = this.worth.bonus === 0 && (this.best[0]?.deviation ?? Infinity) <= FINE_SECONDS
    if (this.best.length === this.keep) this.limit = this.best.at(-1)?.cost ?? Infinity
  }
}
