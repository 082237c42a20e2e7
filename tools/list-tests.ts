import { readFileSync } from 'node:fs'
import { WAITS } from '../testing/src/test-times.ts'
import { recordSeconds } from './slices.ts'
import { record } from './test-record.ts'
import type { FileTimes } from './tests-reporter.ts'

/**
 * `npm run list-tests [-- REPORT]`: the tests of a JSON report, the last whole run's unless named, one `file › name` a line
 * in order, so that `diff` compares two runs. `npm run list-tests -- --slow`: where the time of the last run went.
 * `npm run list-tests -- --record`: records what its files used, for `npm run test:changed`,
 * a test for each call, for docs/api.md (`npm run docs:api`), and how long each took that `npm test` leaves out, for the slices.
 */
function listTests(path: string): string[] {
  const report = JSON.parse(readFileSync(path, 'utf8')) as {
    testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
  }
  /** The report may come from another checkout. */
  const fromRoot = (file: string) => file.replace(/^.*?\/(?=(apps|packages|testing|tools|bench|e2e)\/)/, '')
  return report.testResults
    .flatMap(({ name, assertionResults }) =>
      assertionResults.map(
        ({ fullName, status }) =>
          `${fromRoot(name)} › ${fullName}${status === 'passed' ? '' : ` (${status})`}`,
      ),
    )
    .toSorted()
}

const COLUMNS = ['all', 'imports', ...WAITS] as const
const SLOWEST = 60

/** Seconds by project and by file: in all, and of these what its worker waited for or computed. */
function listTimes(files: readonly FileTimes[]): string[] {
  const line = (name: string, counted: readonly FileTimes[]) =>
    COLUMNS.map(column => counted.reduce((ms, file) => ms + file[column], 0) / 1000)
      .map(seconds => seconds.toFixed(1).padStart(10))
      .join('') + `  ${name}`
  const head = COLUMNS.map(column => column.padStart(10)).join('')
  const projects = [...Map.groupBy(files, ({ project }) => project)]
  const slowest = files.toSorted((one, other) => other.all - one.all).slice(0, SLOWEST)
  return [
    `${head}  project (files)`,
    ...projects.map(([project, own]) => line(`${project} (${own.length})`, own)),
    line(`in all (${files.length})`, files),
    '',
    `${head}  file`,
    ...slowest.map(file => line(file.file, [file])),
  ]
}

const TIMES = 'artifacts/test-times.json'
const readTimes = () => JSON.parse(readFileSync(TIMES, 'utf8')) as FileTimes[]

function recordRun(): string {
  const count = record({ uses: 'artifacts/test-uses', reached: 'artifacts/reached-calls' })
  recordSeconds(readTimes())
  return `${count} files`
}

const [argument] = process.argv.slice(2)
const lines =
  argument === '--slow'
    ? listTimes(readTimes())
    : argument === '--record'
      ? [recordRun()]
      : listTests(argument ?? 'artifacts/tests-all.json')
console.log(lines.join('\n'))
