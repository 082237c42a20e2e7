import { locales } from '@floorcast/contract/locales.ts'
import { manual } from '@floorcast/manual/manual-plugin.ts'
import react from '@vitejs/plugin-react'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompress, constants } from 'node:zlib'
import { promisify } from 'node:util'
import { defineConfig, type Plugin } from 'vite'
import { buildFiles } from './build-files.ts'
import { wordsParts } from './src/platform/words-parts.ts'
import { buildCountryShapes } from './src/ui/map/country-shapes.ts'

const compress = promisify(brotliCompress)
const vendors = /node_modules[\\/](?:react|react-dom|scheduler|react-router|i18next)[\\/]/
/** The parts that draw /login, in one file: some forty small ones compress worse and come later. */
const base =
  /@mantine[\\/](?:form|core[\\/]esm[\\/](?:core|utils[\\/](?!Floating)|components[\\/](?:ActionIcon|Alert|Anchor|Button|CloseButton|Group|Input|InputBase|Loader|NativeSelect|Paper|PasswordInput|Skeleton|Stack|Text|TextInput|Title|Transition|UnstyledButton)))[\\/]|node_modules[\\/]clsx/
/** The pages of /login and /lock, but for what is loaded when the user types or needs the second step. */
const auth =
  /src[\\/](?:features[\\/]auth[\\/](?!auth-data|second-step|sign-in-again|unlock-form)|ui[\\/](?:brand|password-field|side-form[\\/]use-saving-form))/
/** The parts that every page begins with. */
const start =
  /src[\\/](?:platform[\\/](?:change-language|i18n|storage|store|session|paths|personalization|console-settings|manual-address|toasts|media-query|load-part)|ui[\\/]theme[\\/]\w+|app[\\/](?:app|looks|open-page|router|crash-page|not-found-page))\.tsx?|contract[\\/]src[\\/](?:digits|console-routes)\.ts|@mantine[\\/]core[\\/]esm[\\/]components[\\/]Center[\\/]/
const checkbox = /@mantine[\\/]core[\\/]esm[\\/]components[\\/]Checkbox[\\/]/
/** Parts of Mantine by the names of their folders. */
const components = (names: string) =>
  new RegExp(String.raw`@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:${names})[\\/]`)
/** The parts that many components share and /login does not need. */
const small =
  /@mantine[\\/](?:hooks[\\/]|core[\\/]esm[\\/]components[\\/](?:ScrollArea[\\/]utils|VisuallyHidden)[\\/])/
/** The code of popovers: menus and fields with a list of options need it. */
const popover = new RegExp(
  `${components('Popover|FocusTrap|Portal|Overlay').source}|@floating-ui|esm[\\\\/]utils[\\\\/]Floating`,
)
/** The rest of what `ui/overlay` loads on demand. */
const overlay = new RegExp(
  `${components('Menu|Accordion|Tooltip|Modal|ModalBase|Drawer').source}|node_modules[\\\\/](?:react-remove-scroll|use-sidecar|use-callback-ref|react-style-singleton|get-nonce)`,
)

/** The parts that every call needs, the sign-in too. */
const client =
  /node_modules[\\/]zod[\\/]|contract[\\/]src[\\/](?:client|outcomes|fields|problem|endpoint)\.ts|console[\\/]src[\\/]platform[\\/](?:api-base|client|zod-setup)\.ts/

/** The parts that the frame of the signed-in pages shares with some of them. */
const frame =
  /console[\\/]src[\\/](?:app[\\/](?:pages|sections|shell[\\/]sidebar)|platform[\\/](?:alert-address|answer-age|browser-data|build|change-feed|first-paint|install-prompt|known-answers|new-version|unsaved|publish-address|page-name|pause|query-client|recent|use-now)|ui[\\/](?:upload[\\/](?:upload-store|upload-calls|saved-uploads)|entity-link|key-names|panel|skeletons|status-badge)|features[\\/]alerts[\\/]open-alerts-query)\.tsx?|contract[\\/]src[\\/](?:alerts|alert-kind|csv|uploads|installation)\.ts|@mantine[\\/]core[\\/]esm[\\/]components[\\/](?:Progress|Kbd)[\\/]/

/** What the pages of single items share. */
const detail =
  /console[\\/]src[\\/]ui[\\/](?:detail[\\/](?:detail-page|item-fields|fields|item-actions)|copy-field)|@mantine[\\/]core[\\/]esm[\\/]components[\\/]CopyButton[\\/]/
