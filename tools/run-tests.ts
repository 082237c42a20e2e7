import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { readNextSlice, readRound, SLICES } from './slices.ts'
import { findUnreached, findUnshown } from './reached-calls.ts'
import { readReached } from './test-record.ts'

/** The tests that `npm test` leaves out, by the script that runs them. */
const APART: Readonly<Record<string, () => string[]>> = {
  long: () => ['--project=slow', '--project=long'],
  attack: () => ['--project=attack'],
  slice: pickSlice,
}

/**
 * `npm test`: the check and then every test but the slow and long ones and the attacks, even where the check failed, so that one run tells all.
 * `npm run test:long` passes `long`, and so on. Further arguments go to Vitest. The JSON report lands in artifacts/. A whole run must have seen every outcome that the contract declares, and every call by the test that docs/api.md names for it.
 */
const pickApart = APART[process.argv[2] ?? '']
const [kind, ...more] = pickApart ? process.argv.slice(2) : ['all', ...process.argv.slice(2)]
const reportFile = `artifacts/tests-${kind}.json`
const reachedFolder = 'artifacts/reached-calls'
const timesFolder = 'artifacts/test-times'
const usesFolder = 'artifacts/test-uses'
rmSync(reportFile, { force: true })
for (const folder of [reachedFolder, timesFolder, usesFolder])
  rmSync(folder, { recursive: true, force: true })
if (!pickApart) process.env['REACHED_CALLS'] = resolve(reachedFolder)
process.env['TEST_TIMES'] = resolve(timesFolder)
process.env['TEST_USES'] = resolve(usesFolder)

const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

const isChecked = pickApart !== undefined || run('npm', ['run', '--silent', 'check'])

/** The files of the slice that `.ci/slice` names. */
function pickSlice(): string[] {
  const number = readNextSlice()
  const slice = readRound()[number - 1]
  if (!slice) throw new Error(`.ci/slice says ${number}, and there are ${SLICES} slices`)
  console.log(`Slice ${number} of ${SLICES}:\n${slice.join('\n')}`)
  return ['--project=slow', '--project=long', '--project=attack', ...slice]
}

const projects = pickApart?.() ?? ['--project=!slow', '--project=!long', '--project=!attack']
const isTested = run('vitest', [
  'run',
  ...projects,
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
