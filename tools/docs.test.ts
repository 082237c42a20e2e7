import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { AlertKind } from '@floorcast/contract/alert-kind.ts'
import { CommandKind, sendCommand } from '@floorcast/contract/device-commands.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { anchorOf } from '@floorcast/manual/manual-pages.ts'
import { expect, it } from 'vitest'
import { makeNeedsTable } from './feature-needs.ts'

const root = resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const pages = globSync(['docs/**/*.md', '*.md', 'apps/server/src/**/*.md'], { cwd: root })
const sources = globSync('{apps,packages,testing,bench,e2e,tools}/**/*.{ts,tsx,mjs,sql,css,sh}', {
  cwd: root,
  exclude: ['**/node_modules/**', '**/dist/**'],
})

const headings = (page: string) =>
  [...read(page).matchAll(/^#{1,6} (.+)$/gm)].map(match => anchorOf(match[1] ?? ''))

/** Is there such a file or folder and, behind `#`, such a heading in it? @param target from the root: `README.md#license` */
function resolves(target: string): boolean {
  const [file = '', anchor] = target.split('#')
  return existsSync(join(root, file)) && (anchor === undefined || headings(file).includes(anchor))
}

it('each relative link of a page, and its anchor, is there', () => {
  const broken = pages.flatMap(page => {
    const links = [...read(page).matchAll(/\]\((?!\w+:)([^)\s]+)[^)]*\)/g)].map(match => match[1] ?? '')
    const target = (link: string) => (link.startsWith('#') ? page + link : join(dirname(page), link))
    return links.filter(link => !resolves(target(link))).map(link => ({ page, link }))
  })
  expect(broken).toEqual([])
})

it('the pictures show texts that the console still has: take them again, `npm run screenshots -- --manual --lang all`', () => {
  const shown = JSON.parse(read('docs/manual/pictures/texts.json')) as Record<string, string[]>
  const words = new Set(readCatalogue('packages/locales/catalogues/en').values())
  const former = Object.entries(shown).map(([picture, texts]) => ({
    picture,
    former: texts.filter(text => !words.has(text)),
  }))
  expect(former.length).toBeGreaterThan(10)
  // A word or two do not mislead a reader.
  expect(former.filter(({ former: gone }) => gone.length > 2)).toEqual([])
})

it('each page and each decision record that the code cites is there', () => {
  const records = globSync('docs/decisions/*.md', { cwd: root })
  const isThere = (cited: string) =>
    /\.md/.test(cited) ? resolves(cited) : records.some(record => record.startsWith(`${cited}-`))
  const cited = sources.flatMap(file =>
    [...read(file).matchAll(/\bdocs\/(?:decisions\/\d{4}\b|[\w/-]+\.md(?:#[\w-]+)?)/g)].map(match => ({
      file,
      cited: match[0],
    })),
  )
  expect(cited.length).toBeGreaterThan(50)
  expect(cited.filter(citation => !isThere(citation.cited))).toEqual([])
})

it('no two decision records have one number', () => {
  const numbers = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map(file => basename(file).slice(0, 4))
  expect(numbers.filter((number, at) => numbers.indexOf(number) < at)).toEqual([])
})

it('each decision record has its form and stands in the index', () => {
  const index = read('docs/decisions/README.md').split('\n')
  const faults = globSync('docs/decisions/[0-9]*.md', { cwd: root }).flatMap(file => {
    const text = read(file)
    const head = /^# (\d+)\. (.+)\n\nDate: \d{4}-\d\d-\d\d\. Status: (accepted|superseded by \d+)\./.exec(
      text,
    )
    if (!head) return [`${file}: '# 1. Title', an empty line, 'Date: 2026-11-21. Status: accepted.'`]
    const [, number = '', title = '', status = ''] = head
    const parts = ['Context', 'Decision', 'Consequences'].filter(part => !text.includes(`\n**${part}.**`))
    const row = `- ${number}: [${title}](${basename(file)})${status === 'accepted' ? '' : `, ${status}`}`
    return [
      ...parts.map(part => `${file}: no **${part}.**`),
      ...(basename(file).startsWith(`${number.padStart(4, '0')}-`) ? [] : [`${file}: another number inside`]),
      ...(index.includes(row) ? [] : [`${file}: not so in the index, docs/decisions/README.md`]),
    ]
  })
  expect(faults).toEqual([])
})

