import { endpoints } from '../packages/contract/src/endpoints.ts'
import { outcomes } from '../packages/contract/src/outcomes.ts'
import { callBehind } from './api-table.ts'
import { specCalls } from './spec-calls.ts'
import { apiTests } from './test-record.ts'
import type { Reached } from '../testing/src/reached-calls.ts'

/** Every end of every call that a whole run must see: each declared outcome; of a read, an answer. */
const declaredEnds = endpoints.map(({ noun, name, endpoint }) => ({
  call: `${noun}.${name}`,
  path: `${endpoint.method} ${endpoint.path}`,
  ends:
    endpoint.outcomes.length > 0
      ? endpoint.outcomes.map(outcome => ({ words: outcome, end: String(outcomes[outcome]) }))
      : [{ words: 'an answer', end: 'HTTP 200' }],
}))

/** One line for each end that the contract declares and no test reached. */
export function findUnreached(reached: readonly Reached[]): string[] {
  // 204 answers too, without a body.
  const seen = new Set(reached.map(({ call, end }) => `${call} ${end.replace('HTTP 204', 'HTTP 200')}`))
  return declaredEnds.flatMap(({ call, path, ends }) =>
    ends
      .filter(({ end }) => !seen.has(`${call} ${end}`))
      .map(({ words, end }) => `${path} (${call}): no test reached ${words}, ${end}`),
  )
}

const SPEC_CLIENT = 'apps/server/src/spec-client.test.ts'

/** One line for each test that docs/api.md names for a call and that did not make it; and for what the client of the specification left out. */
export function findUnshown(reached: readonly Reached[]): string[] {
  const made = new Set(reached.map(({ call, test }) => `${call} ${test}`))
  const byClient = new Set(reached.filter(({ test }) => test.startsWith(SPEC_CLIENT)).map(({ call }) => call))
  const unshown = Object.entries(apiTests).filter(([call, test]) => !made.has(`${call} ${test}`))
  const specified = specCalls.flatMap(({ calls }) => calls.flatMap(call => callBehind(call)?.name ?? []))
  return [
    ...unshown.map(([call, test]) => `${call} was not made by the test that docs/api.md names: ${test}`),
    ...specified.filter(call => !byClient.has(call)).map(call => `${call} was not made by ${SPEC_CLIENT}`),
  ]
}
