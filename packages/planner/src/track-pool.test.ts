import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LOOSE, TrackPool } from './track-pool.ts'
import { mayRepeat } from './track-list.ts'
import { drawBelow, seedRandom } from './random.ts'

/** Few different weights; many, of which some come first after more slots than are looked ahead. */
const anyWeight = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom(0.1, 0.2, 0.3, 7, 8, 9))

const anyTrackList = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), anyWeight), {
  minLength: 1,
  maxLength: 30,
})

const shown = (pool: TrackPool) => {
  const { tracks, size } = pool.eligible()
  return { next: [...tracks.subarray(0, size)], plays: [...pool.plays], played: [...pool.played] }
}

test('Every step can be taken back, over any number of rounds', () => {
  fc.assert(
    fc.property(
      anyTrackList,
      fc.tuple(fc.boolean(), fc.boolean()),
      fc.nat(),
      (tracks, [isEven, isSpaced], seed) => {
        const random = seedRandom(seed)
        const airSeconds = Float64Array.from(tracks, ([seconds]) => seconds)
        const weights = Float64Array.from(tracks, ([, weight]) => (isEven ? 1 : weight))
        const total = weights.reduce((sum, weight) => sum + weight, 0)
        const repeats = Array.from(weights, weight => mayRepeat(weight, total))
        const list = { airSeconds, weights, mayRepeat: repeats, overlapSeconds: 0 }
        const spacing = isSpaced ? { others: 1, isStrict: true, distance: 1 } : LOOSE
        const pool = TrackPool.open(list, random, spacing)
        const before: ReturnType<typeof shown>[] = []
        for (let n = 0; n < 100; n++) {
          before.push(shown(pool))
          pool.take(pool.drawUpTo(Infinity, random))
          if (drawBelow(random, 9) > 0) continue
          const back = drawBelow(random, before.length)
          pool.undoTo(back)
          expect(shown(pool)).toEqual(before[back])
          expect(shown(pool.copy())).toEqual(before[back])
          before.length = back
        }
      },
    ),
    { numRuns: 200 },
  )
})
