import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { findUnreached, findUnshown, readReached } from './reached-calls.ts'

/**
 * `npm test`: the check and then every test but the long ones and the attacks, even where the check failed, so that one run tells all.
 * `npm run test:long` passes `long`, `npm run test:attack` passes `attack`. Further arguments go to Vitest. The JSON report lands in artifacts/. A whole run must
 * have seen every outcome that the contract declares, and every call by the test that docs/api.md names for it.
 */
const isApart = ['long', 'attack'].includes(process.argv[2] ?? '')
const [kind, ...more] = isApart ? process.argv.slice(2) : ['all', ...process.argv.slice(2)]
const reportFile = `artifacts/tests-${kind}.json`
const reachedFolder = 'artifacts/reached-calls'
rmSync(reportFile, { force: true })
rmSync(reachedFolder, { recursive: true, force: true })
process.env['REACHED_CALLS'] = resolve(reachedFolder)

const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

const isChecked = isApart || run('npm', ['run', '--silent', 'check'])
const isTested = run('vitest', [
  'run',
  ...(isApart ? [`--project=${kind}`] : ['--project=!long', '--project=!attack']),
  '--reporter=default',
  '--reporter=json',
  '--reporter=./tools/tests-reporter.ts',
  `--outputFile.json=${reportFile}`,
  ...more,
])
const isWhole = kind === 'all' && more.length === 0
const reached = readReached(reachedFolder)
const lacks = isWhole ? [...findUnreached(reached), ...findUnshown(reached)] : []
for (const line of lacks) console.error(line)
if (!isChecked) console.error('\nnpm run check failed; see the top.')
process.exitCode = isChecked && isTested && lacks.length === 0 ? 0 : 1
