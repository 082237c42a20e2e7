import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cueAt } from './cue.ts'
import type { Cue } from './cue-types.ts'
import { anyHeld, anyInstant, anyManifest, anyPlaying } from '@floorcast/testing/manifest-arbitrary.ts'
import { runs } from '@floorcast/testing/runs.ts'

const anyContext = fc.record({ manifest: anyManifest, at: anyInstant, held: anyHeld })
const DAY = 86_400_000
const RUNS = { numRuns: runs(120, 1000) }

/** The identity of a cue. The end of a silence is not part of it, because it is limited to a day from the requested instant. */
function identityOf(cue: Cue): unknown {
  if (cue.kind === 'silent') return cue.because
  const { kind, because, file, startsAt, until } = cue
  return { kind, because, startsAt, until, file: file?.sha256 }
}

test('Always returns a cue that ends after the instant and plays only held files', () => {
  fc.assert(
    fc.property(anyContext, ({ manifest, at, held }) => {
      const cue = cueAt(manifest, at, held)
      expect(cue.until).toBeGreaterThan(at)
      if (cue.kind === 'silent') return
      expect(cue.startsAt).toBeLessThanOrEqual(at)
      expect(cue.offsetSeconds).toBe((at - cue.startsAt) / 1000)
      if (cue.kind === 'alert') return
      expect(held).toContain(cue.file.sha256)
      const soundsUntil = cue.until + cue.overlapMs
      const wholeUntil = cue.startsAt + Math.round(cue.file.durationSeconds * 1000)
      if (cue.cutBy === null && cue.because !== 'timeline') expect(soundsUntil).toBe(wholeUntil)
      else expect(soundsUntil).toBeLessThanOrEqual(wholeUntil)
    }),
    RUNS,
  )
})

type Context = typeof anyContext extends fc.Arbitrary<infer S> ? S : never

/** Iterates over a day. At a fraction of each cue's length (0 to 1), the cue must be the same. */
function checkIteration({ manifest, at: from, held }: Context, fractions: number[]) {
  let at = from
  for (let step = 0; at < from + DAY && step < 500; step += 1) {
    const cue = cueAt(manifest, at, held)
    const inside = at + Math.floor((cue.until - at) * (fractions[step % fractions.length] ?? 0))
    for (const instant of [inside, cue.until - 1]) {
      const same = identityOf(cueAt(manifest, instant, held))
      // `expect` takes most of the time, so it is called only to report a difference.
      if (!isDeepStrictEqual(same, identityOf(cue))) expect(same).toEqual(identityOf(cue))
    }
    at = cue.until
  }
}

const anyFractions = fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), {
  minLength: 1,
  maxLength: 20,
})

test('The cues of a day have no gap or overlap, and every instant inside a cue returns the same cue', () => {
  fc.assert(fc.property(anyContext, anyFractions, checkIteration), { numRuns: runs(60, 200) })
})

test('The same holds with start times and crossfades, in every zone', () => {
  const playing = fc.record({ manifest: anyPlaying, at: anyInstant, held: anyHeld })
  fc.assert(fc.property(playing, anyFractions, checkIteration), { numRuns: runs(40, 100) })
})

test('The same arguments return the same cue, whatever was requested in between', () => {
  fc.assert(
    fc.property(anyContext, anyInstant, ({ manifest, at, held }, between) => {
      const first = cueAt(manifest, at, held)
      cueAt(manifest, between, held)
      expect(cueAt(structuredClone(manifest), at, new Set(held))).toEqual(first)
    }),
    RUNS,
  )
})
