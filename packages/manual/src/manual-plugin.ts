import { buildManual, readHelpIndex } from './manual-build.ts'

/** What this plugin uses of Vite's plugin context. */
interface Emitter {
  emitFile: (file: { type: 'asset'; fileName: string; source: string | Uint8Array }) => unknown
}

const NAME = 'virtual:help'

/** The console's styles with Chinese letters, in slices that a page fetches as it shows them. */
const CHINESE = /^assets\/chinese-font-[^/]+\.css$/

/** @throws Error if the console has no such styles any more */
function chineseLetters(files: readonly string[]): string {
  const file = files.find(name => CHINESE.test(name))
  if (!file) throw new Error('The manual finds no styles with Chinese letters in the console')
  return `/${file}`
}

/** A Vite plugin: the manual's files under `/manual`, and `virtual:help`, which page of it explains which route. */
export const manual = () => ({
  name: 'floorcast-manual',
  resolveId: (id: string) => (id === NAME ? `\0${NAME}` : null),
  load: (id: string) => (id === `\0${NAME}` ? `export default ${JSON.stringify(readHelpIndex())}` : null),
  generateBundle(this: Emitter, _options: unknown, bundle: object) {
    for (const { path, content } of buildManual({ cn: chineseLetters(Object.keys(bundle)) }))
      this.emitFile({ type: 'asset', fileName: `manual/${path}`, source: content })
  },
})
