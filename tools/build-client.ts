import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isTest } from './import-rules.ts'
import { ownRoot } from './source-files.ts'

const CLIENT = join(ownRoot, 'packages/client')
const BUILT = join(CLIENT, 'dist')
const MARK = join(BUILT, '.sources')

interface Manifest {
  name: string
  version: string
  license: string
}

function hashSources(): string {
  const sources = [join(CLIENT, 'README.md'), join(CLIENT, 'package.json'), import.meta.filename]
  const modules = globSync(join(CLIENT, 'src/*.ts')).filter(file => !isTest(file))
  const hash = createHash('sha256')
  for (const file of [...sources, ...modules.toSorted()]) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

/** What an integrator's npm and bundler read; the workspace's own manifest leads to the sources. */
function makeManifest({ name, version, license }: Manifest) {
  return {
    name,
    version,
    license,
    description: 'The typed client of the Floorcast API.',
    type: 'module',
    engines: { node: '>=20.19' },
    sideEffects: false,
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    types: './dist/index.d.ts',
  }
}

/** The compiler leaves `./list.ts` in declarations, which older ones do not read. */
function nameDeclarations(folder: string): void {
  for (const file of globSync('*.d.ts', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), text.replaceAll(/ from '(\.\/[\w-]+)\.ts'/g, " from '$1.js'"))
  }
}

/**
 * Builds the typed client as a package that npm installs from a file: ES modules, declarations, README and license. Again only when its
 * sources have changed.
 */
function buildClient(): void {
  const manifest = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as Manifest
  const archive = join(BUILT, `floorcast-client-${manifest.version}.tgz`)
  const sources = hashSources()
  if (existsSync(archive) && existsSync(MARK) && readFileSync(MARK, 'utf8') === sources) return
  console.error(`Building ${relative(ownRoot, archive)} (again only when its sources change) …`)
  rmSync(BUILT, { recursive: true, force: true })
  const folder = join(BUILT, 'package')
  mkdirSync(folder, { recursive: true })
  execFileSync(join(ownRoot, 'node_modules/.bin/tsc'), ['-p', CLIENT], { stdio: 'inherit' })
  nameDeclarations(join(folder, 'dist'))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(makeManifest(manifest), null, 2)}\n`)
  const readme = readFileSync(join(CLIENT, 'README.md'), 'utf8')
  writeFileSync(join(folder, 'README.md'), readme.replaceAll('VERSION', manifest.version))
  cpSync(join(ownRoot, 'LICENSE'), join(folder, 'LICENSE'))
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', BUILT], { cwd: folder })
  writeFileSync(MARK, sources)
}

if (import.meta.main) buildClient()
