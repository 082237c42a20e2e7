/** How many slots ahead may change places. After an `undo` more are known; they do not count, so that every copy chooses alike. */
const AHEAD = 48

/** A play of a group, with the first and last place in the day's order at which the group keeps its share. */
interface Slot {
  group: number
  release: number
  deadline: number
}

/** A slot that was taken: its place, and the group of the play before it. */
export interface TakenSlot {
  place: number
  slot: Slot
  last: number
}

/** Tracks of one weight. */
export interface SlotGroup {
  /** The weight times the tracks. */
  share: number
  /** Whether it may have two plays in a row: it has several tracks, or one whose weight exceeds half the sum. */
  mayRepeat: boolean
  /** Places from one play to the next that are wanted; 1 for any. */
  distance: number
}

/**
 * The day's order of groups, computed on demand and shared by all copies of `Slots`: of the plays that may come next, the one
 * with the nearest deadline. A group that must not repeat is passed over after its own play. All deadlines are met all the
 * same: a group with at most half of the sum has at most half of every stretch of plays, so in no stretch before a deadline
 * are there more plays due than places, though the first place of the stretch is closed to one group. Wanted distances may
 * cost a deadline (`isOnTime`).
 */
class Order {
  readonly made: Slot[] = []
  readonly groups: readonly SlotGroup[]
  private readonly total: number
  private readonly plays: number[]
  /** Place of the last play, from 1. */
  private readonly lastPlace: number[]
  private readonly next: Slot[]
  /** The first place whose slot came after its deadline; only wanted distances may lead to one. */
  private lateAt = Infinity

  constructor(groups: readonly SlotGroup[]) {
    this.groups = groups
    this.total = groups.reduce((sum, { share }) => sum + share, 0)
    this.plays = groups.map(() => 0)
    this.lastPlace = groups.map(() => -Infinity)
    this.next = groups.map((_, group) => this.slotOf(group))
  }

  mayRepeat(group: number): boolean {
    return this.groups[group]?.mayRepeat ?? true
  }

  /** The slot at a place, from 0. */
  at(place: number): Slot | undefined {
    while (this.made.length <= place) {
      const best = this.nextSlot(this.made.length + 1)
      if (!best) return undefined
      this.made.push(best)
      if (best.deadline < this.made.length) this.lateAt = Math.min(this.lateAt, this.made.length)
      this.lastPlace[best.group] = this.made.length
      this.plays[best.group] = (this.plays[best.group] ?? 0) + 1
      this.next[best.group] = this.slotOf(best.group)
    }
    return this.made[place]
  }

  /** Whether each group keeps its share over this number of plays. */
  isOnTime(plays: number): boolean {
    this.at(plays - 1)
    return this.lateAt > plays
  }

  /** The slot for a place, from 1. */
  private nextSlot(place: number): Slot | undefined {
    const last = this.made.at(-1)?.group ?? -1
    const closed = this.mayRepeat(last) ? -1 : last
    let best: Slot | undefined
    let bestIsNear = false
    for (const slot of this.next) {
      if (slot.release > place || slot.group === closed) continue
      const isNear = slot.deadline > place && this.isNear(slot.group, place)
      if (best && (isNear === bestIsNear ? slot.deadline >= best.deadline : isNear)) continue
      best = slot
      bestIsNear = isNear
    }
    // Some play may always come; only rounding could hide it.
    return best ?? this.next.find(({ group }) => group !== closed)
  }

  /** Whether a place is nearer to the group's last play than is wanted. */
  private isNear(group: number, place: number): boolean {
    return place - (this.lastPlace[group] ?? -Infinity) < (this.groups[group]?.distance ?? 1)
  }

  private slotOf(group: number): Slot {
    const plays = this.plays[group] ?? 0
    const share = this.groups[group]?.share ?? 1
    const release = Math.max(1, Math.ceil((plays * this.total) / share))
    return { group, release, deadline: Math.floor(((plays + 1) * this.total) / share) + 1 }
  }
}

/**
 * Decides which group of equal weights may have the next play, so that each stays within one play of its share. The base order
 * guarantees this (each play is within its release and deadline). A slot ahead may be moved forward while each slot that it
 * passes has time left, and if no group that must not repeat then stands beside itself.
 */
