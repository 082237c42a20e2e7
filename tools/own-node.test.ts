import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ownNode, requireOwnNode } from './own-node.ts'

it('tests on another Node than ours are refused in one line that says what to do', () => {
  expect(() => requireOwnNode('20.20.2')).toThrow(
    `This is Node 20.20.2; the tests need the project's own Node ${ownNode}: use npm test or npx vitest.`,
  )
  expect(() => requireOwnNode(ownNode)).not.toThrow()
})

it('version managers choose our Node too', () => {
  expect(readFileSync(new URL('../.nvmrc', import.meta.url), 'utf8').trim()).toBe(ownNode)
})
