import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anyPlanInput } from '@floorcast/testing/plan-arbitrary.ts'
import { runs } from '@floorcast/testing/runs.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { check } from './check.ts'
import { plan } from './plan.ts'

describe('Every day', () => {
  test('breaks no rule, and its summary agrees with its blocks', () => {
    fc.assert(
      fc.property(anyPlanInput, input => {
        const planned = plan(input)
        expect(check(planned, input)).toEqual([])
        const { blocks, summary } = planned
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
      { numRuns: runs(300, 1000) },
    )
  }, 180_000)

  test('is the same for the same input', () => {
    fc.assert(
      fc.property(anyPlanInput, input => {
        expect(plan(structuredClone(input))).toEqual(plan(input))
      }),
      { numRuns: 100 },
    )
  })

  test('uses no arithmetic that a machine may do otherwise', () => {
    const sources = readdirSync(import.meta.dirname).filter(file => !file.endsWith('.test.ts'))
    const used = sources.flatMap(file =>
      [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/Math\.(\w+)|[\w)] (\*\*) /g)].map(
        found => found[1] ?? found[2],
      ),
    )
    expect(new Set(used)).toEqual(new Set(['abs', 'ceil', 'floor', 'max', 'min']))
  })
})