/** The calls that the page of a device makes, and what tells of one. */
const device =
  /contract[\\/]src[\\/](?:tag-calls|tags|device-commands|device-day|redelivery|installer-path)\.ts|console[\\/]src[\\/](?:platform[\\/]device-changes|ui[\\/](?:activity-badge|connectivity-badge|device-state|tags[\\/]))/

/** The buttons that lead from an item. */
const itemLinks = /console[\\/]src[\\/]ui[\\/](?:publish-button|alert-button|report-link)\./

/** In development: what goes to the server. The console's own files have a dot in their path, Vite's an @. */
const calls = String.raw`^/(?:config\.json|openapi\.json|[^.@?]*)(?:\?.*)?$`

/** A smaller file would save little, and take a block of the disk more. */
const MIN_COMPRESSED_BYTES = 400

/** Writes a `.br` beside each text file of the build that is not tiny; the server sends it as it is. */
function brotli(): Plugin {
  let folder = 'dist'
  return {
    name: 'floorcast-brotli',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const names = await readdir(folder, { recursive: true })
      const texts = names.filter(name => /\.(?:js|css|svg|html|json)$/.test(name))
      await Promise.all(
        texts.map(async name => {
          const bytes = await readFile(join(folder, name))
          if (bytes.length < MIN_COMPRESSED_BYTES) return
          const small = await compress(bytes, {
            params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          })
          await writeFile(join(folder, `${name}.br`), small)
        }),
      )
    },
  }
}

/** Parts of zod that the console needs in a simpler form. */
const simpler: readonly (readonly [file: RegExp, code: string])[] = [
  // The console has its own texts: zod's would only be 'wrong'.
  [/zod[\\/]v4[\\/]locales[\\/]en\.js$/, 'export default () => ({ localeError: issue => issue.code })'],
  // JSON has no cycles, and no schema of the contract is recursive: zod takes the memo of such a schema out itself.
  [
    /zod[\\/]v4[\\/]core[\\/]memoizer\.js$/,
    `export const memoizer = () => ({ attach() {}, guard() {}, alloc: (schema, payload, value) => value })
    export const isBackEdge = () => false
    export const isRecursiveSchema = () => false`,
  ],
]

/**
 * Leaves out what all code refers to and the console never uses: how zod describes schemas as JSON Schema, a fifth of its
 * code, and the scrolled container of Mantine's tables, which brings the code of popovers. Instead they throw.
 */
function withoutUnused(): Plugin {
  const unused =
    /zod[\\/]v4[\\/]core[\\/](?:to-json-schema|json-schema-processors)\.js$|Table[\\/]TableScrollContainer\.mjs$/
  return {
    name: 'floorcast-without-unused',
    apply: 'build',
    transform(code, id) {
      const simple = simpler.find(([file]) => file.test(id))?.[1]
      if (simple !== undefined) return simple
      if (!unused.test(id)) return null
      const own = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const lists = [...code.matchAll(/^export \{ ([^}]+) \}/gm)].flatMap(([, names = '']) =>
        names.split(', '),
      )
      const names = [...own, ...lists.map(name => name.replace(/^\w+ as /, ''))]
      const refuse = `const refuse = () => () => { throw new Error('The console is built without it: vite.config.ts') }`
      return `${refuse}\nexport { ${names.map(name => `refuse as ${name}`).join(', ')} }`
    },
  }
}

/**
 * Leaves out what the server alone needs of the contract: each call in words, its outcomes, which calls are heavy or go on without
 * space, and the refusal of fields that a call does not declare. Of the table of pages it leaves out what the build alone reads.
 */
