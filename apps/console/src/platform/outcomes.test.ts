import { CallError } from '@floorcast/contract/client.ts'
import { expect, it } from 'vitest'
import texts from '@floorcast/locales/catalogues/en/problems.json' with { type: 'json' }
import type { Translate } from './i18n.ts'
import { describeFailure } from './outcomes.ts'

const sources = import.meta.glob<string>(['../../../server/src/**/*.ts', '!**/*.test.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** `new ProblemError(410, 'plays-gone'`, and the table of Fastify's refusals: `[413, 'too-large']`. */
const sent = Object.values(sources).flatMap(source =>
  [...source.matchAll(/(?:ProblemError\(|\[)\s*(\d{3}),\s*'([a-z-]+)'/g)].map(
    ([, status, code]) => [code ?? '', Number(status)] as const,
  ),
)

it('each problem that the server may send and that has a text is shown by it', () => {
  // Keys of several words with a hyphen are codes alone. The server chooses some of them where it throws.
  const codes = Object.keys(texts).filter(key => key.includes('-'))
  const cases = new Map([
    ...codes.map(code => [code, 400] as const),
    ...sent.filter(([code]) => code in texts),
  ])
  expect(cases.size).toBeGreaterThan(20)
  const t = ((key: string) => key) as Translate
  const shown = Array.from(cases, ([code, status]) =>
    describeFailure(t, new CallError(status, { type: 'about:blank', title: 'Refused', status, code })),
  )
  expect(shown).toEqual(Array.from(cases.keys(), code => `problems:${code}`))
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
