import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readImports } from './imports.ts'
import { findViolations } from './import-rules.ts'
import { findPhysicalStyles } from './styles.ts'

const root = resolve(process.argv[2] ?? '.')
const list = (...patterns: string[]) =>
  globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] }).map(file =>
    file.replaceAll('\\', '/'),
  )

const sources = list(
  '{apps,packages}/*/src/**/*.{ts,tsx}',
  '{testing,bench,e2e}/src/**/*.ts',
  'tools/**/*.ts',
)
const styled = list('apps/console/src/**/*.{css,ts,tsx}')
const violations = [
  ...findViolations(sources.flatMap(file => readImports(root, file))),
  ...styled.flatMap(file => findPhysicalStyles(file, readFileSync(join(root, file), 'utf8'))),
]
for (const violation of violations) console.error(violation)
if (violations.length > 0) {
  console.error(`\n${violations.length} violations of the import rules (docs/architecture.md)`)
  process.exit(1)
}
