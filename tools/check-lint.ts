import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readImports } from './imports.ts'
import { listFiles, ownRoot } from './source-files.ts'

/*
 * `npm run check:lint`: the rules that read one file or the imports, on all files; and those that need types, with the compiler's
 * own messages, on the files that have changed since they passed, or of which something has that they import.
 */

const PASSED = join(ownRoot, 'node_modules/.cache/lint-passed.json')
/** The files that every file depends on. */
const FOUNDATIONS = [
  '.oxlintrc.json',
  'package-lock.json',
  ...listFiles(ownRoot, ['tsconfig*.json', '{apps,packages}/*/tsconfig.json', 'e2e/tsconfig.json']),
  // They say what a workspace exports.
  ...listFiles(ownRoot, [
    'package.json',
    '{apps,packages}/*/package.json',
    '{bench,e2e,testing}/package.json',
  ]),
  ...listFiles(ownRoot, ['{apps,packages,testing,e2e}/**/*.d.ts']),
]

const digest = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('base64url')
}

const digests = new Map<string, string>()

/** The digest of a file; empty for a file outside the repository. */
function digestOf(file: string): string {
  const known = digests.get(file)
  if (known !== undefined) return known
  const path = join(ownRoot, file)
  const own = existsSync(path) ? digest(readFileSync(path)) : ''
  digests.set(file, own)
  return own
}

/** The files that a file stands on, itself included. */
function standsOn(file: string, imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set([file])
  for (const one of found) for (const next of imports.get(one) ?? []) found.add(next)
  return [...found].toSorted()
}

/** For each file the digest of all that its types depend on. */
function readKeys(): Record<string, string> {
  const files = listFiles(ownRoot, [
    '{apps,packages}/*/**/*.{ts,tsx,mts,js,mjs}',
    '{testing,bench,e2e,tools}/**/*.{ts,mjs}',
    '*.ts',
  ])
  const foundation = digest(...FOUNDATIONS.map(digestOf))
  const imports = new Map(files.map(file => [file, readImports(ownRoot, file).map(({ to }) => to)]))
  return Object.fromEntries(
    files.map(file => [file, digest(foundation, ...standsOn(file, imports).map(digestOf))]),
  )
}

function readPassed(): Record<string, string> {
  try {
    return JSON.parse(readFileSync(PASSED, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}

const lint = (...args: string[]) => spawnSync('oxlint', args, { cwd: ownRoot, stdio: 'inherit' }).status === 0

const keys = readKeys()
const passed = readPassed()
const changed = Object.keys(keys).filter(file => passed[file] !== keys[file])
const isGood = lint() && (changed.length === 0 || lint('--type-aware', '--type-check', ...changed))
if (isGood) {
  mkdirSync(dirname(PASSED), { recursive: true })
  writeFileSync(PASSED, JSON.stringify(keys))
}
process.exitCode = isGood ? 0 : 1
