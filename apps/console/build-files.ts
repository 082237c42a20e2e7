import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildPath } from '@floorcast/contract/client.ts'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { locales } from '@floorcast/contract/locales.ts'
import { minify, type Plugin, type Rolldown } from 'vite'
import type { Build } from './src/platform/build.ts'
import { type ListDefaults, queryOf, readListView } from './src/ui/data-table/list-address.ts'

type Chunk = Rolldown.OutputChunk

/** The properties of a page in `app/pages.ts` that the build reads. */
interface Page {
  name: string
  path: string
  section: string
  /** A further part of the texts. */
  words?: string
  load: () => unknown
  firstCall?: string
  list?: ListDefaults
}

/** The chunks of a build, by what they are for. */
class Chunks {
  readonly #chunks: readonly Chunk[]

  constructor(bundle: Rolldown.OutputBundle) {
    this.#chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  }

  /** The addresses of chunks and of all that they import at once, with their styles. */
  reach(chunks: readonly Chunk[], reached = new Map<string, Chunk>()): Map<string, Chunk> {
    for (const chunk of chunks.filter(({ fileName }) => !reached.has(fileName))) {
      reached.set(chunk.fileName, chunk)
      this.reach(this.named(chunk.imports), reached)
    }
    return reached
  }
  named(names: readonly string[]): Chunk[] {
    return this.#chunks.filter(({ fileName }) => names.includes(fileName))
  }
  /** The chunks that begin with such a source file. */
  of(source: RegExp): Chunk[] {
    return this.#chunks.filter(({ facadeModuleId }) => source.test(facadeModuleId ?? ''))
  }
  /** The chunks that have such a source file in them. */
  with(source: RegExp): Chunk[] {
    return this.#chunks.filter(({ moduleIds }) => moduleIds.some(id => source.test(id)))
  }
  get entry(): Chunk[] {
    return this.#chunks.filter(({ isEntry }) => isEntry)
  }
}

const stylesOf = ({ viteMetadata }: Chunk) => [...(viteMetadata?.importedCss ?? [])]
const addressesOf = (chunks: Map<string, Chunk>) => [
  ...new Set([...chunks].flatMap(([name, chunk]) => [name, ...stylesOf(chunk)]).map(name => `/${name}`)),
]

const words = (part: string) => new RegExp(String.raw`virtual:words/(\w+)-(?:${part})$`)
const codeOf = ({ facadeModuleId }: Chunk) => words(String.raw`\w+`).exec(facadeModuleId ?? '')?.[1] ?? ''

/** Addresses of texts by the code of their language. */
function wordsOf(chunks: Chunks, part: string): Record<string, string[]> {
  const byCode: Record<string, string[]> = {}
  for (const chunk of chunks.of(words(part))) (byCode[codeOf(chunk)] ??= []).push(`/${chunk.fileName}`)
  return byCode
}

const frame = /[\\/]app[\\/](?:shell[\\/]shell|pages)\.tsx?$/
const signIn = /[\\/]features[\\/]auth[\\/](?:login|lock)-page\.tsx$/

/** The addresses of what `chunks` need beyond others. */
function addressesBeyond(chunks: Map<string, Chunk>, ...others: Map<string, Chunk>[]): string[] {
  const had = new Set(others.flatMap(addressesOf))
  return addressesOf(chunks).filter(address => !had.has(address))
}

/** The source file of a page, by its import in the table of the pages. */
function sourceOf({ name, load }: Page): RegExp {
  const [, file] = /import\(['"`]\.+\/([^'"`]+)['"`]\)/.exec(load.toString()) ?? []
  if (!file) throw new Error(`pages.ts has no file for '${name}'`)
  return new RegExp(`[\\\\/]${file.replaceAll('/', String.raw`[\\/]`)}$`)
}

/** Which files each page needs beyond those of every signed-in page: places in `files`, by the path of the page. */
interface PageFiles {
  files: string[]
  pages: Record<string, number[]>
}

function describePages(chunks: Chunks, all: readonly Page[], code: string): PageFiles {
  const signedIn = [chunks.reach(chunks.entry), chunks.reach(chunks.of(frame))]
  const files: string[] = []
  const place = (address: string) => {
    if (!files.includes(address)) files.push(address)
    return files.indexOf(address)
  }
  const describe = (page: Page) => {
    const source = chunks.of(sourceOf(page))
    const added = addressesBeyond(chunks.reach(source), ...signedIn)
    const parts = [page.section, ...(page.words ? [page.words] : [])].join('|')
    return [...added, ...(wordsOf(chunks, parts)[code] ?? [])].map(place)
  }
  return { files, pages: Object.fromEntries(all.map(page => [page.path, describe(page)])) }
}

function describeBuild(chunks: Chunks, all: readonly Page[]): Build {
  const shell = chunks.reach([...chunks.entry, ...chunks.with(signIn), ...chunks.of(frame)])
  const pages = chunks.reach(all.flatMap(page => chunks.of(sourceOf(page))))
  const files = addressesOf(shell)
  return {
    main: chunks.entry.map(({ fileName }) => `/${fileName}`)[0] ?? '',
    shell: files,
    pages: addressesOf(pages).filter(address => !files.includes(address)),
    words: wordsOf(chunks, String.raw`\w+`),
  }
}

/** The address of a page's first call; of a list, with the query of the page without one. */
const firstCallOf = ({ firstCall, list }: Page) =>
  firstCall && buildPath(firstCall, {}, list && queryOf(readListView(new URLSearchParams(), list)))

const firstCallsOf = (all: readonly Page[]): Record<string, string | undefined> =>
  Object.fromEntries(all.map(page => [page.path, firstCallOf(page)]))

/** Replaces the empty values of constants in a script of `public`, and minifies it. */
async function fill(file: string, values: Record<string, { empty: string; value: unknown }>): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const [name, { empty, value }] of Object.entries(values)) {
    const place = `const ${name} = ${empty}`
    if (!text.includes(place)) throw new Error(`${file} has no '${place}'`)
    text = text.replace(place, () => `const ${name} = ${JSON.stringify(value)}`)
  }
  const { code, errors } = await minify(file, text, { module: false })
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  await writeFile(file, code)
}

/**
 * Writes `build.json`, which names the build and its files, and a list of the files of each page in each language; into
 * `boot.js` the languages with their first files, the files that every signed-in page needs beyond /login, and the first calls of
 * pages; into `sw.js` the addresses of the pages.
 */
export function buildFiles(): Plugin {
  let root = ''
  let folder = 'dist'
  let frameFiles: string[] = []
  let languages: unknown[] = []
  let pages: readonly Page[] = []
  return {
    name: 'floorcast-build-files',
    apply: 'build',
    configResolved(config) {
      root = config.root
      folder = join(root, config.build.outDir)
    },
    async buildStart() {
      // Imported by its address: it is not part of what other users of this file load.
      const table = (await import(pathToFileURL(join(root, 'src/app/pages.ts')).href)) as {
        pages: readonly Page[]
      }
      pages = table.pages
    },
    generateBundle(_, bundle) {
      const chunks = new Chunks(bundle)
      const emit = (file: Parameters<typeof this.emitFile>[0]) => this.getFileName(this.emitFile(file))
      const emitPages = (code: string) =>
        emit({
          type: 'asset',
          name: `pages-${code}.json`,
          source: JSON.stringify(describePages(chunks, pages, code)),
        })
      const [first, signedIn] = [wordsOf(chunks, 'auth'), wordsOf(chunks, 'shell')]
      languages = locales
        .filter(({ code }) => code in first)
        .map(({ code, tag, dir }) => ({
          code,
          tag,
          dir,
          first: first[code],
          signedIn: signedIn[code],
          pages: `/${emitPages(code)}`,
        }))
      frameFiles = addressesBeyond(chunks.reach(chunks.of(frame)), chunks.reach(chunks.entry))
      emit({ type: 'asset', fileName: 'build.json', source: JSON.stringify(describeBuild(chunks, pages)) })
    },
    async writeBundle() {
      await fill(join(folder, 'boot.js'), {
        languages: { empty: '[]', value: languages },
        frame: { empty: '[]', value: frameFiles },
        firstCalls: { empty: '{}', value: firstCallsOf(pages) },
      })
      await fill(join(folder, 'sw.js'), { routes: { empty: '[]', value: consoleRoutes } })
    },
  }
}
