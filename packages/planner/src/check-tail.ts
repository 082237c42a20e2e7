import { ROUNDING, TOLERANCE, type BrokenRule } from './broken-rule.ts'
import type { PlanBlock, PlanInput, PlanTrack } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'
import {
  KINDS,
  leastOthersOf,
  maxLastAdSeconds,
  readKindList,
  sizeRuleOf,
  sumOfWeights,
  weightOf,
  type KindList,
} from './track-list.ts'

interface LastPlay {
  /** Different others that were heard since. */
  others: number
  end: number
}

/** The plays of each track of the kind, and its last one. */
function historyOf(blocks: readonly PlanBlock[], list: KindList) {
  const items = blocks.flatMap(block => (block.kind === list.kind ? block.items : []))
  const plays = new Map<string, number>()
  const lastPlays = new Map<string, LastPlay>()
  for (const { uid } of items) plays.set(uid, (plays.get(uid) ?? 0) + 1)
  const since = new Set<string>()
  for (const { uid, start, duration } of items.reverse()) {
    if (!lastPlays.has(uid)) lastPlays.set(uid, { others: since.size, end: start + duration })
    since.add(uid)
  }
  return { plays, lastPlays, count: items.length }
}

const endOf = (blocks: readonly PlanBlock[]) => {
  const last = blocks.at(-1)
  return last ? last.start + last.duration : 0
}

/** The tracks whose play the rules 4 and 5 still allow after all others. */
function allowedNext(blocks: readonly PlanBlock[], list: KindList, gap: number): PlanTrack[] {
  const { plays, lastPlays, count } = historyOf(blocks, list)
  const playsOf = ({ uid }: PlanTrack) => plays.get(uid) ?? 0
  const total = sumOfWeights(list.tracks)
  const shareOf = (track: PlanTrack) => ((count + 1) * weightOf(track)) / total
  const fewest = new Map<number, number>()
  for (const track of list.tracks)
    fewest.set(weightOf(track), Math.min(fewest.get(weightOf(track)) ?? Infinity, playsOf(track)))
  const waiting = list.tracks.filter(track => shareOf(track) - playsOf(track) > 1 + ROUNDING)
  const leastOf = leastOthersOf(list)
  const isApart = (track: PlanTrack) => {
    const last = lastPlays.get(track.uid)
    return !last || (last.others >= leastOf(track) && endOf(blocks) - last.end >= gap)
  }
  return list.tracks.filter(
    track =>
      playsOf(track) === fewest.get(weightOf(track)) &&
      playsOf(track) - shareOf(track) <= ROUNDING &&
      waiting.every(other => other === track) &&
      isApart(track),
  )
}

/** The seconds that one more play of the kind may take: in the last block, or in a new one. */
function roomAfter(blocks: readonly PlanBlock[], list: KindList): number {
  const last = blocks.at(-1)
  if (last?.kind === list.kind)
    return list.kind === 'ad' ? maxLastAdSeconds(list) - ROUNDING - last.duration : Infinity
  // A new block makes the former one of its kind a complete one.
  const former = blocks.at(-2)
  if (!former) return Infinity
  const block = { seconds: former.duration, tracks: former.items.map(({ uid }) => uid) }
  return sizeRuleOf(list)(block, -ROUNDING) ? Infinity : 0
}

/** Rule 6: the last ad block is not much longer than its target, or a single ad. */
function checkLastAds(blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] {
  const block = blocks.findLastIndex(({ kind }) => kind === 'ad')
  const last = blocks[block]
  if (!last || last.items.length === 1) return []
  const most = maxLastAdSeconds(readKindList(input, 'ad'))
  const { duration } = last
  return duration > most + TOLERANCE ? [{ rule: 6, code: 'last-ads-too-long', duration, most, block }] : []
}

/** Rule 6: every track that may still follow is longer than the idle tail. */
function checkIdle(blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] {
  const last = blocks.at(-1)
  const idle = windowSeconds(input) - endOf(blocks)
  // No ad may come before the first background.
  for (const kind of last ? KINDS : [KINDS[0]]) {
    const list = readKindList(input, kind)
    const overlap = last?.kind === kind ? list.overlap : 0
    const room = roomAfter(blocks, list)
    const gap = kind === 'ad' ? (input.minAdGap ?? 0) : 0
    for (const { uid, duration } of allowedNext(blocks, list, gap))
      if (duration <= room && duration - overlap + TOLERANCE < idle)
        return [{ rule: 6, code: 'long-tail', kind, uid, idle, duration }]
  }
  return []
}

export const checkTail = (blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] => [
  ...checkLastAds(blocks, input),
  ...checkIdle(blocks, input),
]
