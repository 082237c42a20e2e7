import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cueAt } from './cue.ts'
import type { Cue } from './cue-types.ts'
import { anyHeld, anyInstant, anyManifest, anyPlaying } from '@floorcast/testing/manifest-arbitrary.ts'

const anyScene = fc.record({ manifest: anyManifest, at: anyInstant, held: anyHeld })
const DAY = 86_400_000
const RUNS = { numRuns: 1000 }

/** What makes two answers the same cue; a silence is capped at a day from the asking, so its end is no part of it. */
function identityOf(cue: Cue): unknown {
  if (cue.kind === 'silent') return cue.because
  const { kind, because, file, startsAt, until } = cue
  return { kind, because, startsAt, until, file: file?.sha256 }
}

test('Always answers, with an end after the instant, and only with what is held', () => {
  fc.assert(
    fc.property(anyScene, ({ manifest, at, held }) => {
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

type Scene = typeof anyScene extends fc.Arbitrary<infer S> ? S : never

/** Walks a day; at a place inside each cue (0 to 1 of its length) the question must have the same answer. */
function checkWalk({ manifest, at: from, held }: Scene, places: number[]) {
  let at = from
  for (let step = 0; at < from + DAY && step < 500; step += 1) {
    const cue = cueAt(manifest, at, held)
    const inside = at + Math.floor((cue.until - at) * (places[step % places.length] ?? 0))
    for (const instant of [inside, cue.until - 1]) {
      const same = identityOf(cueAt(manifest, instant, held))
      // Most of the time went into `expect` itself: it is asked only to say what differs.
      if (!isDeepStrictEqual(same, identityOf(cue))) expect(same).toEqual(identityOf(cue))
    }
    at = cue.until
  }
}

const anyPlaces = fc.array(fc.double({ min: 0, max: 0.999_999, noNaN: true }), {
  minLength: 1,
  maxLength: 20,
})

test('Walking from cue to cue covers a day without gap or overlapMs: every instant between answers the same', () => {
  fc.assert(fc.property(anyScene, anyPlaces, checkWalk), { numRuns: 200 })
})

test('So it does through start times and crossfades, in every zone', () => {
  const playing = fc.record({ manifest: anyPlaying, at: anyInstant, held: anyHeld })
  fc.assert(fc.property(playing, anyPlaces, checkWalk), { numRuns: 100 })
})

test('The same question has the same answer, whatever was asked between', () => {
  fc.assert(
    fc.property(anyScene, anyInstant, ({ manifest, at, held }, between) => {
      const first = cueAt(manifest, at, held)
      cueAt(manifest, between, held)
      expect(cueAt(structuredClone(manifest), at, new Set(held))).toEqual(first)
    }),
    RUNS,
  )
})
