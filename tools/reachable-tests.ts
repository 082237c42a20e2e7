import { readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'
import { readImports } from './imports.ts'
import { listFiles } from './source-files.ts'

/** Files of which every test depends. */
const FOUNDATIONS = /^(package(-lock)?\.json|vitest\.config\.ts|tsconfig.*\.json)$/
/** Tests that read the repository itself, by paths that they put together. */
const READS_ALL = /^tools\//
/** Dependencies that a file does not name: the built console, its texts, and the set-up of vitest.config.ts. */
const UNNAMED: readonly { from: RegExp; to: string }[] = [
  { from: /^e2e\//, to: 'apps/console/src/main.tsx' },
  { from: /^apps\/console\/src\/platform\/i18n\.ts$/, to: 'apps/console/vite.config.ts' },
  { from: /^testing\/src\/test-database\.ts$/, to: 'testing/src/postgres-global-setup.ts' },
]

const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** Files and folders that a file names instead of importing them: workers, programs, data. */
const NAMES = [/new URL\(\s*'([^']+)',\s*import\.meta\.url/g, /import\.meta\.glob[^(]*\([\s[]*'([^'*{]+)/g]
const NAMES_FROM_ROOT = /'((?:apps|packages|testing)\/[^'*\s]+)'/g

function namedPaths(root: string, file: string): string[] {
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

/** For each source file the paths of what it depends on; a folder's ends in `/`. */
export function readDependencies(root: string): Map<string, string[]> {
  const sources = listFiles(root, [
    '{apps,packages}/*/**/*.{ts,tsx}',
    '{testing,bench,e2e}/src/**/*.ts',
    'tools/**/*.ts',
  ])
  return new Map(
    sources.map(file => [file, [...readImports(root, file).map(({ to }) => to), ...namedPaths(root, file)]]),
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
  const isReached = (path: string) =>
    path.endsWith('/') ? [...reached].some(file => file.startsWith(path)) : reached.has(path)
  for (let size = -1; size !== reached.size;) {
    size = reached.size
    for (const [file, paths] of dependencies)
      if (!reached.has(file) && paths.some(isReached)) reached.add(file)
  }
  return tests.filter(file => reached.has(file) || READS_ALL.test(file))
}
