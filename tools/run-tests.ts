import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type FailedFile,
  type Failures,
  mergeReports,
  pickSecondTries,
  readRunFile,
  type RunReport,
  SECOND_TRY_PROJECTS,
} from './second-try.ts'
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
 * `npm run test:long` passes `long`, and so on. Further arguments go to Vitest. The JSON report lands in artifacts/. Of a run
 * of all projects the few files that failed have a second try. A whole run must have seen every outcome that the contract declares, and every call by the test that docs/api.md names for it.
 */
const pickApart = APART[process.argv[2] ?? '']
const [kind, ...more] = pickApart ? process.argv.slice(2) : ['all', ...process.argv.slice(2)]
const reportFile = `artifacts/tests-${kind}.json`
const secondReportFile = 'artifacts/tests-second.json'
const failuresFile = 'artifacts/failures.json'
const reachedFolder = 'artifacts/reached-calls'
const timesFolder = 'artifacts/test-times'
const usesFolder = 'artifacts/test-uses'
for (const file of [reportFile, secondReportFile, failuresFile]) rmSync(file, { force: true })
process.env['FAILURES_FILE'] = resolve(failuresFile)
for (const folder of [reachedFolder, timesFolder, usesFolder])
  rmSync(folder, { recursive: true, force: true })
if (!pickApart) process.env['REACHED_CALLS'] = resolve(reachedFolder)
process.env['TEST_TIMES'] = resolve(timesFolder)
process.env['TEST_USES'] = resolve(usesFolder)

const run = (command: string, args: string[]) => spawnSync(command, args, { stdio: 'inherit' }).status === 0

const isChecked = pickApart !== undefined || run('npm', ['run', '--silent', 'check'])

const runTests = (report: string, args: string[]) =>
  run('vitest', [
    'run',
    ...args,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./tools/tests-reporter.ts',
    `--outputFile.json=${report}`,
    ...more,
  ])

function tryAgain(failed: readonly FailedFile[]): boolean {
  const files = failed.map(({ file }) => file)
  // The times are those of the first run.
  delete process.env['TEST_TIMES']
  console.log(`\nA second try of ${files.join(', ')}`)
  const passes = runTests(secondReportFile, [
    ...SECOND_TRY_PROJECTS.map(name => `--project=${name}`),
    ...files,
  ])
  const [first, second] = [readRunFile<RunReport>(reportFile), readRunFile<RunReport>(secondReportFile)]
  if (!first || !second) return false
  writeFileSync(reportFile, JSON.stringify(mergeReports(first, second)))
  if (passes)
    console.log(
      `\nPassed only at the second try; find out why (docs/decisions/0308):\n${failed.flatMap(({ errors }) => errors).join('\n')}`,
    )
  return passes
}

/** The files of the slice that `.ci/slice` names. */
function pickSlice(): string[] {
  const number = readNextSlice()
  const slice = readRound()[number - 1]
  if (!slice) throw new Error(`.ci/slice says ${number}, and there are ${SLICES} slices`)
  console.log(`Slice ${number} of ${SLICES}:\n${slice.join('\n')}`)
  return ['--project=slow', '--project=long', '--project=attack', ...slice]
}

function testAll(): boolean {
  if (runTests(reportFile, ['--project=!slow', '--project=!long', '--project=!attack'])) return true
  const failed = pickSecondTries(readRunFile<Failures>(failuresFile) ?? { files: [], hasOthers: true })
  return failed.length > 0 && tryAgain(failed)
}

const isTested = pickApart ? runTests(reportFile, pickApart()) : testAll()
const isWhole = kind === 'all' && more.length === 0
const reached = readReached(reachedFolder)
const lacks = isWhole ? [...findUnreached(reached), ...findUnshown(reached)] : []
for (const line of lacks) console.error(line)
if (!isChecked) console.error('\nnpm run check failed; see the top.')
process.exitCode = isChecked && isTested && lacks.length === 0 ? 0 : 1
