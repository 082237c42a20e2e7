import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyPlanInput, anySeparatedInput } from '@floorcast/testing/plan-arbitrary.ts'
import { planned } from '@floorcast/testing/planned.ts'
import { runs } from '@floorcast/testing/runs.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import { plan } from './plan.ts'
import type { AdGapRefusal, PlanInput } from './plan-types.ts'
import { validate } from './validate.ts'

/** Whether `validate` refuses the separation; it does not look at it while other input is at fault. */
function refusesGap(input: PlanInput): boolean {
  const { refusals } = validate(input)
  const isPlanned = refusals.every(({ code }) => code.startsWith('ad') || code === 'background-far-beyond')
  return isPlanned ? refusals.some(({ code }) => code === 'ad-gap-too-long') : 'refusal' in plan(input)
}

/** The largest separation and each smaller one has a plan, and the next whole second none. */
function checkLargest(input: PlanInput, refusal: AdGapRefusal, part: number): void {
  if (refusal.code !== 'ad-gap-too-long') throw new Error(refusal.code)
  const { largest } = refusal
  expect(largest).toBeLessThan(refusal.minAdGap)
  const possible = { ...input, minAdGap: largest }
  expect(check(planned(possible), possible)).toEqual([])
  expect(plan({ ...input, minAdGap: largest + 1 })).toMatchObject({ refusal: { largest } })
  planned({ ...input, minAdGap: largest * part })
}

test('Every day breaks no rule, and its summary agrees with its blocks', () => {
  fc.assert(
    fc.property(anyPlanInput, input => {
      const made = planned(input)
      expect(check(made, input)).toEqual([])
      const { blocks, summary } = made
      const last = blocks.at(-1)
      expect(summary.contentSeconds).toBeCloseTo(last ? last.start + last.duration : 0, 5)
      expect(summary.contentSeconds + summary.idleSeconds).toBeCloseTo(summary.windowSeconds, 5)
      const plays = Map.groupBy(
        blocks.flatMap(({ items }) => items),
        ({ uid }) => uid,
      )
      expect(summary.plays).toBe(blocks.reduce((sum, { items }) => sum + items.length, 0))
      const counted = summary.tracks.map(track => [track.uid, track.plays])
      expect(counted).toEqual(summary.tracks.map(({ uid }) => [uid, plays.get(uid)?.length ?? 0]))
    }),
    { numRuns: runs(100, 1000) },
  )
}, 180_000)

test('Every day is the same for the same input', () => {
  fc.assert(
    fc.property(anyPlanInput, input => {
      expect(plan(structuredClone(input))).toEqual(plan(input))
    }),
    { numRuns: runs(40, 100) },
  )
})

test('Every day keeps the minimum ad separation, or names the largest one that there is a plan for', () => {
  fc.assert(
    fc.property(anySeparatedInput, fc.double({ min: 0, max: 1, noNaN: true }), (input, part) => {
      const made = plan(input)
      expect(refusesGap(input)).toBe('refusal' in made)
      if ('refusal' in made) checkLargest(input, made.refusal, part)
      else expect(check(made, input)).toEqual([])
    }),
    { numRuns: runs(10, 1200) },
  )
}, 900_000)

test('Every day uses no arithmetic that a machine may do otherwise', () => {
  const sources = readdirSync(import.meta.dirname).filter(file => !file.endsWith('.test.ts'))
  const used = sources.flatMap(file =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/Math\.(\w+)|[\w)] (\*\*) /g)].map(
      found => found[1] ?? found[2],
    ),
  )
  expect(new Set(used)).toEqual(new Set(['abs', 'ceil', 'floor', 'max', 'min']))
})
