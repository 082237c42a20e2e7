import { expect, it } from 'vitest'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { outcomes } from '../packages/contract/src/outcomes.ts'
import type { Reached } from '../testing/src/reached-calls.ts'
import { findUnreached, findUnshown } from './reached-calls.ts'
import { apiTests, chooseApiTests } from './test-record.ts'

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

it('a named test that did not make its call is told, and what the client of the specification left out', () => {
  const named = Object.entries(apiTests).map(([call, test]) => ({ call, end: '200', test }))
  const test = 'apps/server/src/spec-client.test.ts › a client > asks'
  const whole = [...named, ...named.map(({ call, end }) => ({ call, end, test }))]
  expect(findUnshown(whole)).toEqual([])
  const lacking = whole.filter(({ call }) => call !== 'groups.readGroup')
  expect(findUnshown(lacking)).toEqual([
    `groups.readGroup was not made by the test that docs/api.md names: ${apiTests['groups.readGroup']}`,
    'groups.readGroup was not made by apps/server/src/spec-client.test.ts',
  ])
})

it('the test of a call is the one that was named, while it makes the call, else one of a file that makes few', () => {
  const made = (test: string, call = 'groups.readGroup') => ({ call, end: 'HTTP 200', test })
  const reached = [made('all.ts › all'), made('all.ts › all', 'groups.listGroups'), made('one.ts › reads')]
  expect(chooseApiTests(reached, { 'groups.readGroup': 'all.ts › all' })).toEqual({
    'groups.readGroup': 'all.ts › all',
    'groups.listGroups': 'all.ts › all',
  })
  expect(chooseApiTests(reached, { 'groups.readGroup': 'gone.ts › read' })).toMatchObject({
    'groups.readGroup': 'one.ts › reads',
  })
})
