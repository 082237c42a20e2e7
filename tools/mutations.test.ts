import { expect, it } from 'vitest'
import { findMutations, mutate } from './mutations.ts'

const mutantsOf = (source: string) => findMutations('a.ts', source).map(mutation => mutate(source, mutation))

it('mutations of a file change an operator', () => {
  expect(mutantsOf('const a = b < c')).toEqual(['const a = b <= c'])
  expect(mutantsOf('a ??= b ?? c')).toEqual(['a ??= b && c'])
})

it('mutations of a file take a test for true and for false', () => {
  expect(mutantsOf('if (a) b = c')).toEqual(['if (true) b = c', 'if (false) b = c'])
})

it('mutations of a file leave a call, a refusal and a negation out', () => {
  expect(mutantsOf('await save(a)')).toEqual([''])
  expect(mutantsOf('throw new Error(a)')).toEqual([';'])
  expect(mutantsOf('const a = !b')).toEqual(['const a = b'])
})

it('mutations of a file change numbers, flags and opposite functions', () => {
  expect(mutantsOf('const a = 5')).toEqual(['const a = (5 + 1)'])
  expect(mutantsOf('const a = true')).toEqual(['const a = false'])
  expect(mutantsOf('const a = b.some(c)')).toEqual(['const a = b.every(c)'])
})

it('mutations of a file leave types and imports as they are', () => {
  expect(mutantsOf("import { a } from 'b'\ntype C = 1 | 2\nconst d: 3 | undefined = a")).toEqual([])
})
