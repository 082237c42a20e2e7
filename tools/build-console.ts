import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const mark = join(root, 'apps/console/dist/.sources')

/** Everything that the built console is made of; tests are not. */
const SOURCES = [
  'package-lock.json',
  'tsconfig.base.json',
  'apps/console/*.{json,html,ts}',
  'apps/console/{src,public}/**',
  'packages/{contract,device-client,device-player,playback,planner,locales,manual,sample-media}/{src,catalogues,assets,files}/**',
  'docs/manual/*/**',
]

/** SHA-256 over names and bytes: what a build is made of, whatever the files' times. */
function hashSources(): string {
  const files = globSync(SOURCES, { cwd: root }).filter(file => !/\.test\.tsx?$/.test(file))
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

const sources = hashSources()
if (readMark() !== sources) {
  console.error('Building the console (again only when its sources change) …')
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const build = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: join(root, 'apps/console'),
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (build.status !== 0) {
    console.error('\nThe console could not be built; the lines above say where.')
    process.exit(1)
  }
  writeFileSync(mark, sources)
}
