import { expect, it } from 'vitest'
import type { TestUses } from '../testing/src/test-uses.ts'
import { chooseInTime, findReachableTests, isTest, readDependencies } from './reachable-tests.ts'
import { listFiles, ownRoot } from './source-files.ts'

const SERVER = 'apps/server/src/main.ts'
const used = (file: string, uses: Partial<TestUses>): TestUses => ({
  file,
  calls: [],
  parts: [],
  programs: [],
  ...uses,
})
/** Those of which a claim is made; the others of the repository used nothing. */
const recorded = [
  used('e2e/src/console-reports.slow.ts', {
    calls: ['reports.r1ext'],
    parts: ['reports-page'],
    programs: [SERVER],
  }),
  used('e2e/src/console-lists.slow.ts', {
    calls: ['savedViews.listSavedViews'],
    parts: ['groups-page'],
    programs: [SERVER],
  }),
  used('e2e/src/main-line.test.ts', {
    calls: ['deviceProtocol.sendHeartbeat'],
    programs: [SERVER, 'apps/agent/src/main.ts'],
  }),
  used('apps/server/src/app.test.ts', { calls: ['playlists.addPlaylist', 'smartPlaylists.plan'] }),
]
const tests = listFiles(ownRoot, [
  '{apps,packages,testing,tools,bench,e2e}/**/*.{test,slow}.{ts,tsx}',
]).filter(isTest)
const NEW = 'e2e/src/console-app.slow.ts'
const uses = [
  ...recorded,
  ...tests
    .filter(file => file !== NEW && recorded.every(one => one.file !== file))
    .map(file => used(file, {})),
]
const dependencies = await readDependencies(ownRoot, uses)
const reach = (...changed: string[]) => findReachableTests(dependencies, changed)
const reachOfBrowser = (file: string) => reach(file).filter(found => found.startsWith('e2e/'))

it('the tests that a change reaches import it, however far away', () => {
  const reached = reach('packages/planner/src/plan.ts')
  expect(reached).toContain('packages/planner/src/plan-properties.test.ts')
  expect(reached).not.toContain('packages/playback/src/cue.test.ts')
})

it('the tests that a change reaches made the calls that stand on it, in this process or through a program', () => {
  const views = 'apps/server/src/features/saved-views/saved-views.ts'
  expect(reachOfBrowser(views)).toEqual([NEW, 'e2e/src/console-lists.slow.ts'])
  expect(reach(views)).not.toContain('apps/server/src/app.test.ts')
  expect(reach('apps/server/src/features/playlists/playlists.ts')).toContain('apps/server/src/app.test.ts')
  expect(reachOfBrowser('apps/server/src/features/reports/pdf-table.ts')).toEqual([
    NEW,
    'e2e/src/console-reports.slow.ts',
  ])
})

it('the tests that a change reaches loaded the part of the console in which it is', () => {
  expect(reachOfBrowser('apps/console/src/features/reports/reports-page.tsx')).toEqual([
    NEW,
    'e2e/src/console-reports.slow.ts',
  ])
  expect(reachOfBrowser('apps/console/src/main.tsx')).toEqual([
    NEW,
    'e2e/src/console-lists.slow.ts',
    'e2e/src/console-reports.slow.ts',
  ])
})

it('the tests that a change reaches started the program that is built of it', () => {
  expect(reachOfBrowser('apps/agent/src/player/player.ts')).toEqual([NEW, 'e2e/src/main-line.test.ts'])
  expect(reach('apps/server/src/platform/log/log.ts')).toContain('e2e/src/main-line.test.ts')
})

it('the tests that a change reaches read it as data', () => {
  const migration = 'apps/server/database/migrations/0001-new.sql'
  expect(reach(migration)).toContain('apps/server/src/platform/database/migrations.slow.ts')
  expect(reach('packages/locales/catalogues/en/groups.json')).toContain('e2e/src/console-lists.slow.ts')
})

it('the tests that a change reaches are not those that read a folder with another such test in it', () => {
  const reached = reach('apps/server/src/features/reports/pdf-table.ts')
  expect(reached).toContain('apps/server/src/platform/database/client-views.test.ts')
  expect(reached).not.toContain('apps/console/src/platform/query-keys.test.ts')
})

it('the tests that a change reaches are those of the tools for every change, and all for a change of the configuration', () => {
  expect(reach('docs/api.md').filter(file => !file.startsWith('tools/'))).toEqual([])
  expect(reach('docs/api.md')).toContain('tools/api-table.test.ts')
  expect(reach('vitest.config.ts')).toEqual(tests.toSorted())
})

it('slow tests beside the change run now, and those that use least, as many as fit into three minutes', () => {
  const own = 'e2e/src/console-reports.slow.ts'
  const wide = 'e2e/src/console-pages.slow.ts'
  const walks = [own, wide].map((file, breadth) =>
    used(file, { calls: Array.from({ length: breadth + 1 }, (_, index) => `reports.call${index}`) }),
  )
  const reached = [wide, 'e2e/src/main-line.test.ts', own]
  const choose = (change: string, seconds: Record<string, number>) =>
    chooseInTime(reached, [change], { uses: walks, seconds: { [own]: 60, [wide]: 100, ...seconds } })
  const leaf = 'apps/server/src/features/reports/pdf-table.ts'
  expect(choose(leaf, {})).toEqual(reached.toSorted())
  expect(choose(leaf, { 'e2e/src/main-line.test.ts': 90 })).toEqual([own, 'e2e/src/main-line.test.ts'])
  expect(choose(leaf, { 'e2e/src/main-line.test.ts': 250 })).toEqual(['e2e/src/main-line.test.ts'])
  expect(choose('e2e/src/pages.ts', { [wide]: 200, [own]: 100 })).toEqual([wide, 'e2e/src/main-line.test.ts'])
  expect(choose(wide, { [wide]: 1000 })).toEqual([wide, 'e2e/src/main-line.test.ts'])
  expect(choose('apps/server/src/platform/log/log.ts', { [own]: 1000 })).toEqual(reached)
})
