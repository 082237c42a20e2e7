import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, posix } from 'node:path'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import type { TestUses } from '../testing/src/test-uses.ts'
import type { Import } from './import-rules.ts'
import { readImports } from './imports.ts'
import { guessSeconds } from './slices.ts'
import { listFiles } from './source-files.ts'

/** Files of which every test depends. */
const FOUNDATIONS = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json)$/
/** Tests that read the repository itself, by paths that they put together. */
const READS_ALL = /^tools\/(docs|api-table|console-words|console-styles|reachable-tests)\.test\.ts$/
const CONSOLE = 'apps/console/src/main.tsx'
/** Dependencies that a file does not name: its texts, and the set-up of vitest.config.ts. */
const UNNAMED: readonly { from: RegExp; to: string }[] = [
  { from: /^apps\/console\/src\/platform\/i18n\.ts$/, to: 'apps/console/vite.config.ts' },
  { from: /^packages\/locales\/src\/read-catalogues\.ts$/, to: 'packages/locales/catalogues/' },
  { from: /^testing\/src\/test-database\.ts$/, to: 'testing/src/postgres-global-setup.ts' },
]
/** They join features to a server. The calls of a test tell which features it uses. */
const JOINS_FEATURES = /^apps\/server\/src\/(features|device-host|library)\.ts$/
const ROUTES = /^apps\/server\/src\/features\/.+-routes\.ts$/
const PROGRAMS = /^(apps\/(agent|fleet|server)\/src\/(main|admin)\.ts|tools\/(conformance|start)\.ts)$/

/** Everything stands on them: their tests are run however long they take. */
const CARRIES_ALL = /^(packages\/contract|apps\/server\/database|apps\/\w+\/src\/platform)\//
/** A minute more is for the check and for what takes less than ten seconds. */
const LIMIT_SECONDS = 120
const CORES = 2

/** They name paths to tell them apart, or to copy them into an archive whose tests are long, and read none of them. */
const ONLY_NAMES = /^tools\/(import-rules|pack-server|slices)\.ts$/

/** The tests that share the machine with others. */
export const isTest = (file: string) => /\.(test|slow)\.tsx?$/.test(file)
const isSlow = (file: string) => file.endsWith('.slow.ts')

/** Files and folders that a file names instead of importing them: workers, programs, data. */
const NAMES = [/new URL\(\s*'([^']+)',\s*import\.meta\.url/g, /import\.meta\.glob[^(]*\([\s[]*'([^'*{]+)/g]
const NAMES_FROM_ROOT = /'((?:apps|packages|testing|tools)\/[^'*\s]+)(?:\*[^'\s]*)?'/g

function namedPaths(root: string, file: string): string[] {
  if (ONLY_NAMES.test(file)) return []
  const text = readFileSync(join(root, file), 'utf8')
  const beside = NAMES.flatMap(pattern => [...text.matchAll(pattern)]).map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  )
  const fromRoot = [...text.matchAll(NAMES_FROM_ROOT)].map(([, path = '']) => path)
  const unnamed = UNNAMED.filter(({ from }) => from.test(file)).map(({ to }) => to)
  return [...beside, ...fromRoot, ...unnamed].flatMap(path => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false })
    if (!stats) return []
    return stats.isDirectory() && !path.endsWith('/') ? `${path}/` : path
  })
}

const names = new Map<unknown, string>(
  endpoints.map(({ noun, name, endpoint }) => [endpoint, `${noun}.${name}`]),
)

/** The calls in what a module of the contract exports under a name, which may be a table of them. */
function callsIn(exported: unknown, levels = 3): string[] {
  const name = names.get(exported)
  if (name !== undefined) return [name]
  if (typeof exported !== 'object' || exported === null || levels === 0) return []
  return Object.values(exported).flatMap(inside => callsIn(inside, levels - 1))
}

/** The files of the server that register each call. */
async function readRoutes(root: string, imports: ReadonlyMap<string, readonly Import[]>) {
  const routesOf = new Map<string, string[]>()
  for (const [file, found] of imports) {
    if (!ROUTES.test(file)) continue
    const words = new Set(readFileSync(join(root, file), 'utf8').match(/\w+/g))
    for (const { to } of found.filter(({ to }) => to.startsWith('packages/contract/'))) {
      const module = (await import(join(root, to))) as Record<string, unknown>
      const named = Object.keys(module).filter(name => words.has(name))
      for (const name of named)
        for (const call of callsIn(module[name])) routesOf.set(call, [...(routesOf.get(call) ?? []), file])
    }
  }
  return routesOf
}

/** A part of the console that is loaded when it is needed, by the name of its file in the build. */
const partOf = (file: string) => basename(file).replace(/\.\w+$/, '')

