import { expect, it } from 'vitest'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { outcomes } from '../packages/contract/src/outcomes.ts'
import type { Reached } from '../packages/testkit/src/reached-calls.ts'
import { findUnreached } from './reached-calls.ts'

const everything: Reached[] = endpoints.flatMap(({ noun, name, endpoint }) =>
  [...endpoint.outcomes.map(outcome => String(outcomes[outcome])), 'HTTP 200'].map(end => ({
    call: `${noun}.${name}`,
    end,
    test: 'a test',
  })),
)

it('a run that saw everything lacks nothing', () => {
  expect(findUnreached(everything)).toEqual([])
})

it('an outcome that no test reached is named with its call', () => {
  const without = everything.filter(({ call, end }) => call !== 'groups.deleteGroup' || end !== '409')
  expect(findUnreached(without)).toEqual([
    'POST /group/delete (groups.deleteGroup): no test reached inUse, 409',
  ])
})

it('a read that no test made is named', () => {
  const without = everything.filter(({ call }) => call !== 'groups.readGroup')
  expect(findUnreached(without)).toEqual([
    'GET /group/qcard/{id} (groups.readGroup): no test reached an answer, HTTP 200',
  ])
})
