import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { compareVersions } from '../packages/contract/src/update-versions.ts'
import { packServer } from './pack-server.ts'
import { ownRoot } from './source-files.ts'
import { nameSbom, SBOM } from './write-sbom.ts'

const HELP = `npm run release -- VERSION [--date YYYY-MM-DD]

  Makes a release of this checkout. VERSION becomes that of every package, of CHANGELOG.md and of the agent, in a commit with
  the tag vVERSION. The agent's file, the typed client, the archive of the server, the bill of materials, the sources and their
  SHA-256 sums come into artifacts/release-VERSION. Nothing is pushed.

  --date  the release's day; today by UTC unless told
`

const RELEASE_FILE = 'packages/contract/src/release.ts'
const AGENT = 'apps/agent/dist/floorcast-agent.mjs'
const clientOf = (version: string) => `packages/client/dist/floorcast-client-${version}.tgz`

interface Manifest {
  version: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Sets the version of a workspace, and which it wants of the others. */
function setVersion(manifest: Manifest, version: string): void {
  manifest.version = version
  for (const wanted of [manifest.dependencies, manifest.devDependencies])
    for (const name of Object.keys(wanted ?? {}))
      if (wanted && name.startsWith('@floorcast/')) wanted[name] = version
}

function rewriteJson<T>(file: string, change: (json: T) => void): void {
  const json = JSON.parse(readFileSync(file, 'utf8')) as T
  change(json)
  writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)
}

/**
 * What a release is made of; `build` writes the agent's file, the client and the bill of materials, `pack` the archive of the server from the commit of
 * the release.
 */
interface ReleasePlan {
  root: string
  version: string
  date: string
  build: (root: string) => void
  pack: (root: string, archive: string) => void
}

const runGit = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
const headingOf = (version: string) => `## [${version}] - unreleased`

/** What speaks against a release of this checkout; undefined if nothing does. */
function findFault({ root, version, date }: ReleasePlan): string | undefined {
  const present = (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest).version
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `${version} is no version such as 2.776.0.`
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return `${date} is no day such as 2026-11-30.`
  if (compareVersions(version, present) <= 0)
    return `${version} is not above ${present}, the version of this checkout.`
  if (runGit(root, 'status', '--porcelain') !== '')
    return 'There are changes that are not committed. Commit them or take them back.'
  if (runGit(root, 'tag', '--list', `v${version}`) !== '') return `There is a tag v${version} already.`
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(headingOf(version)))
    return `CHANGELOG.md has no line '${headingOf(version)}'.`
  return undefined
}

function setVersions({ root, version, date }: ReleasePlan): void {
  for (const file of runGit(root, 'ls-files', 'package.json', '*/package.json').split('\n'))
    rewriteJson<Manifest>(join(root, file), manifest => setVersion(manifest, version))
  const lockFile = join(root, 'package-lock.json')
  rewriteJson<{ version: string; packages: Record<string, Manifest> }>(lockFile, lock => {
    lock.version = version
    for (const [path, manifest] of Object.entries(lock.packages))
      if (!path.includes('node_modules/')) setVersion(manifest, version)
  })
  const replace = (file: string, sought: string | RegExp, text: string) =>
    writeFileSync(join(root, file), readFileSync(join(root, file), 'utf8').replace(sought, text))
  replace(RELEASE_FILE, /\{ version: .* \} as/, `{ version: '${version}', date: '${date}' } as`)
  replace('CHANGELOG.md', headingOf(version), `## [${version}] - ${date}`)
}

function collectFiles({ root, version, pack }: ReleasePlan): string {
  const folder = join(root, `artifacts/release-${version}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const file of [AGENT, clientOf(version)]) copyFileSync(join(root, file), join(folder, basename(file)))
  nameSbom(root, runGit(root, 'rev-parse', 'HEAD'))
  renameSync(join(root, SBOM), join(folder, SBOM))
  const name = `floorcast-${version}`
  runGit(root, 'archive', `--prefix=${name}/`, '--output', join(folder, `${name}.tar.gz`), `v${version}`)
  pack(root, join(folder, `floorcast-server-${version}.tar.gz`))
  const sums = globSync('*', { cwd: folder })
    .toSorted()
    .map(
      file =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return folder
}

/**
 * Cuts a release.
 * @returns the folder with its files
 * @throws Error if the checkout is not fit for it or the build fails; the checkout is then as it was
 */
export function cutRelease(plan: ReleasePlan): string {
  const { root, version } = plan
  const fault = findFault(plan)
  if (fault !== undefined) throw new Error(fault)
  try {
    setVersions(plan)
    plan.build(root)
  } catch (error) {
    runGit(root, 'checkout', '--quiet', '.')
    throw error
  }
  runGit(root, 'commit', '--quiet', '--all', '--message', `release: ${version}`)
  runGit(root, 'tag', '--annotate', '--message', `Floorcast ${version}`, `v${version}`)
  return collectFiles(plan)
}

function build(root: string): void {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, stdio: 'inherit' })
  run('node', 'tools/build-console.ts')
  run('node', 'tools/build-agent.ts')
  run('node', 'tools/build-client.ts')
  run('npm', 'run', '--silent', 'sbom')
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { date: { type: 'string', default: new Date().toISOString().slice(0, 10) } },
    })
    const [version, ...others] = positionals
    if (version === undefined || others.length > 0)
      throw new Error('VERSION is missing, or there are several.')
    process.stdout.write(
      `Tag v${version}, files in ${cutRelease({ root: ownRoot, version, date: values.date, build, pack: packServer })}\n`,
    )
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
    process.exitCode = 1
  }
}
