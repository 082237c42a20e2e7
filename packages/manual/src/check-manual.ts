import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { catalogueFolder, manualFolder } from './manual-build.ts'
import { findManualFaults } from './manual-checks.ts'
import { readLanguages, readPages } from './manual-pages.ts'

const english = readPages(join(manualFolder, 'en'))
const englishTexts = new Map(
  [...english.keys()].map(slug => [slug, readFileSync(join(manualFolder, 'en', `${slug}.md`), 'utf8')]),
)
/** Addresses that only redirect, and the page of all components. */
const withoutHelp = new Set([
  '/',
  '/home',
  '/pages',
  '/media',
  '/equipments',
  '/deployments',
  '/security',
  '/updates',
  // Operators have docs/operate/operator.md.
  '/operator',
  '/operator/login',
])
const explained = new Set([...english.values()].flatMap(({ routes }) => routes))
const unexplained = consoleRoutes
  .map(route => route.replace('/:uid', ''))
  .filter(route => !withoutHelp.has(route) && route !== '/trash' && !explained.has(route))

const faults = [
  ...unexplained.map(route => `no page of the manual explains ${route}`),
  ...readLanguages(manualFolder).flatMap(code =>
    findManualFaults(
      { code, pages: readPages(join(manualFolder, code)), words: readCatalogue(join(catalogueFolder, code)) },
      english,
      englishTexts,
    ),
  ),
]
for (const fault of faults) console.error(fault)
if (faults.length > 0) {
  console.error(`\n${faults.length} faults in docs/manual`)
  process.exit(1)
}
