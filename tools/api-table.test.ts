import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import { callBehind, makeApiTable } from './api-table.ts'
import { apiTests, isWritten } from './test-record.ts'
import { specCalls } from './spec-calls.ts'

const root = resolve(import.meta.dirname, '..')
const all = specCalls.flatMap(({ calls }) => calls)

it('every call of the specification is one of the contract, to the letter', () => {
  const missing = all.filter(call => !callBehind(call))
  expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

it('a call with another word, name or method is none', () => {
  expect(callBehind({ method: 'GET', path: '/group/qcard/{id}' })?.name).toBe('groups.readGroup')
  for (const [method, path] of [
    ['POST', '/group/qcard/{id}'],
    ['GET', '/group/qcard/{uid}'],
    ['GET', '/group/card/{id}'],
    ['GET', '/group/qcard/{id}/'],
    ['GET', '/device/logs/{id}/{debug|nothing}'],
  ] as const)
    expect(callBehind({ method, path })).toBeNull()
})

it('docs/api.md is what the contract says', async () => {
  expect(readFileSync(join(root, 'docs/api.md'), 'utf8')).toBe(await makeApiTable())
})

it('names a test for every call of the contract, and no other', () => {
  const names = endpoints.map(({ noun, name }) => `${noun}.${name}`)
  expect(Object.keys(apiTests).toSorted()).toEqual(names.toSorted())
})

it('every call has a test that is there', () => {
  expect(Object.values(apiTests).filter(test => !isWritten(test))).toEqual([])
})
