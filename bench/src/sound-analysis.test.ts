import { expect, test } from 'vitest'
import { envelopeOf, findPlace, longestSilence } from './sound-analysis.ts'
import { followChain } from './sound-chain.ts'
import { fitFade } from './sound-crossfades.ts'
import { makeNoise, makeTone, SIGNAL_RATE } from './sound-signals.ts'

const joined = (...parts: Int16Array[]) => Int16Array.from(parts.flatMap(part => [...part]))
const noise = makeNoise(12)

test('A place in a known sound is found to a part of a sample', () => {
  const recorded = noise.map((sample, n) => Math.round((sample + (noise[n + 1] ?? 0)) / 2))
  const found = findPlace({ recorded, reference: noise }, 20_000, { expected: 20_300, radius: 1000 })
  expect(found.at).toBeCloseTo(20_000.5, 1)
  expect(found.likeness).toBeGreaterThan(0.9)
})

test.each([0, 1, -1, 1105, -300])('A join that adds %i samples is heard so', added => {
  const join = 6 * SIGNAL_RATE
  const before = noise.subarray(0, join)
  const after = added < 0 ? noise.subarray(join - added) : noise.subarray(join)
  const recorded = joined(new Int16Array(5000), before, new Int16Array(Math.max(0, added)), after)
  const start = { recorded: 30_000, expected: 26_000 }
  const { gaps, places } = followChain({ recorded, reference: noise, joins: [join], start })
  expect(gaps).toHaveLength(1)
  expect(gaps[0]?.[1]).toBeCloseTo(added, 0)
  expect(places[0]?.[1]).toBeCloseTo(25_000, 0)
})

test('A tone is heard beside another of whole periods, and silence between tones is measured', () => {
  const [low, high] = [makeTone(1000, 0.1, 0.5), makeTone(4000, 0.1, 0.25)]
  const samples = joined(low, new Int16Array(96), high)
  const levels = envelopeOf(samples, { hertz: 4000, rate: SIGNAL_RATE, size: 48, step: 48 })
  expect(Math.max(...levels.subarray(0, 100))).toBeLessThan(0.001)
  expect(levels[150]).toBeCloseTo(0.25, 2)
  expect(longestSilence(samples)).toBeGreaterThanOrEqual(96)
  expect(longestSilence(samples)).toBeLessThan(100)
})

test('The begin and the end of a fade are fitted to its levels', () => {
  const levels = Array.from({ length: 4000 }, (_, ms) =>
    Math.sin((Math.min(1, Math.max(0, (ms - 1003) / 2000)) * Math.PI) / 2),
  )
  const fade = fitFade(levels, { from: 10, step: 0.001, isIn: true })
  expect(fade.begins).toBeCloseTo(11.003, 4)
  expect(fade.ends).toBeCloseTo(13.003, 4)
  const out = fitFade(
    levels.map(level => Math.sqrt(1 - level ** 2)),
    { from: 10, step: 0.001, isIn: false },
  )
  expect(out.begins).toBeCloseTo(11.003, 4)
})