it('docs/security/asvs.md has each requirement of levels 1 and 2 once, and the files that it cites are there', () => {
  const rows = [
    ...read('docs/security/asvs.md').matchAll(
      /^\| (\d[\d., ]+\d) +\| ([12]) +\| (met|\*\*not met\*\*|not applicable) +\| (\S.*?) *\|$/gm,
    ),
  ].flatMap(([, ids = '', level = '', state = '', why = '']) =>
    ids.split(', ').map(id => ({ id, level, state, why })),
  )
  const countOf = (wanted: string) => rows.filter(({ state }) => state === wanted).length
  expect(read('docs/security/asvs.md').replaceAll(/\s+/g, ' ')).toContain(
    `${countOf('met')} met, ${countOf('**not met**')} not met, ${countOf('not applicable')} not applicable`,
  )
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  // The standard's numbers: 70 of level 1 and 183 of level 2, by chapter.
  const chapters = Array.from({ length: 17 }, (_, n) => rows.filter(({ id }) => id.startsWith(`${n + 1}.`)))
  expect(chapters.map(({ length }) => length)).toEqual([
    27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7,
  ])
  expect(Map.groupBy(rows, ({ level }) => level).get('1')).toHaveLength(70)
  const cited = rows.flatMap(({ why }) => [...why.matchAll(/`((?:apps|packages|docs)\/[\w./-]+)`/g)])
  expect(cited.map(([, file = '']) => file).filter(file => !existsSync(join(root, file)))).toEqual([])
})

it('docs/architecture.md names each folder of the folders that it lists, and no other', () => {
  const isListed = (folder: string) => !/^(\.git|node_modules|dist|data|artifacts|coverage)$/.test(folder)
  const differences = read('docs/architecture.md')
    .split(/^## /m)
    .flatMap(section => {
      const parent = /^Folders of `([^`]+)`/.exec(section)?.[1]
      if (parent === undefined) return []
      const named = [...section.matchAll(/^\| `([^`]+)` /gm)].map(match => match[1] ?? '')
      const there = readdirSync(join(root, parent), { withFileTypes: true })
        .filter(entry => entry.isDirectory() && isListed(entry.name))
        .map(entry => entry.name)
      const missing = there.filter(folder => !named.includes(folder))
      const gone = named.filter(folder => !there.includes(folder))
      return missing.length + gone.length > 0 ? [{ parent, missing, gone }] : []
    })
  expect(differences).toEqual([])
})

