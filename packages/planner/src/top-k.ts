/** A block within this deviation (seconds) ends the search. */
export const FINE_SECONDS = 0.005

/** A block to be filled, in seconds of air. */
export interface Goal {
  /** What it should come to. */
  need: number
  /** What it must not pass. */
  room: number
}

/** Tracks for a block, in their order, and how far from the need they end. */
export interface BlockCandidate {
  tracks: number[]
  air: number
  deviation: number
  /** What it costs: `off`, less what its tracks are worth. */
  cost: number
}

/** What finds are chosen by. Tracks longer than `mean` are worth `bonus` for each second, shorter ones cost as much. */
export interface SearchBonus {
  bonus: number
  mean: number
  /** How far off (seconds) a block of more than one track may be. */
  reach: number
}

/** The few best that a search came by. */
export class TopK {
  readonly best: BlockCandidate[] = []
  private readonly keep: number
  private readonly worth: SearchBonus
  private limit = Infinity

  constructor(keep: number, worth: SearchBonus = { bonus: 0, mean: 0, reach: Infinity }) {
    this.keep = keep
    this.worth = worth
  }

  /** Fine enough to stop looking; where tracks have a worth, there may always be something better. */
  get isFine(): boolean {
    return this.worth.bonus === 0 && (this.best[0]?.deviation ?? Infinity) <= FINE_SECONDS
  }

  /** The cost of tracks of so many seconds, `off` the need; infinite where they would not be kept. */
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
    if (this.best.length === this.keep) this.limit = this.best.at(-1)?.cost ?? Infinity
  }
}
