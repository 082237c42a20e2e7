import { buildManual, readHelpIndex } from './manual-build.ts'

/** What this plugin uses of Vite's plugin context. */
interface Emitter {
  emitFile: (file: { type: 'asset'; fileName: string; source: string | Uint8Array }) => unknown
}

const NAME = 'virtual:help'

/** A Vite plugin: the manual's files under `/manual`, and `virtual:help`, which page of it explains which route. */
export const manual = () => ({
  name: 'floorcast-manual',
  resolveId: (id: string) => (id === NAME ? `\0${NAME}` : null),
  load: (id: string) => (id === `\0${NAME}` ? `export default ${JSON.stringify(readHelpIndex())}` : null),
  generateBundle(this: Emitter) {
    for (const { path, content } of buildManual())
      this.emitFile({ type: 'asset', fileName: `manual/${path}`, source: content })
  },
})