function withoutServerParts(): Plugin {
  const firstCalls = /^ {4}(?:firstCall|list): .*,\n/gm
  const serverParts =
    /\b(?:(?:isHeavy|worksOnFullDisk):\s*true|outcomes:\s*\[[^\]]*\]|summary:\s*(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\$])*`))\s*,?/g
  return {
    name: 'floorcast-without-server-parts',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (/console[\\/]src[\\/]app[\\/]pages\.ts$/.test(id)) return code.replaceAll(firstCalls, '')
      if (!/contract[\\/]src[\\/][^\\/]+\.ts$/.test(id)) return null
      if (id.endsWith('unknown-fields.ts')) return 'export const refuseUnknownFields = schema => schema'
      return code.replaceAll(serverParts, '')
    },
  }
}

/** The outlines of countries as a module of the map's own part. */
function countryShapes(): Plugin {
  const name = 'virtual:country-shapes'
  return {
    name: 'floorcast-country-shapes',
    resolveId: id => (id === name ? `\0${name}` : null),
    async load(id) {
      if (id !== `\0${name}`) return null
      const file = new URL(import.meta.resolve('world-atlas/countries-110m.json'))
      const world = JSON.parse(await readFile(file, 'utf8')) as Parameters<typeof buildCountryShapes>[0]
      const text = JSON.stringify(JSON.stringify(buildCountryShapes(world)))
      return `export default JSON.parse(${text})`
    },
  }
}

const catalogues = fileURLToPath(new URL('../../packages/locales/catalogues/', import.meta.url))

/** The texts of each language, one module for each part of `words-parts.ts`, and a module that loads them by name. */
function words(): Plugin {
  const name = 'virtual:words'
  return {
    name: 'floorcast-words',
    resolveId: id => (id === name || id.startsWith(`${name}/`) ? `\0${id}` : null),
    async load(id) {
      if (id === `\0${name}`) {
        const folders = await readdir(catalogues)
        const parts = Object.keys(wordsParts)
        const all = locales
          .filter(({ code }) => folders.includes(code))
          .flatMap(({ code }) => parts.map(part => `${code}-${part}`))
        const lines = all.map(each => `'${each}': () => import('${name}/${each}'),`)
        return `export default {\n${lines.join('\n')}\n}`
      }
      const [, code = '', part = ''] = /^\0virtual:words\/(\w+)-(\w+)$/.exec(id) ?? []
      const files = Object.entries(wordsParts).find(([each]) => each === part)?.[1]
      if (!files) return null
      const texts: Record<string, unknown> = {}
      for (const file of files) {
        const path = join(catalogues, code, `${file}.json`)
        this.addWatchFile(path)
        texts[file] = JSON.parse(await readFile(path, 'utf8'))
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(texts))})`
    },
  }
}

/** The modules that no file holds. */
export const virtualModules = (): Plugin[] => [words(), manual(), countryShapes()]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), ...virtualModules(), withoutUnused(), withoutServerParts(), buildFiles(), brotli()],
  build: {
    target: 'es2024',
    // Fonts and pictures stay files: the Content-Security-Policy allows no data: font.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // Names of parts stand in each other part: hexadecimal hashes compress to two thirds, and their size hardly differs.
        hashCharacters: 'hex',
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendors, priority: 20 },
            { name: 'base', test: base, priority: 5 },
            // Without these, the bundler puts all forms of /login and their checkbox into one part. Each part takes what it
            // needs and no part before it has.
            { name: 'small', test: small, minShareCount: 3, priority: 4 },
            { name: 'checkbox', test: checkbox, priority: 4 },
            { name: 'auth', test: /features[\\/]auth[\\/](?:auth-form|login-page)/, priority: 3 },
            { name: 'auth-later', test: /features[\\/]auth[\\/]mail-forms/, priority: 2 },
            { name: 'start', test: start, priority: 2 },
            { name: 'auth', test: auth, priority: 1 },
            // The signed-in pages. Small parts that many of them share become few larger ones: each file costs a request.
            { name: 'query', test: /@tanstack[\\/]/ },
            { name: 'scroll', test: components('ScrollArea') },
            { name: 'popover', test: popover },
            { name: 'overlay', test: overlay },
            { name: 'icons', test: /@tabler[\\/]/, minShareCount: 2 },
            { name: 'client', test: client },
            { name: 'frame', test: frame },
            { name: 'common', test: /(?:apps|packages)[\\/][\w-]+[\\/]src[\\/]/, minShareCount: 23 },
            { name: 'detail', test: detail },
            { name: 'item-links', test: itemLinks },
            { name: 'device', test: device },
          ],
        },
      },
    },
  },
  server: {
    proxy: { [calls]: { target: `http://localhost:${process.env['PORT'] ?? 8080}`, bypass: page } },
  },
})

/** In development a page load gets the console; everything that asks for JSON goes to the server. */
function page(request: { headers: { accept?: string | undefined } }): string | undefined {
  return request.headers.accept?.includes('text/html') ? '/index.html' : undefined
}
