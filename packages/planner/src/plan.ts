import { ROUNDING } from './broken-rule.ts'
import { searchDay, type Pair } from './day-search.ts'
import type { Plan, PlanBlock, PlanInput, RefusedPlan } from './plan-types.ts'
import { windowSeconds } from './plan-window.ts'
import { seedRandom } from './random.ts'
import { summarize } from './summary.ts'
import { KINDS, othersBetween, readKindList, type KindList } from './track-list.ts'
import { LOOSE, type Spacing } from './track-pool.ts'

/*
 * How a day is planned: a beam search under a rotation constraint.
 *
 * 1. With equal weights, plays run in rounds. A track may come next when at least ⌊(n−1)/2⌋ others were heard since: it is
 *    among the first ⌈(n+1)/2⌉ of the last round's order that this round has not heard (`Rotation`). No choice can lead
 *    into a dead end.
 * 2. Tracks of one weight form a group. Each play of a group has a first and a last place in the day's order; serving the
 *    nearest deadline always works, because the shares add up to one (`Slots`).
 * 3. A block is filled at random until two or three plays are missing. For these, all singles and pairs of the sorted
 *    candidates are tried by two pointers, until one is within 5 ms. Each step can be taken back, so nothing is copied:
 *    1,000 melodies and 200 ads cost milliseconds.
 * 4. Where the mean deviation stays above 0.05 s, the day is planned again, first with long tracks worth more, since they
 *    are hard to place late in a round, then with eight variants side by side. The best one wins. Days of over 5,000 plays
 *    are planned once.
 * 5. The last complete blocks are planned again together with the tail, in 24 variants.
 * 6. With a minimum ad separation the day is planned by the rules alone first, then with the ads further and further apart
 *    (`SPACINGS`), until all complete blocks keep it. None of these days depends on the separation, so the greatest one that
 *    any of them keeps is the greatest possible. The tail then takes only ads that keep it, or none.
 *
 * The random numbers are our own (Park and Miller), with whole products, so that every machine gives the same plan.
 *
 * The rules leave these choices open: a crossfade is at most half the shortest background track, so no three tracks play at once.
 * Deviations leave out the window's last block of each kind. 'Within one play of its share' includes exactly one. With few
 * tracks whose lengths do not add up (20 melodies of two to five minutes for six-minute blocks) the mean deviation stays
 * near 20 to 30 s, because the rotation has to play each of them. Integer programming over whole days takes seconds.
 */

/** How far apart ads are kept, from the nearest to the target sizes to the furthest apart. */
const SPACINGS: readonly Spacing[] = [
  LOOSE,
  { others: 0.75, isStrict: false, distance: 0 },
  { others: 1, isStrict: false, distance: 0 },
  { others: 1, isStrict: true, distance: 0 },
  { others: 1, isStrict: true, distance: 0.75 },
  { others: 1, isStrict: true, distance: 1 },
]

/** Computes the starts of blocks and items. */
function layOut(lists: Pair<KindList>, blocks: number[][]): PlanBlock[] {
  let end = 0
  return blocks.flatMap((tracks, n) => {
    const { kind, tracks: list, overlap } = lists[n % 2 === 0 ? 0 : 1]
    if (tracks.length === 0) return []
    const start = end
    const items = tracks.map((track, place) => {
      const { uid, duration } = list[track] ?? { uid: '', duration: 0 }
      const startsAt = place === 0 ? end : end - overlap
      end = startsAt + duration
      return { uid, start: startsAt, duration }
    })
    return [{ kind, start, duration: end - start, items }]
  })
}

const readLists = (input: PlanInput): Pair<KindList> => [
  readKindList(input, KINDS[0]),
  readKindList(input, KINDS[1]),
]

/** The spacings that differ for a list: equal weights have no groups, and a short list leaves few places to choose. */
function spacingsFor({ isEven, tracks }: KindList): readonly Spacing[] {
  if (!isEven) return SPACINGS
  const kept = SPACINGS.map(({ others }) => othersBetween(tracks.length, others))
  return SPACINGS.filter((_, n) => kept.indexOf(kept[n] ?? 0) === n)
}

const planDay = (input: PlanInput, lists: Pair<KindList>, spacing: Spacing) =>
  searchDay({
    lists,
    window: windowSeconds(input),
    random: seedRandom(input.seed),
    spacing,
    minAdGap: input.minAdGap ?? 0,
  })

function toPlan(input: PlanInput, lists: Pair<KindList>, tracks: number[][]): Plan {
  const blocks = layOut(lists, tracks)
  return { blocks, summary: summarize(blocks, input) }
}

/** The plan without a minimum ad separation. */
export function planFreely(given: PlanInput): Plan {
  const input = { ...given, minAdGap: 0 }
  const lists = readLists(input)
  return toPlan(input, lists, planDay(input, lists, LOOSE).blocks)
}

/**
 * Plans the day of a smart playlist: background and ad blocks alternate over the window, by the rules that `check` checks. The
 * same input gives the same plan on every machine. It plans any lists; `validate` decides whether they make sense. Only a
 * minimum ad separation that no plan keeps is refused.
 */
export function plan(input: PlanInput): Plan | RefusedPlan {
  const { minAdGap = 0 } = input
  const step = 'ads'
  if (!(minAdGap >= 0 && Number.isFinite(minAdGap)))
    return { refusal: { step, code: 'ad-gap-invalid', minAdGap } }
  if (minAdGap === 0) return planFreely(input)
  const lists = readLists(input)
  let largest = 0
  for (const spacing of spacingsFor(lists[1])) {
    const { adGap, blocks } = planDay(input, lists, spacing)
    if (adGap >= minAdGap - ROUNDING) return toPlan(input, lists, blocks)
    largest = Math.max(largest, Math.floor(adGap + ROUNDING))
  }
  return { refusal: { step, code: 'ad-gap-too-long', minAdGap, largest } }
}
