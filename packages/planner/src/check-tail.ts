import { TOLERANCE, type BrokenRule } from './check-types.ts'
import { KINDS, listOf, weightOf, type KindList } from './list.ts'
import type { PlanBlock, PlanInput, PlanTrack } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

const ROUNDING = 1e-6

/** For each track how often and as which of the kind's plays it was heard last. */
function historyOf(blocks: readonly PlanBlock[], list: KindList) {
  const uids = blocks.flatMap(({ kind, items }) => (kind === list.kind ? items.map(({ uid }) => uid) : []))
  const plays = new Map<string, number>()
  const others = new Map<string, number>()
  for (const uid of uids) plays.set(uid, (plays.get(uid) ?? 0) + 1)
  const since = new Set<string>()
  for (const uid of uids.reverse()) {
    if (!others.has(uid)) others.set(uid, since.size)
    since.add(uid)
  }
  return { plays, others, count: uids.length }
}

/** The tracks whose play the rules 4 and 5 still allow after all others. */
function allowedNext(blocks: readonly PlanBlock[], list: KindList): PlanTrack[] {
  const { plays, others, count } = historyOf(blocks, list)
  const playsOf = ({ uid }: PlanTrack) => plays.get(uid) ?? 0
  const total = list.tracks.reduce((sum, track) => sum + weightOf(track), 0)
  const shareOf = (track: PlanTrack) => ((count + 1) * weightOf(track)) / total
  const fewest = new Map<number, number>()
  for (const track of list.tracks)
    fewest.set(weightOf(track), Math.min(fewest.get(weightOf(track)) ?? Infinity, playsOf(track)))
  const waiting = list.tracks.filter(track => shareOf(track) - playsOf(track) > 1 + ROUNDING)
  const least = list.isEven ? Math.floor((list.tracks.length - 1) / 2) : 0
  return list.tracks.filter(
    track =>
      playsOf(track) === fewest.get(weightOf(track)) &&
      playsOf(track) - shareOf(track) <= ROUNDING &&
      waiting.every(other => other === track) &&
      (others.get(track.uid) ?? Infinity) >= least,
  )
}

/** Rule 6: whatever may still follow is longer than the idle tail. */
export function checkTail(blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] {
  const last = blocks.at(-1)
  const idle = windowSeconds(input) - (last ? last.start + last.duration : 0)
  // Before the first background no ad may come.
  for (const kind of last ? KINDS : [KINDS[0]]) {
    const list = listOf(input, kind)
    const overlap = last?.kind === kind ? list.overlap : 0
    for (const { uid, duration } of allowedNext(blocks, list))
      if (duration - overlap + TOLERANCE < idle)
        return [{ rule: 6, code: 'long-tail', kind, uid, idle, duration }]
  }
  return []
}
