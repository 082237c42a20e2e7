import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Deck } from './deck.ts'
import { drawBelow, seedRandom } from './random.ts'

const anyShelf = fc.array(fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 4 })), {
  minLength: 1,
  maxLength: 30,
})

const shown = (deck: Deck) => {
  const { tracks, size } = deck.candidates()
  return { next: [...tracks.subarray(0, size)], plays: [...deck.plays], dealt: [...deck.dealt] }
}

test('Every step can be taken back, over any number of rounds', () => {
  fc.assert(
    fc.property(anyShelf, fc.boolean(), fc.nat(), (tracks, isEven, seed) => {
      const random = seedRandom(seed)
      const air = Float64Array.from(tracks, ([seconds]) => seconds)
      const weights = Float64Array.from(tracks, ([, weight]) => (isEven ? 1 : weight))
      const deck = Deck.open({ air, weights, overlap: 0 }, random)
      const before: ReturnType<typeof shown>[] = []
      for (let n = 0; n < 100; n++) {
        before.push(shown(deck))
        deck.take(deck.drawUpTo(Infinity, random))
        if (drawBelow(random, 9) > 0) continue
        const back = drawBelow(random, before.length)
        deck.undoTo(back)
        expect(shown(deck)).toEqual(before[back])
        expect(shown(deck.copy())).toEqual(before[back])
        before.length = back
      }
    }),
    { numRuns: 200 },
  )
})
