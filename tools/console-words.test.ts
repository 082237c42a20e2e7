import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { expect, it } from 'vitest'
import { wordsParts, type WordsPart } from '../apps/console/src/platform/words-parts.ts'
import { consolePages } from '../packages/contract/src/console-routes.ts'
import { readImports } from './imports.ts'
import { listFiles, ownRoot as root } from './source-files.ts'

const app = 'apps/console/src/app'
const features = 'apps/console/src/features'
const sheet = `${features}/publications/publish-sheet.tsx`
/** The part of the texts for files that load it themselves, on any page or beside their page's. */
const late: Readonly<Record<string, WordsPart | readonly WordsPart[]>> = {
  [sheet]: 'deployments',
  [`${features}/auth/lazy-forms.tsx`]: 'account',
  [`${features}/alerts/begin-alert.tsx`]: 'alerts',
  [`${features}/alerts/open-alerts.tsx`]: 'alerts',
  [`${app}/command-palette/command-palette.tsx`]: 'palette',
  [`${app}/command-palette/shortcuts.tsx`]: 'palette',
  'apps/console/src/ui/restored/restored-mark.tsx': 'reports',
  [`${features}/smart-playlists/smart-playlist.tsx`]: ['media', 'wizard'],
}

const isCode = (file: string) => /^apps\/console\/src\/.*\.tsx?$/.test(file) && existsSync(join(root, file))

/** A file and what it imports, at once or later; the router and the table of pages are not followed. */
function reach(from: string, seen = new Set<string>()): Set<string> {
  if (seen.has(from)) return seen
  seen.add(from)
  for (const { to, typeOnly } of readImports(root, from))
    if (
      !typeOnly &&
      isCode(to) &&
      !(to in late) &&
      !to.endsWith('/app/pages.ts') &&
      !to.endsWith('router.tsx')
    )
      reach(to, seen)
  return seen
}

const known = listFiles(root, ['packages/locales/catalogues/en/*.json']).map(file =>
  file.slice(file.lastIndexOf('/') + 1, -'.json'.length),
)

/** The namespaces whose texts files ask for, each with a file that does. */
function usedBy(files: Iterable<string>): Map<string, string> {
  const used = new Map<string, string>()
  for (const file of files) {
    const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    for (const [, namespace = ''] of code.matchAll(/['"`](\w+):[\w.$]/g))
      if (known.includes(namespace)) used.set(namespace, file)
  }
  return used
}

/** The namespaces that a part of the console asks for and that none of the texts loaded with it has. */
function lacking(from: string, parts: readonly string[]): string[] {
  const all = ['auth', 'shell', ...parts]
  const loaded: string[] = Object.entries(wordsParts).flatMap(([part, files]) =>
    all.includes(part) ? files : [],
  )
  return [...usedBy(reach(from))]
    .filter(([namespace]) => !loaded.includes(namespace))
    .map(([namespace, file]) => `${namespace} in ${file}`)
}

/** `videos: forStaff('media', { … }),` of the table of pages, or an object with its section. */
const entry = /^ {2}(?<name>\w+): (?:for\w+\('(?<of>\w+)', )?\{(?<rest>.*?)^ {2}\}\)?,$/gms
const table = readFileSync(join(root, app, 'pages.ts'), 'utf8')
const pages = [...table.matchAll(entry)].map(({ groups = {} }) => {
  const { name = '', rest = '' } = groups
  const section = groups['of'] ?? /section: '(\w+)'/.exec(rest)?.[1] ?? ''
  const [, words] = /words: '(\w+)'/.exec(rest) ?? []
  const [, file = ''] = /import\('([^']+)'\)/.exec(rest) ?? []
  return { name, section, parts: words ? [section, words] : [section], file: posix.join(app, file) }
})

it.each(pages)('the texts of the section $section have all that $name shows', ({ parts, file }) => {
  expect(lacking(file, parts)).toEqual([])
})

it('the texts of the frame have all that it shows', () => {
  expect(pages.map(({ name }) => name).toSorted()).toEqual(Object.keys(consolePages).toSorted())
  expect(lacking(`${app}/shell/shell.tsx`, [])).toEqual([])
})

it.each(['verify-page', 'terms-page'])('the texts of the account have all that the %s shows', page => {
  expect(lacking(`${app}/pages/${page}.tsx`, ['account'])).toEqual([])
})

it.each(['second-step', 'mail-forms'])('the texts of the account have all of the %s', form => {
  expect(lacking(`apps/console/src/features/auth/${form}.tsx`, ['account'])).toEqual([])
})

it.each(Object.entries(late))('the texts that come with %s have all that it shows', (file, part) => {
  expect(lacking(file, [part].flat())).toEqual([])
})

it('the texts are found missing', () => {
  expect(lacking(sheet, [])).toEqual([expect.stringContaining('publications in apps/console/src/features/')])
})

it('the texts are in one part each', () => {
  const inParts: string[] = Object.values(wordsParts).flat()
  expect(inParts.toSorted()).toEqual(
    known.filter(name => !['demo', 'installer', 'mails', 'manual'].includes(name)).toSorted(),
  )
})
