import react from '@vitejs/plugin-react'
import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompress, constants } from 'node:zlib'
import { promisify } from 'node:util'
import { defineConfig, type Plugin } from 'vite'
import { buildCountryShapes } from './src/ui/map/country-shapes.ts'

const compress = promisify(brotliCompress)
const vendors = /node_modules[\\/](?:react|react-dom|scheduler|react-router|i18next)[\\/]/
/** What /login is drawn with, in one part: some forty small ones compress worse and come later. */
const base =
  /@mantine[\\/](?:form|core[\\/]esm[\\/](?:core|utils|components[\\/](?:ActionIcon|Alert|Anchor|Button|CloseButton|Group|Input|InputBase|Loader|NativeSelect|Paper|PasswordInput|Skeleton|Stack|Text|TextInput|Title|Transition|UnstyledButton)))[\\/]|node_modules[\\/]clsx/
/** The pages of /login and /lock, but for what is loaded when the user types or needs the second step. */
const auth =
  /src[\\/](?:features[\\/]auth[\\/](?!auth-data|second-step)|ui[\\/](?:brand|password-field|side-form[\\/]use-saving-form))/
/** What every page begins with. */
const start =
  /src[\\/]platform[\\/](?:i18n|languages|storage|store|session|paths|personalization|console-settings|toasts)\.ts/
const checkbox = /@mantine[\\/]core[\\/]esm[\\/]components[\\/]Checkbox[\\/]/
const words = /locales[\\/]catalogues[\\/]([a-z]+)[\\/]([a-z]+)\.json/
const authWords = ['common', 'auth', 'fields', 'outcomes', 'problems']

/** In development: what goes to the server. The console's own files have a dot in their path, Vite's an @. */
const calls = String.raw`^/(?:config\.json|openapi\.json|[^.@?]*)(?:\?.*)?$`

/** Writes a `.br` beside every text file of the build; the server sends it as it is. */
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
          const small = await compress(bytes, {
            params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
          })
          await writeFile(join(folder, `${name}.br`), small)
        }),
      )
    },
  }
}

/** The words of one language make two parts: those of /login, and the rest. */
function nameWords(id: string): string {
  const [, language = '', noun = ''] = words.exec(id) ?? []
  return authWords.includes(noun) ? `words-${language}-auth` : `words-${language}`
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

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), countryShapes(), brotli()],
  build: {
    target: 'es2024',
    // Fonts and pictures stay files: the Content-Security-Policy allows no data: font.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor', test: vendors, priority: 20 },
            { name: nameWords, test: words, priority: 10, debugName: 'words' },
            { name: 'base', test: base, priority: 5 },
            // Without these, the bundler puts all forms of /login and their checkbox into one part. Each part takes what it
            // needs and no part before it has.
            { name: 'checkbox', test: checkbox, priority: 4 },
            { name: 'auth', test: /features[\\/]auth[\\/](?:auth-form|login-page)/, priority: 3 },
            { name: 'auth-later', test: /features[\\/]auth[\\/](?:mail-forms|register-form)/, priority: 2 },
            { name: 'start', test: start, priority: 2 },
            { name: 'auth', test: auth, priority: 1 },
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
