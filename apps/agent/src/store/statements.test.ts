import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** node:sqlite of Node 22.13 to 22.19 and 24.0 to 24.4 counts a parameter's uses, and refuses the values of `?1` used twice. */
test('No statement of the agent has numbered parameters', () => {
  const files = globSync('**/*.ts', { cwd: root }).filter(file => !file.endsWith('.test.ts'))
  expect(files).toContain('store/state-store.ts')
  expect(files.filter(file => /[\s(,=]\?\d/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})