it('docs/data-flow.md: each walk has a drawing, and the files that it names are there', () => {
  const page = 'docs/data-flow.md'
  const walks = read(page)
    .split(/^## /m)
    .slice(1)
    .filter(section => !section.startsWith('What runs for a call'))
  const faults = walks.flatMap(section => {
    const [name = ''] = section.split('\n')
    const hops = [...section.matchAll(/^(\d+)\. \[(\S+)\]\((\S+)\): \S/gm)]
    const ofHops = hops.flatMap(([line, number, path = '', target = ''], index) => [
      ...(Number(number) === index + 1 ? [] : [`${line}: number ${index + 1}`]),
      ...(join(dirname(page), target) === path ? [] : [`${line}: links to another file`]),
      ...(existsSync(join(root, path)) ? [] : [`${line}: no such file`]),
      ...(section.includes(`[${basename(path)}]`) || path.includes('/contract/')
        ? []
        : [`${line}: not in the drawing`]),
    ])
    const isDrawn = /^```mermaid\nflowchart /m.test(section)
    return [...(isDrawn && hops.length > 0 ? [] : [`${name}: no drawing or no files`]), ...ofHops]
  })
  expect(walks).toHaveLength(5)
  expect(faults).toEqual([])
})

it('docs/data-flow.md: the files that were measured are there', () => {
  const [, table = ''] = read('docs/data-flow.md').split('<!-- measured by npm run measure-walks -->')
  const named = [...table.matchAll(/`([\w/.-]+\.ts)`/g)].map(([, file = '']) => file)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter(file => !existsSync(join(root, 'apps/server/src/features', file)))).toEqual([])
})

it('platform/http/README.md has a row for each file, and the limits that the file has', () => {
  const folder = 'apps/server/src/platform/http'
  const page = read(`${folder}/README.md`)
  const rows = [...page.matchAll(/^\| \w+ +\| \[([\w.-]+)\]\(([\w/.-]+)\) .*$/gm)]
  const files = globSync('**/*.ts', { cwd: join(root, folder), exclude: ['**/*.test.ts'] })
  expect(rows.map(([, , file = '']) => file).toSorted()).toEqual(files.toSorted())
  const faults = rows.flatMap(([row, , file = '']) => {
    const limits = [...row.matchAll(/`([^`]*\d[^`]*)`/g)].map(([, limit = '']) => limit)
    const [text, isWhole] = [read(`${folder}/${file}`), (rest: string) => !/^\w/.test(rest)]
    return limits.filter(limit => !text.split(limit).slice(1).some(isWhole)).map(limit => ({ file, limit }))
  })
  expect(faults).toEqual([])
})

it('each command to a device is in docs/device-protocol.md, the manual and the summary of its call', () => {
  const protocol = read('docs/device-protocol.md')
  const manual = read('docs/manual/en/devices.md')
  const missing = CommandKind.options.flatMap(kind => [
    ...(protocol.includes(`| \`${kind}\` `) ? [] : [`the protocol's table: ${kind}`]),
    ...(sendCommand.summary.includes(`\`${kind}\``) ? [] : [`the summary of sendCommand: ${kind}`]),
    // The volume has a slider.
    ...(kind === 'volume' || manual.includes(`[[devices:commands.send.${kind}]]`)
      ? []
      : [`the manual: ${kind}`]),
  ])
  expect(missing).toEqual([])
})

it('each kind of alert is in docs/device-protocol.md and the manual', () => {
  const manual = read('docs/manual/en/alerts.md')
  const [entry = ''] = /^- An entry of `alerts`.*$/m.exec(read('docs/device-protocol.md')) ?? []
  const isThere = (kind: string) =>
    entry.includes(`\`${kind}\``) && manual.includes(`[[alerts:kinds.${kind}]]`)
  expect(AlertKind.options.filter(kind => !isThere(kind))).toEqual([])
})

it('docs/dependencies.md has each dependency of a package.json, and no other', () => {
  const manifests = globSync(
    ['package.json', '{apps,packages}/*/package.json', '{bench,e2e,testing}/package.json'],
    {
      cwd: root,
    },
  )
  const declared = manifests.flatMap(file => {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(kind =>
      Object.keys(manifest[kind] ?? {}),
    )
  })
  const listed = read('docs/dependencies.md')
    .split('\n')
    .filter(line => line.startsWith('| `'))
    .flatMap(line => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(match => match[1] ?? ''))
  const own = (name: string) => name.startsWith('@floorcast/')
  expect(listed.toSorted()).toEqual([...new Set(declared.filter(name => !own(name)))].toSorted())
})

it('docs/testing.md says which features the tests start', () => {
  const cells = (text: string) =>
    text
      .split('\n')
      .filter(line => line.startsWith('| '))
      .map(line => line.replaceAll(/ +|-{3,}/g, ' '))
  const [, table = ''] = read('docs/testing.md').split('<!-- written by npm run docs:api -->')
  expect(cells(table)).toEqual(cells(makeNeedsTable()))
})
