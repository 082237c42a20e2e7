import { anyPlanInput } from '@floorcast/testing/plan-arbitrary.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import { plan } from './plan.ts'

test('No rule is broken in many more days', () => {
  fc.assert(
    fc.property(anyPlanInput, input => {
      expect(check(plan(input), input)).toEqual([])
    }),
    { numRuns: 20_000 },
  )
})
