import { TOLERANCE, type BrokenRule } from './check-types.ts'
import { KINDS, listOf, type KindList } from './list.ts'
import type { PlanBlock, PlanInput, PlanTrack } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'

/** Not a number is never the same. */
const isSame = (value: number, expected: number) =>
  value - expected <= TOLERANCE && expected - value <= TOLERANCE

interface Known {
  list: KindList
  tracks: Map<string, PlanTrack>
}

const knownOf = (list: KindList): Known => ({
  list,
  tracks: new Map(list.tracks.map(track => [track.uid, track])),
})

/** The items of a block against the moments that follow from `end`, where the one before ends. */
function checkItems({ items }: PlanBlock, block: number, { known, end }: { known: Known; end: number }) {
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
export function checkTiming(blocks: readonly PlanBlock[], input: PlanInput): BrokenRule[] {
  const [melodies, ads] = [knownOf(listOf(input, KINDS[0])), knownOf(listOf(input, KINDS[1]))]
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
