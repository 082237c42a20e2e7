import { drawBelow, shuffle, type Random } from './random.ts'
import { Rotation } from './rotation.ts'
import { indexAbove, othersBetween, type EligibleTracks, type TrackList } from './track-list.ts'
import { Slots, type TakenSlot } from './slots.ts'

/** Maximum eligible tracks of several groups; of more an even sample is taken. */
const MAX_MIXED = 256

/** How far apart the plays of a track are kept: by the rules alone, or further for a minimum separation. */
export interface Spacing {
  /** The part of a rotation's other tracks that is heard between two plays of one, if the rules do not ask for more. */
  others: number
  /** Groups of tracks take turns in a fixed order. */
  isStrict: boolean
  /** The part of the mean distance that is wanted between two plays of a track with a weight that no other has. */
  distance: number
}

/** The rules alone. */
export const LOOSE: Spacing = { others: 0, isStrict: false, distance: 0 }

/**
 * The plays of one kind, taken one by one. Rotation and spacing hold whichever eligible track is taken: tracks of equal weight
 * form a rotation, and slots decide which group is next. Every step can be undone.
 */
export class TrackPool {
  readonly trackList: TrackList
  /** Plays of each track. */
  readonly plays: Int32Array
  /** The plays so far, in order. */
  readonly played: number[] = []
  private readonly groupOf: Int32Array
  private readonly rotations: Rotation[]
  private readonly slots: Slots | null
  private readonly taken: (TakenSlot | null)[] = []

  private constructor(
    trackList: TrackList,
    groupOf: Int32Array,
    turn: { rotations: Rotation[]; slots: Slots | null },
  ) {
    this.trackList = trackList
    this.groupOf = groupOf
    this.plays = new Int32Array(groupOf.length)
    this.rotations = turn.rotations
    this.slots = turn.slots
  }

  static open(trackList: TrackList, random: Random, { others, isStrict, distance }: Spacing): TrackPool {
    const members = new Map<number, number[]>()
    trackList.weights.forEach((weight, track) => {
      const group = members.get(weight)
      if (group) group.push(track)
      else members.set(weight, [track])
    })
    const groupOf = new Int32Array(trackList.airSeconds.length)
    const rotations = [...members.values()].map((tracks, group) => {
      for (const track of tracks) groupOf[track] = group
      const order = Int32Array.from(tracks)
      shuffle(random, order)
      return new Rotation(trackList.airSeconds, order, othersBetween(tracks.length, others))
    })
    const total = trackList.weights.reduce((sum, weight) => sum + weight, 0)
    const groups = [...members].map(([weight, tracks]) => {
      const isOne = tracks.length === 1
      const mayRepeat = !isOne || trackList.mayRepeat[tracks[0] ?? 0] === true
      const wanted = isOne ? Math.floor((distance * total) / weight) : 1
      return { share: weight * tracks.length, mayRepeat, distance: wanted }
    })
    return new TrackPool(trackList, groupOf, {
      rotations,
      slots: groups.length > 1 ? Slots.open(groups, isStrict) : null,
    })
  }

  /** Tracks of one weight only: the rules are then stricter. */
  get isEven(): boolean {
    return this.slots === null
  }

  /** The tracks that may come next. With 1, those that may come after the next one, subject to `mayFollow`. */
  eligible(later: 0 | 1 = 0): EligibleTracks {
    const groups = this.slots?.groups(later) ?? [0]
    const first = this.rotations[groups[0] ?? 0]
    if (groups.length < 2) return { tracks: first?.pool ?? new Int32Array(), size: first?.poolSize ?? 0 }
    const { airSeconds } = this.trackList
    const some: number[] = []
    for (const group of groups) {
      const { pool, poolSize } = this.rotations[group] ?? { pool: some, poolSize: 0 }
      const step = Math.max(1, (poolSize * groups.length) / MAX_MIXED)
      for (let at = 0; at < poolSize; at += step) some.push(pool[Math.floor(at)] ?? 0)
    }
    const tracks = Int32Array.from(some).sort((a, b) => (airSeconds[a] ?? 0) - (airSeconds[b] ?? 0) || a - b)
    return { tracks, size: tracks.length }
  }

  /** Whether a candidate may be followed by another track of `candidates(1)`. */
  mayFollow(first: number, second: number): boolean {
    return this.slots?.mayFollow(this.groupOf[first] ?? 0, this.groupOf[second] ?? 0) ?? true
  }

  /** A random track that may come next and takes at most `seconds`, from the most urgent group first; -1 if there is none. */
  drawUpTo(seconds: number, random: Random): number {
    const urgent = this.drawFrom(this.slots?.mostUrgent() ?? 0, seconds, random)
    if (urgent >= 0 || !this.slots) return urgent
    for (const group of this.slots.groups()) {
      const track = this.drawFrom(group, seconds, random)
      if (track >= 0) return track
    }
    return -1
  }

  private drawFrom(group: number, seconds: number, random: Random): number {
    const rotation = this.rotations[group]
    if (!rotation) return -1
    const fitting = indexAbove(
      this.trackList.airSeconds,
      { tracks: rotation.pool, size: rotation.poolSize },
      seconds,
    )
    return fitting > 0 ? (rotation.pool[drawBelow(random, fitting)] ?? -1) : -1
  }

  take(track: number): void {
    const group = this.groupOf[track] ?? 0
    this.taken.push(this.slots?.take(group) ?? null)
    this.rotations[group]?.take(track)
    this.count(track)
  }

  undo(): void {
    const track = this.played.pop() ?? 0
    this.plays[track] = (this.plays[track] ?? 0) - 1
    this.rotations[this.groupOf[track] ?? 0]?.undo()
    const taken = this.taken.pop()
    if (taken) this.slots?.undo(taken)
  }

  /** Undoes all but the first `count` plays. */
  undoTo(count: number): void {
    while (this.played.length > count) this.undo()
  }

  /** Whether this number of further plays keeps all shares, whichever are taken. */
  isOnTime(further: number): boolean {
    return this.slots?.isOnTime(further) ?? true
  }

  /** All tracks that may come next by the rules if nothing follows; only for equal weights. */
  allAllowed(): Int32Array {
    return this.rotations[0]?.allAllowed() ?? new Int32Array()
  }

  /** Takes a last play, which cannot be undone and which only another last play may follow. */
  takeLast(track: number): void {
    if (this.isEven) this.rotations[0]?.takeAllowed(track)
    this.count(track)
  }

  copy(): TrackPool {
    const rotations = this.rotations.map(rotation => rotation.copy())
    const copy = new TrackPool(this.trackList, this.groupOf, {
      rotations,
      slots: this.slots?.copy() ?? null,
    })
    copy.plays.set(this.plays)
    copy.played.push(...this.played)
    copy.taken.push(...this.taken)
    return copy
  }

  private count(track: number): void {
    this.plays[track] = (this.plays[track] ?? 0) + 1
    this.played.push(track)
  }
}
