import { anyPlanInput, anySeparatedInput } from '@floorcast/testing/plan-arbitrary.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { check } from './check.ts'
import { plan } from './plan.ts'

test('No rule is broken in many more days', () => {
  fc.assert(
    fc.property(fc.oneof(anyPlanInput, anySeparatedInput), input => {
      const made = plan(input)
      expect('refusal' in made ? [] : check(made, input)).toEqual([])
    }),
    { numRuns: 20_000 },
  )
})
