import { execFileSync, spawnSync } from 'node:child_process'
import { findReachableTests, readDependencies } from './reachable-tests.ts'
import { ownRoot } from './source-files.ts'

/**
 * `npm run test:changed [-- REF]`: the check, and the tests that the changes since REF can reach, uncommitted ones
 * included. Without REF: since this branch left `main`.
 */
const git = (...args: string[]) => execFileSync('git', args, { cwd: ownRoot, encoding: 'utf8' })
const lines = (text: string) => text.split('\n').filter(line => line !== '')

const since = process.argv[2] ?? git('merge-base', 'HEAD', 'main').trim()
const changed = [
  ...lines(git('diff', '--name-only', '--no-renames', since)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
]
const tests = findReachableTests(readDependencies(ownRoot), changed)
console.log(`${changed.length} changed files reach ${tests.length} test files`)

const run = (command: string, args: string[]) =>
  spawnSync(command, args, { cwd: ownRoot, stdio: 'inherit' }).status === 0
const isChecked = run('npm', ['run', '--silent', 'check'])
const isTested = run('vitest', ['run', '--project=!long', '--project=!attack', ...tests])
process.exitCode = isChecked && isTested ? 0 : 1
