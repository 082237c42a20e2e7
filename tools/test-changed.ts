import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chooseInTime, findReachableTests, isTest, readDependencies } from './reachable-tests.ts'
import { readSeconds } from './slices.ts'
import { ownRoot } from './source-files.ts'
import { readTestUses } from './test-record.ts'

/**
 * `npm run test:changed [-- REF]`: the check, and the tests that the changes since REF can reach, uncommitted ones
 * included, in about three minutes: slow tests that use much are listed, not run. Without REF: since this branch left `main`.
 */
const git = (...args: string[]) => execFileSync('git', args, { cwd: ownRoot, encoding: 'utf8' })
const lines = (text: string) => text.split('\n').filter(line => line !== '')

const since = process.argv[2] ?? git('merge-base', 'HEAD', 'main').trim()
const changed = [
  ...lines(git('diff', '--name-only', '--no-renames', since)),
  ...lines(git('ls-files', '--others', '--exclude-standard')),
]
const uses = readTestUses()
const dependencies = await readDependencies(ownRoot, uses)
const reached = findReachableTests(dependencies, changed)
const tests = chooseInTime(reached, changed, { uses, seconds: readSeconds() })
const later = reached.filter(file => !tests.includes(file))
const leftOut = [...dependencies.keys()].filter(file => isTest(file) && !tests.includes(file)).toSorted()
const projects = Map.groupBy(leftOut, file => /^(?:apps\/|packages\/)?[^/]+/.exec(file)?.[0] ?? '')
const counts = [...projects].map(([project, files]) => `${project} ${files.length}`)
const list = 'artifacts/left-out-tests.txt'
mkdirSync(join(ownRoot, 'artifacts'), { recursive: true })
writeFileSync(join(ownRoot, list), leftOut.map(file => `${file}\n`).join(''))
console.log(
  `${changed.length} changed files reach ${reached.length} test files. Now run:\n${tests.join('\n')}`,
)
if (later.length > 0)
  console.log(`They take too long for now; \`npm run test:long\` runs them:\n${later.join('\n')}`)
console.log(
  `Left out: ${leftOut.length} (${counts.join(', ')}), listed in ${list}. npm test and npm run test:long run all.`,
)

const run = (command: string, args: string[]) =>
  spawnSync(command, args, { cwd: ownRoot, stdio: 'inherit' }).status === 0
const isChecked = run('npm', ['run', '--silent', 'check'])
const isTested = run('vitest', ['run', '--project=!long', '--project=!attack', ...tests])
process.exitCode = isChecked && isTested ? 0 : 1
