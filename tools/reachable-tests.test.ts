import { describe, expect, it } from 'vitest'
import { findReachableTests, readDependencies } from './reachable-tests.ts'
import { ownRoot } from './source-files.ts'

const dependencies = readDependencies(ownRoot)
const reach = (...changed: string[]) => findReachableTests(dependencies, changed)

describe('the tests that a change reaches', () => {
  it('import it, however far away', () => {
    const reached = reach('packages/planner/src/plan.ts')
    expect(reached).toContain('packages/planner/src/plan-properties.test.ts')
    expect(reached).toContain('apps/server/src/app.test.ts')
    expect(reached).not.toContain('packages/playback/src/cue.test.ts')
  })

  it('start a program that imports it, or drive the console that is built of it', () => {
    expect(reach('apps/fleet/src/main.ts')).toContain('apps/server/src/features/demo/demo.test.ts')
    expect(reach('apps/server/src/main.ts')).toContain('e2e/src/main-line.test.ts')
    expect(reach('apps/console/src/main.tsx')).toContain('e2e/src/console-pages.test.ts')
    expect(reach('apps/console/src/main.tsx')).not.toContain('apps/server/src/app.test.ts')
  })

  it('read it as data', () => {
    expect(reach('apps/server/database/migrations/0001-new.sql')).toContain('apps/server/src/app.test.ts')
    expect(reach('packages/locales/catalogues/en/groups.json')).toContain('e2e/src/console-pages.test.ts')
  })

  it('are those of the tools for every change, and all for a change of the configuration', () => {
    expect(reach('docs/api.md').filter(file => !file.startsWith('tools/'))).toEqual([])
    expect(reach('docs/api.md')).toContain('tools/api-table.test.ts')
    expect(reach('vitest.config.ts').length).toBeGreaterThan(150)
  })
})
