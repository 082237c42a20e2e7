import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkFolderCycles, knownArrows } from './import-cycles.ts'
import { readImports } from './imports.ts'
import { findViolations, isTest } from './import-rules.ts'
import { listFiles, ownRoot } from './source-files.ts'
import { findPhysicalStyles } from './styles.ts'

/** Checks this repository, or the folder that is named: there no cycle is a known one. */
const root = resolve(process.argv[2] ?? ownRoot)
const imports = listFiles(root, [
  '{apps,packages}/*/src/**/*.{ts,tsx}',
  '{testing,bench,e2e}/src/**/*.ts',
  'tools/**/*.ts',
]).flatMap(file => readImports(root, file))
const inSources = imports.filter(({ from }) => !isTest(from))
const styled = listFiles(root, ['apps/console/src/**/*.{css,ts,tsx}'])
const violations = [
  ...findViolations(imports),
  ...checkFolderCycles(inSources, root === ownRoot ? knownArrows : []),
  ...styled.flatMap(file => findPhysicalStyles(file, readFileSync(join(root, file), 'utf8'))),
]
for (const violation of violations) console.error(violation)
if (violations.length > 0) {
  console.error(`\n${violations.length} violations of the import rules (docs/architecture.md)`)
  process.exit(1)
}
