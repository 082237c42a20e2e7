import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readImports } from './imports.ts'
import { findBreaches } from './rooms.ts'
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
const breaches = [
  ...findBreaches(sources.flatMap(file => readImports(root, file))),
  ...styled.flatMap(file => findPhysicalStyles(file, readFileSync(join(root, file), 'utf8'))),
]
for (const breach of breaches) console.error(breach)
if (breaches.length > 0) {
  console.error(`\n${breaches.length} breaches of who may import whom (docs/architecture.md)`)
  process.exit(1)
}
