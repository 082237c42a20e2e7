// Runs after `npm ci` in an unpacked archive of the server (pack-server.ts), on any Node: removes what is installed and never read there.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules')
/** Types and maps of sources. */
const UNREAD = /\.(d\.[mc]?ts|[mc]?js\.map|ts\.map|css\.map)$/
/** Of the fonts those that reports are set in (pdf-fonts.ts) are read. */
const UNUSED_FONT = /^Noto\w+-(?!(Regular|SemiBold|Bold)\.)\w+\.[ot]tf$/

/** @type {(folder: string) => void} */
function trim(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) trim(path)
    else if (entry.isFile() && (UNREAD.test(entry.name) || UNUSED_FONT.test(entry.name))) rmSync(path)
  }
}

trim(modules)
// Headers for building native modules: 67 MB.
const node = join(modules, 'node/node_modules')
for (const name of existsSync(node) ? readdirSync(node) : [])
  for (const part of ['include', 'share']) rmSync(join(node, name, part), { recursive: true, force: true })
// Packages whose publishers left their own tools in.
for (const part of ['pdfkit/.yarn', 'fastify/test', 'zod/src', 'mediabunny/src'])
  rmSync(join(modules, part), { recursive: true, force: true })
