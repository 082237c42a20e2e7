import { othersBetween } from './track-list.ts'

/** Maximum tracks in the pool, the least recently heard ones. More take time without a better plan. */
const MAX_POOL_SIZE = 512

/**
 * A rotation of tracks of equal weight. Each is played once before any is played twice. Of those not yet played in this
 * round only the first n − k of the last round's order may come next, which keeps k others between two plays of a track:
 * at least `othersBetween` by the rules, up to n − 1 (the same order in every round). Every step can be undone.
 */
export class Rotation {
  /** The tracks that may come next, shortest first. */
  readonly pool: Int32Array
  poolSize = 0
  private readonly air: Float64Array
  readonly size: number
  /** The first round's order, then every play. */
  private readonly log: number[]
  /** Plays of this round. */
  private heard = 0
  /** How many tracks of the last round's order have entered the pool. */
  private entered = 0
  private round = 0
  /** The others between two plays of a track. */
  private readonly others: number

  /** `order` is the first round's; `air` the seconds of each track; `others` at least those of the rules. */
  constructor(air: Float64Array, order: Int32Array, others = othersBetween(order.length)) {
    this.air = air
    this.size = order.length
    this.others = others
    this.log = Array.from(order)
    this.pool = new Int32Array(order.length)
    this.fillPool()
  }

  /** How many of the tracks not yet played may come next with these others in between; in the first round all. */
  private allowed(others: number): number {
    return this.round === 0 ? this.size : this.size - others
  }

  private get reach(): number {
    return Math.min(this.allowed(this.others), MAX_POOL_SIZE)
  }

  take(track: number): void {
    this.leave(track)
    this.log.push(track)
    this.heard++
    if (this.entered < this.size) this.enter(this.before(this.entered++))
    else if (this.heard === this.size) this.turn(1)
  }

  /** Undoes the last `take`. */
  undo(): void {
    if (this.heard === 0) this.turn(-1)
    else if (this.poolSize === this.reach) this.leave(this.before(--this.entered))
    this.heard--
    this.enter(this.log.pop() ?? 0)
  }

  /** All tracks that may come next by the rules, also beyond the pool. */
  allAllowed(): Int32Array {
    const allowed = this.allowed(othersBetween(this.size))
    const beyond = Math.min(this.size - this.entered, allowed - this.poolSize)
    const all = new Int32Array(this.poolSize + beyond)
    all.set(this.pool.subarray(0, this.poolSize))
    for (let n = 0; n < beyond; n++) all[this.poolSize + n] = this.before(this.entered + n)
    return all
  }

  /** Like `take`, for any of `allAllowed`. It cannot be undone. */
  takeAllowed(track: number): void {
    const start = this.round * this.size
    const at = this.log.indexOf(track, start + this.entered)
    if (at >= 0 && at < start + this.size) {
      this.log.copyWithin(start + this.entered + 1, start + this.entered, at)
      this.entered++
      this.enter(track)
    }
    this.take(track)
  }

  copy(): Rotation {
    const copy = new Rotation(this.air, new Int32Array(this.size), this.others)
    copy.log.splice(0, this.size, ...this.log)
    copy.pool.set(this.pool)
    copy.poolSize = this.poolSize
    copy.heard = this.heard
    copy.entered = this.entered
    copy.round = this.round
    return copy
  }

  /** The track at that position in the former round. */
  private before(place: number): number {
    return this.log[this.round * this.size + place] ?? 0
  }

  private turn(by: 1 | -1): void {
    this.round += by
    this.heard = by === 1 ? 0 : this.size
    this.entered = this.size
    this.poolSize = 0
    if (by === 1) this.fillPool()
  }

  private fillPool(): void {
    this.poolSize = this.reach
    this.entered = this.reach
    for (let n = 0; n < this.reach; n++) this.pool[n] = this.before(n)
    if (this.reach > 1) this.pool.subarray(0, this.reach).sort((a, b) => this.order(a, b))
  }

  private order(a: number, b: number): number {
    return (this.air[a] ?? 0) - (this.air[b] ?? 0) || a - b
  }

  /** The position of a track in the pool, or where it would be inserted. */
  private placeOf(track: number): number {
    let low = 0
    let high = this.poolSize
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.order(this.pool[middle] ?? 0, track) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  private enter(track: number): void {
    const place = this.placeOf(track)
    this.pool.copyWithin(place + 1, place, this.poolSize++)
    this.pool[place] = track
  }

  private leave(track: number): void {
    const place = this.placeOf(track)
    this.pool.copyWithin(place, place + 1, this.poolSize--)
  }
}