/**
 * For each source file the paths of what it depends on; a folder's ends in `/`. What a test uses through a server, a browser or
 * a program comes from `uses`; a test that has no record uses all.
 */
export async function readDependencies(
  root: string,
  uses: readonly TestUses[],
): Promise<Map<string, string[]>> {
  const sources = listFiles(root, [
    '{apps,packages}/*/**/*.{ts,tsx}',
    '{testing,bench,e2e}/src/**/*.ts',
    'tools/**/*.ts',
  ])
  const imports = new Map(sources.map(file => [file, readImports(root, file)]))
  const routesOf = await readRoutes(root, imports)
  const registered = new Set([...routesOf.values()].flat())
  // Without a call of the contract, such as the channel's.
  const others = sources.filter(file => ROUTES.test(file) && !registered.has(file))
  const loaded = new Set(uses.flatMap(({ parts }) => parts))
  const late = [...imports.values()]
    .flat()
    .filter(
      ({ from, to, isDynamic }) => isDynamic && from.startsWith('apps/console/') && loaded.has(partOf(to)),
    )
    .map(({ to }) => to)
  const programs = sources.filter(file => PROGRAMS.test(file))

  const isFollowed = ({ from, to, isDynamic }: Import) =>
    !(JOINS_FEATURES.test(from) && ROUTES.test(to)) && !(isDynamic && late.includes(to))
  const ownPaths = (file: string) =>
    namedPaths(root, file).filter(path => !PROGRAMS.test(path) || !/^(testing|e2e)\//.test(file))
  const usedBy = (file: string): string[] => {
    if (!isTest(file)) return []
    const record = uses.find(one => one.file === file)
    const isOfBrowser = file.startsWith('e2e/')
    if (!record)
      return isOfBrowser || /^apps\/(server|agent|demo|fleet)\//.test(file)
        ? [...registered, ...others, ...late, ...programs, CONSOLE]
        : []
    const { calls, parts } = record
    return [
      ...calls.flatMap(call => routesOf.get(call) ?? []),
      ...(calls.length > 0 ? others : []),
      ...late.filter(to => parts.includes(partOf(to))),
      ...(parts.length > 0 ? [CONSOLE] : []),
      ...record.programs,
    ]
  }
  return new Map(
    [...imports].map(([file, found]) => [
      file,
      [...found.filter(isFollowed).map(({ to }) => to), ...ownPaths(file), ...usedBy(file)],
    ]),
  )
}

/**
 * The test files that depend on one of the changed files: through imports, through programs that they start, and through
 * files that they read.
 */
export function findReachableTests(
  dependencies: ReadonlyMap<string, readonly string[]>,
  changed: readonly string[],
): string[] {
  const tests = [...dependencies.keys()].filter(isTest).toSorted()
  if (changed.some(file => FOUNDATIONS.test(file))) return tests
  const reached = new Set(changed)
  // A test that reads a folder reads no tests in it, but for those of the tools.
  const isReached = (path: string) =>
    path.endsWith('/') ? [...reached].some(file => !isTest(file) && file.startsWith(path)) : reached.has(path)
  for (let size = -1; size !== reached.size;) {
    size = reached.size
    for (const [file, paths] of dependencies)
      if (!reached.has(file) && paths.some(isReached)) reached.add(file)
  }
  return tests.filter(file => reached.has(file) || READS_ALL.test(file))
}

/**
 * Of the tests that are reached, those to run now: all that `npm test` runs, those that were changed themselves, and of the other
 * slow ones those beside a change and then those that use least, so that the run takes about three minutes. `npm run test:long`
 * runs the others.
 */
export function chooseInTime(
  reached: readonly string[],
  changed: readonly string[],
  { uses, seconds }: { uses: readonly TestUses[]; seconds: Readonly<Record<string, number>> },
): string[] {
  if (changed.some(file => CARRIES_ALL.test(file) || FOUNDATIONS.test(file))) return [...reached]
  const mayWait = (file: string) => isSlow(file) && !changed.includes(file)
  const [slow, now] = [reached.filter(mayWait), reached.filter(file => !mayWait(file))]
  const folders = new Set(changed.map(file => dirname(file)))
  const breadthOf = (file: string) => {
    if (folders.has(dirname(file))) return 0
    const use = uses.find(one => one.file === file)
    return use ? use.calls.length + use.parts.length + 1 : Infinity
  }
  let left = LIMIT_SECONDS * CORES - now.reduce((sum, file) => sum + (seconds[file] ?? 0), 0)
  const chosen = slow
    .toSorted((one, other) => breadthOf(one) - breadthOf(other))
    .filter(file => {
      const own = seconds[file] ?? guessSeconds(file)
      if (own > left) return false
      left -= own
      return true
    })
  return [...now, ...chosen].toSorted()
}
