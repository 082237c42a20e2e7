import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { consoleRoutes } from '@floorcast/contract/console-routes.ts'
import { locales } from '@floorcast/locales/locales.ts'
import type { Plugin, Rolldown } from 'vite'
import type { Build } from './src/platform/build.ts'

type Chunk = Rolldown.OutputChunk

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

const frame = /[\\/]app[\\/](?:shell[\\/]shell|page-loaders)\.tsx?$/
const signIn = /[\\/]features[\\/]auth[\\/](?:login|lock)-page\.tsx$/

/** What `boot.js` fetches with the first script of a signed-in page. */
function findSignedIn(chunks: Chunks): Record<string, string[]> {
  const login = chunks.reach(chunks.entry)
  const added = [...chunks.reach(chunks.of(frame)).keys()].filter(name => !login.has(name))
  return { all: added.map(name => `/${name}`), ...wordsOf(chunks, 'shell') }
}

function describeBuild(chunks: Chunks): Build {
  const shell = chunks.reach([...chunks.entry, ...chunks.with(signIn), ...chunks.of(frame)])
  const loaders = chunks.of(/[\\/]app[\\/]page-loaders\.ts$/)
  const pages = chunks.reach(chunks.named(loaders.flatMap(({ dynamicImports }) => dynamicImports)))
  const files = addressesOf(shell)
  return {
    main: chunks.entry.map(({ fileName }) => `/${fileName}`)[0] ?? '',
    shell: files,
    pages: addressesOf(pages).filter(address => !files.includes(address)),
    words: wordsOf(chunks, String.raw`\w+`),
  }
}

/** Replaces the empty value of a constant in a file of `public`. */
async function fill(file: string, values: Record<string, { empty: string; value: unknown }>): Promise<void> {
  let text = await readFile(file, 'utf8')
  for (const [name, { empty, value }] of Object.entries(values)) {
    const place = `const ${name} = ${empty}`
    if (!text.includes(place)) throw new Error(`${file} has no '${place}'`)
    text = text.replace(place, () => `const ${name} = ${JSON.stringify(value)}`)
  }
  await writeFile(file, text)
}

/**
 * Writes `build.json`, which names the build and its files; into `boot.js` the languages, the files that every signed-in
 * page needs beyond /login and those of its texts by language; into `sw.js` the addresses of the pages.
 */
export function buildFiles(): Plugin {
  let folder = 'dist'
  let signedIn: Record<string, string[]> = {}
  return {
    name: 'floorcast-build-files',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    generateBundle(_, bundle) {
      const chunks = new Chunks(bundle)
      signedIn = findSignedIn(chunks)
      const source = JSON.stringify(describeBuild(chunks))
      this.emitFile({ type: 'asset', fileName: 'build.json', source })
    },
    async writeBundle() {
      const languages = locales
        .filter(({ code }) => code in signedIn)
        .map(({ code, tag, dir }) => ({ code, tag, dir }))
      await fill(join(folder, 'boot.js'), {
        signedIn: { empty: '{}', value: signedIn },
        languages: { empty: '[]', value: languages },
      })
      await fill(join(folder, 'sw.js'), { routes: { empty: '[]', value: consoleRoutes } })
    },
  }
}
