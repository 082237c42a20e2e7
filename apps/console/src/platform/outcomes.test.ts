import { CallError } from '@floorcast/contract/client.ts'
import { problemStatuses } from '@floorcast/contract/problem-codes.ts'
import { expect, it } from 'vitest'
import texts from '@floorcast/locales/catalogues/en/problems.json' with { type: 'json' }
import type { Translate } from './i18n.ts'
import { describeFailure } from './outcomes.ts'

it('each problem that the server may send and that has a text is shown by it', () => {
  const cases = Object.entries(problemStatuses).flatMap(([code, status]) =>
    code in texts ? [[code, status] as const] : [],
  )
  expect(cases.length).toBeGreaterThan(20)
  const t = ((key: string) => key) as Translate
  const shown = cases.map(([code, status]) =>
    describeFailure(t, new CallError(status, { type: 'about:blank', title: 'Refused', status, code })),
  )
  expect(shown).toEqual(cases.map(([code]) => `problems:${code}`))
})

it.each([
  [500, 'internal', true],
  [503, 'database-away', true],
  [503, 'files-away', true],
  [405, 'wrong-method', true],
  [400, 'aborted', true],
  [503, 'busy', false],
  [503, 'read-only', false],
  [422, 'wrong-fields', false],
  [404, 'no-such-call', false],
  [400, 'malformed', false],
])('the text of a %i %s names the request: %s', (status, code, isNamed) => {
  const t = ((key: string, values?: unknown) =>
    key === 'problems:withRequest' ? JSON.stringify(values) : key) as unknown as Translate
  const problem = { type: 'about:blank', title: 'Refused', status, code, id: '0199-7f3a' }
  const text = describeFailure(t, new CallError(status, problem))
  expect(text.includes('0199-7f3a')).toBe(isNamed)
})
