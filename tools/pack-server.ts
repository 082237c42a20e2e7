import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { release } from '../packages/contract/src/release.ts'
import { isTest } from './import-rules.ts'
import { ownRoot } from './source-files.ts'

/*
 * The archive from which a server is installed without the repository: the sources of the server and of the packages that it runs, the
 * built console, the agent's file, and a lock with nothing for tests and builds (docs/operate/install.md).
 */

const HELP = `node tools/pack-server.ts FILE

  Packs the server of this checkout into FILE (tar.gz). Console and agent are built before: npm run prestart.
`

interface Manifest {
  name: string
  version: string
  scripts?: Record<string, string>
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  [field: string]: unknown
}

/** The pages to which docs/operate leads, without pictures and other languages. */
const DOCS = [
  ':(glob)docs/*.md',
  ':(glob)docs/manual/*.md',
  ':(glob)docs/manual/en/*.md',
  'docs/decisions',
  'docs/operate',
  'docs/security',
]
/** What operators read and change, and what makes an image. */
const PAGES = [
  '.dockerignore',
  '.env.example',
  'CHANGELOG.md',
  'Dockerfile',
  'LICENSE',
  'SECURITY.md',
  'compose.yaml',
  'packages/client/README.md',
  ...DOCS,
  'ops',
]
const BUILT = [
  'apps/console/dist',
  'apps/agent/dist/floorcast-agent.mjs',
  `packages/client/dist/floorcast-client-${release.version}.tgz`,
]
const OTHER_FILES = ['apps/agent/install/install.sh', 'tools/trim-install.mjs', 'tools/unread-files.mjs']
/** The commands of docs/operate; nothing has to be built or installed before them. */
const SCRIPTS: Record<string, string> = {
  postinstall: 'node tools/trim-install.mjs',
  start: 'exec node apps/server/src/main.ts',
  admin: 'exec node apps/server/src/admin.ts',
  backup: 'exec node apps/server/src/backup.ts',
  restore: 'exec node apps/server/src/restore.ts',
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Manifest
const writeJson = (file: string, json: object) => writeFileSync(file, `${JSON.stringify(json, null, 2)}\n`)

/** The workspaces that run with the server, the server first. */
function runningWorkspaces(root: string): string[] {
  const found = new Set(['apps/server'])
  for (const workspace of found)
    for (const name of Object.keys(readJson(join(root, workspace, 'package.json')).dependencies ?? {}))
      if (name.startsWith('@floorcast/')) found.add(name.replace('@floorcast/', 'packages/'))
  return [...found]
}

const CATALOGUE = /^packages\/locales\/catalogues\/\w+\/(?<name>\w+)\.json$/

/** Of the catalogues those that a program imports in English, and reads in the other languages; the console has its texts built in. */
function withoutConsoleCatalogues(root: string, files: readonly string[]): string[] {
  const imports = files
    .filter(file => file.endsWith('.ts'))
    .flatMap(file => [...readFileSync(join(root, file), 'utf8').matchAll(/\/catalogues\/en\/(\w+)\.json'/g)])
  const read = new Set(imports.map(([, name]) => name))
  return files.filter(file => {
    const name = CATALOGUE.exec(file)?.groups?.['name']
    return name === undefined || read.has(name)
  })
}

const DECISIONS = 'docs/decisions/README.md'
/** The number of a decision in a link or a path. */
const NAMED_DECISION = /(?:decisions\/|\()(\d{4})\b/g

/** Leaves out the decisions that no other packed file names. */
function withoutUnnamedDecisions(root: string, files: readonly string[]): string[] {
  const decisions = new Map(
    files.flatMap(file => {
      const number = /^docs\/decisions\/(\d{4})/.exec(file)?.[1]
      return number === undefined ? [] : [[number, file] as const]
    }),
  )
  const kept = new Set(files.filter(file => !file.startsWith('docs/decisions/')))
  for (const file of kept)
    for (const [, number = ''] of readFileSync(join(root, file), 'utf8').matchAll(NAMED_DECISION)) {
      const decision = decisions.get(number)
      if (decision !== undefined) kept.add(decision)
    }
  return [...kept, DECISIONS]
}

/** The index without the decisions that are not packed. */
function shortenIndex(folder: string): void {
  const index = join(folder, DECISIONS)
  const lines = readFileSync(index, 'utf8').split('\n')
  const isPacked = (line: string) => {
    const decision = /\((\d{4}-[\w-]+\.md)\)/.exec(line)?.[1]
    return decision === undefined || existsSync(join(dirname(index), decision))
  }
  writeFileSync(index, lines.filter(isPacked).join('\n'))
}

/** What the archive has of a checkout, beside what `packServer` writes itself. Folders of builds are one entry. */
export function listPackedFiles(root: string): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', ...runningWorkspaces(root), ...PAGES, ...OTHER_FILES],
    { cwd: root },
  )
  const files = listed.toString().split('\0')
  const packed = files.filter(file => file !== '' && !isTest(file))
  return [...withoutUnnamedDecisions(root, withoutConsoleCatalogues(root, packed)), ...BUILT]
}

function copySources(root: string, folder: string): void {
  for (const file of listPackedFiles(root)) {
    if (!existsSync(join(root, file))) throw new Error(`${file} is not there: npm run prestart builds it`)
    cpSync(join(root, file), join(folder, file), { recursive: true })
  }
  shortenIndex(folder)
}

/** The root's manifest and lock, without what is for tests and builds. Versions are those of the repository's lock. */
function writeManifests(root: string, folder: string, workspaces: readonly string[]): void {
  for (const workspace of workspaces) {
    const file = join(folder, workspace, 'package.json')
    const { devDependencies: _, ...manifest } = readJson(file)
    writeJson(file, manifest)
  }
  const { devDependencies: _, ...manifest } = readJson(join(root, 'package.json'))
  writeJson(join(folder, 'package.json'), { ...manifest, workspaces, scripts: SCRIPTS })
  cpSync(join(root, 'package-lock.json'), join(folder, 'package-lock.json'))
  execFileSync(
    'npm',
    ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: folder,
      stdio: 'inherit',
    },
  )
}

/** Packs the server of a checkout. @throws Error if console, agent or client are not built */
export function packServer(root: string, archive: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  const { version } = readJson(join(root, 'package.json'))
  const scratch = mkdtempSync(join(tmpdir(), 'floorcast-pack-'))
  const name = `floorcast-server-${version}`
  const folder = join(scratch, name)
  try {
    mkdirSync(folder)
    const workspaces = runningWorkspaces(root)
    copySources(root, folder)
    writeFileSync(join(folder, '.commit'), `${git('rev-parse', 'HEAD')}\n`)
    writeManifests(root, folder, workspaces)
    mkdirSync(dirname(archive), { recursive: true })
    const asBuilt = [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      `--mtime=@${git('log', '-1', '--format=%ct')}`,
    ]
    execFileSync('tar', ['--create', '--gzip', ...asBuilt, '--file', archive, name], { cwd: scratch })
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [file, ...others] = positionals
  if (file === undefined || others.length > 0) {
    process.stderr.write(HELP)
    process.exitCode = 2
  } else packServer(ownRoot, resolve(process.env['INIT_CWD'] ?? '.', file))
}
