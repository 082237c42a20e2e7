import { type BrokenRule, TOLERANCE } from './broken-rule.ts'
import { checkRotation } from './check-rotation.ts'
import { checkTail } from './check-tail.ts'
import { KINDS, aimOf, readKindList, sizeRuleOf, type KindList } from './track-list.ts'
import type { Plan, PlanBlock, PlanInput, PlanKind, PlanTrack } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

/** NaN is never the same. */
const isSame = (value: number, expected: number) =>
  value - expected <= TOLERANCE && expected - value <= TOLERANCE

interface KnownTracks {
  list: KindList
  tracks: Map<string, PlanTrack>
}

const indexTracks = (list: KindList): KnownTracks => ({
  list,
  tracks: new Map(list.tracks.map(track => [track.uid, track])),
})

/** Checks the starts of a block's items, which follow from `end`, the end of the former block. */
function checkItems(
  { items }: PlanBlock,
  block: number,
  { known, end }: { known: KnownTracks; end: number },
) {
  const broken: BrokenRule[] = []
  let last = end
  items.forEach(({ uid, start, duration }, item) => {
    const at = { block, item, uid }
    const track = known.tracks.get(uid)
    if (!track) broken.push({ rule: 1, code: 'unknown-track', ...at })
    else if (!isSame(duration, track.duration))
      broken.push({ rule: 1, code: 'duration-differs', duration, expected: track.duration, ...at })
    const expected = item === 0 ? last : last - known.list.overlap
    if (!isSame(start, expected)) broken.push({ rule: 1, code: 'start-differs', start, expected, ...at })
    last = expected + (track?.duration ?? duration)
  })
  return { broken, end: last }
}

/** Rule 1: blocks in turn, background first; items of the lists, without gap or overlap, within the window. */
function checkTiming(blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] {
  const [melodies, ads] = [
    indexTracks(readKindList(input, KINDS[0])),
    indexTracks(readKindList(input, KINDS[1])),
  ]
  const window = windowSeconds(input)
  const broken: BrokenRule[] = []
  let end = 0
  blocks.forEach((block, n) => {
    const { kind, start, duration } = block
    if (kind !== KINDS[n % 2]) broken.push({ rule: 1, code: 'not-alternating', kind, block: n })
    if (block.items.length === 0) broken.push({ rule: 1, code: 'empty-block', block: n })
    const checked = checkItems(block, n, { known: kind === 'melody' ? melodies : ads, end })
    const expected = checked.end - end
    if (!isSame(start, end) || !isSame(duration, expected))
      broken.push({ rule: 1, code: 'block-differs', start, duration, expected, block: n })
    broken.push(...checked.broken)
    end = checked.end
  })
  if (!(end <= window + TOLERANCE)) broken.push({ rule: 1, code: 'outside-window', end, window })
  return broken
}

/** Rules 2 and 3: each block but the window's last of the kind is the whole list, or near to the target. */
function checkSizes(blocks: readonly PlanBlock[], input: PlanInput, kind: PlanKind): BrokenRule[] {
  const list = readKindList(input, kind)
  const { target, isWholeList } = aimOf(list)
  const isComplete = sizeRuleOf(list)
  const last = blocks.findLastIndex(block => block.kind === kind)
  return blocks.flatMap(({ kind: own, duration, items }, block): BrokenRule[] => {
    if (own !== kind || block === last) return []
    if (isComplete({ seconds: duration, tracks: items.map(({ uid }) => uid) }, TOLERANCE)) return []
    return isWholeList
      ? [{ rule: 2, code: 'not-whole-list', kind, block, plays: items.length, tracks: list.tracks.length }]
      : [{ rule: 3, code: 'far-from-target', kind, block, duration, target }]
  })
}

/**
 * The broken ones of rules 1 to 6 with their positions; empty for a good plan. It checks any blocks, also edited ones. (Rule 7,
 * the same plan for the same input, is a promise of `plan` and no property of one plan.)
 */
export function check({ blocks }: Pick<Plan, 'blocks'>, input: PlanInput): BrokenRule[] {
  const timing = checkTiming(blocks, input)
  // Rotation cannot be checked for tracks that are in neither list.
  if (timing.some(({ code }) => code === 'unknown-track')) return timing
  return [
    ...timing,
    ...KINDS.flatMap(kind => [...checkSizes(blocks, input, kind), ...checkRotation(blocks, input, kind)]),
    ...checkTail(blocks, input),
  ]
}
