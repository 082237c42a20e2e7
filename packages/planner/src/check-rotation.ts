import { ROUNDING, TOLERANCE, type BrokenRule } from './broken-rule.ts'
import { leastOthersOf, readKindList, sumOfWeights, weightOf } from './track-list.ts'
import type { PlanBlock, PlanInput, PlanKind } from './plan-types.ts'

/** A play of the kind, and where in the plan it is. */
interface Play {
  block: number
  item: number
  uid: string
  start: number
  end: number
}

const placeOf = ({ block, item, uid }: Play) => ({ block, item, uid })

interface Turn {
  plays: number
  weight: number
}

/** Counts the tracks of one weight by their number of plays. */
class Level {
  fewest = 0
  private readonly tracksWith = new Map<number, number>()

  constructor(tracks: number) {
    this.tracksWith.set(0, tracks)
  }

  rise(from: number): void {
    this.tracksWith.set(from, (this.tracksWith.get(from) ?? 0) - 1)
    this.tracksWith.set(from + 1, (this.tracksWith.get(from + 1) ?? 0) + 1)
    while (!this.tracksWith.get(this.fewest)) this.fewest++
  }
}

interface Turns {
  kind: PlanKind
  tracks: Map<string, Turn>
  levels: Map<number, Level>
  total: number
}

function openTurns(input: PlanInput, kind: PlanKind): Turns {
  const { tracks } = readKindList(input, kind)
  const sizes = new Map<number, number>()
  for (const track of tracks) sizes.set(weightOf(track), (sizes.get(weightOf(track)) ?? 0) + 1)
  return {
    kind,
    tracks: new Map(tracks.map(track => [track.uid, { plays: 0, weight: weightOf(track) }])),
    levels: new Map([...sizes].map(([weight, size]) => [weight, new Level(size)])),
    total: sumOfWeights(tracks),
  }
}

/** Rule 4 for one more play, the `nr`-th: a track lags most just before its play, and leads most just after. */
function checkShare(play: Play, nr: number, { kind, tracks, levels, total }: Turns): BrokenRule[] {
  const turn = tracks.get(play.uid)
  const level = turn && levels.get(turn.weight)
  if (!turn || !level) return []
  const lag = ((nr - 1) * turn.weight) / total - turn.plays
  level.rise(turn.plays++)
  const share = (nr * turn.weight) / total
  const at = { kind, plays: turn.plays, ...placeOf(play) }
  if (turn.plays - level.fewest > 1) return [{ rule: 4, code: 'uneven-plays', fewest: level.fewest, ...at }]
  const isOff = lag > 1 + ROUNDING || turn.plays - share > 1 + ROUNDING
  return isOff ? [{ rule: 4, code: 'off-share', share, ...at }] : []
}

/** Rule 4 at the day's end, for tracks that wait for a play. */
function checkWaiting(plays: readonly Play[], { kind, tracks, total }: Turns): BrokenRule[] {
  const last = plays.at(-1)
  if (!last) return []
  for (const [uid, turn] of tracks) {
    const share = (plays.length * turn.weight) / total
    if (share - turn.plays > 1 + ROUNDING)
      return [{ rule: 4, code: 'off-share', kind, plays: turn.plays, share, ...placeOf(last), uid }]
  }
  return []
}

/** Rule 5: how many different others were heard since each track's last play. */
function checkSpacing(
  plays: readonly Play[],
  kind: PlanKind,
  leastOf: (uid: string) => number,
): BrokenRule[] {
  const lastPlays = new CountedRange(plays.length)
  const places = new Map<string, number>()
  for (const [place, play] of plays.entries()) {
    const before = places.get(play.uid)
    if (before !== undefined) {
      const others = lastPlays.countBetween(before + 1, place)
      const least = leastOf(play.uid)
      if (others < least) return [{ rule: 5, code: 'too-soon', kind, others, least, ...placeOf(play) }]
      lastPlays.set(before, false)
    }
    lastPlays.set(place, true)
    places.set(play.uid, place)
  }
  return []
}

/** Rule 5: the minimum ad separation. */
function checkAdGap(plays: readonly Play[], minAdGap: number): BrokenRule[] {
  const ends = new Map<string, number>()
  for (const play of plays) {
    const gap = play.start - (ends.get(play.uid) ?? -Infinity)
    if (gap < minAdGap - TOLERANCE) return [{ rule: 5, code: 'ad-gap', gap, minAdGap, ...placeOf(play) }]
    ends.set(play.uid, play.end)
  }
  return []
}

/** Rules 4 and 5; of each kind of breach only the first. */
export function checkRotation(blocks: readonly PlanBlock[], input: PlanInput, kind: PlanKind): BrokenRule[] {
  const plays = blocks.flatMap((block, n) =>
    block.kind === kind
      ? block.items.map(({ uid, start, duration }, item): Play => ({
          block: n,
          item,
          uid,
          start,
          end: start + duration,
        }))
      : [],
  )
  const turns = openTurns(input, kind)
  const broken: BrokenRule[] = []
  for (let n = 0; n < plays.length && broken.length === 0; n++) {
    const play = plays[n]
    if (play) broken.push(...checkShare(play, n + 1, turns))
  }
  if (broken.length === 0) broken.push(...checkWaiting(plays, turns))
  const list = readKindList(input, kind)
  const leastOf = leastOthersOf(list)
  const least = new Map(list.tracks.map(track => [track.uid, leastOf(track)]))
  broken.push(...checkSpacing(plays, kind, uid => least.get(uid) ?? 0))
  if (kind === 'ad') broken.push(...checkAdGap(plays, input.minAdGap ?? 0))
  return broken
}

/** A row of flags that counts the set ones in a range in logarithmic time (a Fenwick tree). */
class CountedRange {
  private readonly sums: Int32Array
  private readonly flags: Uint8Array

  constructor(size: number) {
    this.sums = new Int32Array(size + 1)
    this.flags = new Uint8Array(size)
  }

  set(place: number, flag: boolean): void {
    const change = (flag ? 1 : 0) - (this.flags[place] ?? 0)
    if (change === 0) return
    this.flags[place] = flag ? 1 : 0
    for (let at = place + 1; at < this.sums.length; at += at & -at)
      this.sums[at] = (this.sums[at] ?? 0) + change
  }

  /** From `first` to before `end`. */
  countBetween(first: number, end: number): number {
    return this.countBefore(end) - this.countBefore(first)
  }

  private countBefore(end: number): number {
    let count = 0
    for (let at = end; at > 0; at -= at & -at) count += this.sums[at] ?? 0
    return count
  }
}