export class Slots {
  private readonly order: Order
  /** Slots are taken in the base order only, which spreads the plays of a group. */
  private readonly isStrict: boolean
  private ahead: Slot[] = []
  private cursor = 0
  private played = 0
  private last = -1

  constructor(order: Order, isStrict: boolean) {
    this.order = order
    this.isStrict = isStrict
  }

  static open(groups: readonly SlotGroup[], isStrict: boolean): Slots {
    const slots = new Slots(new Order(groups), isStrict)
    slots.fill()
    return slots
  }

  copy(): Slots {
    const copy = new Slots(this.order, this.isStrict)
    copy.ahead = this.ahead.slice()
    copy.cursor = this.cursor
    copy.played = this.played
    copy.last = this.last
    return copy
  }

  /** The first of `groups()`. */
  mostUrgent(): number {
    return this.ahead[0]?.group ?? 0
  }

  /** The groups that may come next, the most urgent first; with 1, those that may come next but one. */
  groups(later: 0 | 1 = 0): number[] {
    const groups: number[] = []
    const seen: number[] = []
    const end = this.isStrict ? 1 + later : AHEAD
    let tight = 0
    for (let n = 0; n < end && tight <= later; n++) {
      const slot = this.ahead[n]
      if (slot && !seen.includes(slot.group)) {
        seen.push(slot.group)
        if (slot.release <= this.played + 1 + later && (later > 0 || this.mayTake(n, slot.group)))
          groups.push(slot.group)
      }
      if (this.slack(n) < 1) tight++
    }
    return groups
  }

  /** Whether `first`, one of `groups()`, may be followed by `second`. */
  mayFollow(first: number, second: number): boolean {
    const one = this.placeOf(first, -1)
    const two = this.placeOf(second, one)
    if (one < 0 || two < 0 || (this.ahead[two]?.release ?? 0) > this.played + 2) return false
    if (this.isStrict && two > 1) return false
    for (let n = 0; n < two; n++) if (n !== one && this.slack(n) < (n < one ? 2 : 1)) return false
    if (first === second && !this.order.mayRepeat(first)) return false
    const before = two - 1 === one ? two - 2 : two - 1
    return before < 0 || this.mayMeet(before, two + 1 === one ? two + 2 : two + 1)
  }

  /** Whether the base order keeps all shares for this number of further plays. */
  isOnTime(further: number): boolean {
    return this.order.isOnTime(this.cursor + further)
  }

  /** Takes the next slot of a group, one of `groups()`. @returns what `undo` needs */
  take(group: number): TakenSlot {
    const place = this.placeOf(group, -1)
    const slot = this.ahead[place]
    if (!slot) throw new Error(`Group ${group} may not come next`)
    const taken = { place, slot, last: this.last }
    this.ahead.splice(place, 1)
    this.played++
    this.last = group
    this.fill()
    return taken
  }

  undo({ place, slot, last }: TakenSlot): void {
    this.ahead.splice(place, 0, slot)
    this.played--
    this.last = last
  }

  /** Whether the slot at that place may come next, for the plays beside it. The first may always. */
  private mayTake(place: number, group: number): boolean {
    if (place === 0) return true
    return (group !== this.last || this.order.mayRepeat(group)) && this.mayMeet(place - 1, place + 1)
  }

  /** Whether the slots at these places may follow one another. */
  private mayMeet(one: number, two: number): boolean {
    const first = this.ahead[one]?.group ?? -1
    const second = (this.ahead[two] ?? this.order.at(this.cursor))?.group
    return first !== second || this.order.mayRepeat(first)
  }

  /** How many places later the slot could come. */
  private slack(place: number): number {
    return (this.ahead[place]?.deadline ?? 0) - (this.played + 1 + place)
  }

  private placeOf(group: number, except: number): number {
    return this.ahead.findIndex((slot, place) => place < AHEAD && place !== except && slot.group === group)
  }

  private fill(): void {
    while (this.ahead.length < AHEAD) {
      const slot = this.order.at(this.cursor++)
      if (!slot) return
      this.ahead.push(slot)
    }
  }
}
