import { createHash } from 'node:crypto'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isTest } from './import-rules.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const agent = join(root, 'apps/agent')
const mark = join(agent, 'dist/.sources')

/** Everything that the bundle is made of; tests are not. */
const SOURCES = [
  'package-lock.json',
  'tools/build-agent.ts',
  'apps/agent/src/**',
  'packages/{contract,device-client,device-player,playback}/src/**',
]

function hashSources(): string {
  const files = globSync(SOURCES, { cwd: root }).filter(file => !isTest(file))
  const hash = createHash('sha256')
  for (const file of files.toSorted())
    if (statSync(join(root, file)).isFile()) hash.update(`${file}\0`).update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

function readMark(): string {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return ''
  }
}

/** The licenses of the bundled packages require their text. */
function makeBanner(): string {
  const licenses = ['ws', 'zod'].map(name => {
    const words = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8')
    return `${name}\n\n${words}`.replaceAll('*/', '* /')
  })
  return `/*! Floorcast agent, Apache-2.0. Contains:\n\n${licenses.join('\n\n')}*/`
}

/** Builds the agent as one file in apps/agent/dist. A player needs only Node and mpv. */
async function buildAgent(sources: string): Promise<void> {
  // Vite alone takes a quarter of a second to read: only where there is something to bundle.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: agent,
    logLevel: 'warn',
    // Two builds of one version are told apart by what they are made of.
    define: { FLOORCAST_BUILD: JSON.stringify(sources.slice(0, 8)) },
    ssr: { noExternal: true, external: ['bufferutil', 'utf-8-validate'] },
    build: {
      ssr: 'src/main.ts',
      target: 'node22',
      outDir: 'dist',
      minify: false,
      rolldownOptions: {
        output: { entryFileNames: 'floorcast-agent.mjs', codeSplitting: false, banner: makeBanner() },
      },
    },
  })
}

const sources = hashSources()
if (readMark() !== sources) {
  console.error('Bundling the agent (again only when its sources change) …')
  await buildAgent(sources)
  writeFileSync(mark, sources)
}
