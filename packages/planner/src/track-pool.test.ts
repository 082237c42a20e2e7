import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TrackPool } from './track-pool.ts'
import { drawBelow, seedRandom } from './random.ts'

const anyTrackList = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4 })), {
  minLength: 1,
  maxLength: 30,
})

const shown = (pool: TrackPool) => {
  const { tracks, size } = pool.eligible()
  return { next: [...tracks.subarray(0, size)], plays: [...pool.plays], played: [...pool.played] }
}

test('Every step can be taken back, over any number of rounds', () => {
  fc.assert(
    fc.property(anyTrackList, fc.boolean(), fc.nat(), (tracks, isEven, seed) => {
      const random = seedRandom(seed)
      const airSeconds = Float64Array.from(tracks, ([seconds]) => seconds)
      const weights = Float64Array.from(tracks, ([, weight]) => (isEven ? 1 : weight))
      const pool = TrackPool.open({ airSeconds, weights, overlapSeconds: 0 }, random)
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
    }),
    { numRuns: 200 },
  )
})
