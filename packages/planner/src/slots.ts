/** How many slots ahead may change places. */
const AHEAD = 48

/** A play of a group, with the first and last place in the day's order at which the group keeps its share. */
interface Slot {
  group: number
  release: number
  deadline: number
}

/** The day's order of groups, computed on demand and shared by all copies of `Slots`. */
class Order {
  readonly made: Slot[] = []
  private readonly shares: readonly number[]
  private readonly total: number
  private readonly plays: number[]
  private readonly next: Slot[]

  constructor(shares: readonly number[]) {
    this.shares = shares
    this.total = shares.reduce((sum, share) => sum + share, 0)
    this.plays = shares.map(() => 0)
    this.next = shares.map((_, group) => this.slotOf(group))
  }

  /** The slot at a place, from 0: of the plays that may come there, the one with the nearest deadline, which always exists. */
  at(place: number): Slot | undefined {
    while (this.made.length <= place) {
      let best: Slot | undefined
      for (const slot of this.next)
        if (slot.release <= this.made.length + 1 && (!best || slot.deadline < best.deadline)) best = slot
      best ??= this.next[0]
      if (!best) return undefined
      this.made.push(best)
      this.plays[best.group] = (this.plays[best.group] ?? 0) + 1
      this.next[best.group] = this.slotOf(best.group)
    }
    return this.made[place]
  }

  private slotOf(group: number): Slot {
    const plays = this.plays[group] ?? 0
    const share = this.shares[group] ?? 1
    const release = Math.max(1, Math.ceil((plays * this.total) / share))
    return { group, release, deadline: Math.floor(((plays + 1) * this.total) / share) + 1 }
  }
}

/**
 * Decides which group of equal weights may have the next play, so that each stays within one play of its share. The base order
 * guarantees this (each play is within its release and deadline). A slot ahead may be moved forward while each slot that it
 * passes has time left.
 */
export class Slots {
  private readonly order: Order
  private ahead: Slot[] = []
  private cursor = 0
  private played = 0

  /** `shares`: for each group its weight times its tracks. */
  constructor(shares: readonly number[] | Slots) {
    this.order = shares instanceof Slots ? shares.order : new Order(shares)
    if (shares instanceof Slots) {
      this.ahead = shares.ahead.slice()
      this.cursor = shares.cursor
      this.played = shares.played
    } else this.fill()
  }

  /** The first of `groups()`. */
  mostUrgent(): number {
    return this.ahead[0]?.group ?? 0
  }

  /** The groups that may come next, the most urgent first; with 1, those that may come next but one. */
  groups(later: 0 | 1 = 0): number[] {
    const groups: number[] = []
    let tight = 0
    for (let n = 0; n < this.ahead.length && tight <= later; n++) {
      const slot = this.ahead[n]
      if (slot && slot.release <= this.played + 1 + later && !groups.includes(slot.group))
        groups.push(slot.group)
      if (this.slack(n) < 1) tight++
    }
    return groups
  }

  /** Whether `first`, one of `groups()`, may be followed by `second`. */
  mayFollow(first: number, second: number): boolean {
    const one = this.placeOf(first, -1)
    const two = this.placeOf(second, one)
    if (one < 0 || two < 0 || (this.ahead[two]?.release ?? 0) > this.played + 2) return false
    for (let n = 0; n < two; n++) if (n !== one && this.slack(n) < (n < one ? 2 : 1)) return false
    return true
  }

  /** Takes the next slot of a group. @returns its place, for `undo` */
  take(group: number): number {
    const place = this.placeOf(group, -1)
    this.ahead.splice(place, 1)
    this.played++
    this.fill()
    return place
  }

  undo(place: number, slot: Slot): void {
    this.ahead.splice(place, 0, slot)
    this.played--
  }

  slotOf(group: number): Slot | undefined {
    return this.ahead[this.placeOf(group, -1)]
  }

  /** How many places later the slot could come. */
  private slack(place: number): number {
    return (this.ahead[place]?.deadline ?? 0) - (this.played + 1 + place)
  }

  private placeOf(group: number, except: number): number {
    return this.ahead.findIndex((slot, place) => slot.group === group && place !== except)
  }

  private fill(): void {
    while (this.ahead.length < AHEAD) {
      const slot = this.order.at(this.cursor++)
      if (!slot) return
      this.ahead.push(slot)
    }
  }
}
