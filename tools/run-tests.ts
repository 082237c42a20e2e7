import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'

/**
 * `npm test`: the check and then every test but the long ones, even where the check failed, so that one run tells all.
 * `npm run test:long` passes `long`. Further arguments go to Vitest. The JSON report lands in artifacts/.
 */
const [kind, ...more] = process.argv[2] === 'long' ? process.argv.slice(2) : ['all', ...process.argv.slice(2)]
const reportFile = `artifacts/tests-${kind}.json`
rmSync(reportFile, { force: true })

const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

const isChecked = kind === 'long' || run('npm', ['run', '--silent', 'check'])
const isTested = run('vitest', [
  'run',
  `--project=${kind === 'long' ? 'long' : '!long'}`,
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${reportFile}`,
  ...more,
])
if (!isChecked) console.error('\nnpm run check failed; see the top.')
process.exitCode = isChecked && isTested ? 0 : 1
