// Adds up what Vitest's own JSON reports say: prints what failed and, as the last line, `N passed, N failed`. Exits 1 when a test
// failed, a file did not load, or nothing ran. Plain JavaScript: it must speak even where the installation failed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ status: string, fullName?: string, duration?: number, failureMessages?: string[] }} TestResult
 * @typedef {{ status: string, name?: string, message?: string, assertionResults?: TestResult[] }} FileResult
 * @typedef {{ numPassedTests: number, numFailedTests: number, success: boolean, testResults?: FileResult[] }} Report
 */

/** @type {(file: FileResult) => boolean} */
const didNotLoad = file =>
  file.status === 'failed' && !(file.assertionResults ?? []).some(test => test.status === 'failed')

/**
 * A file that failed without a failed test (it did not load, its hook threw) counts as one failure. So do a run that reports no
 * success without a failure, and an unreadable report.
 * @type {(reports: (Report | null)[]) => { passed: number, failed: number }}
 */
export function countTests(reports) {
  let passed = 0
  let failed = 0
  for (const report of reports) {
    if (!report || typeof report.numPassedTests !== 'number' || typeof report.numFailedTests !== 'number') {
      failed += 1
      continue
    }
    const lost = (report.testResults ?? []).filter(didNotLoad).length
    const seen = report.numFailedTests + lost
    passed += report.numPassedTests
    failed += seen === 0 && !report.success ? 1 : seen
  }
  return { passed, failed }
}

/** The output of a run has tens of thousands of lines, and only its end is kept everywhere. */
const MAX_NAMED = 20
const MAX_MESSAGE_LINES = 12
/** A line of a stack that says nothing of our own: of Node or of a library. */
const FOREIGN_FRAME = /^\s+at .*(node_modules\/|\bnode:|<anonymous>)/

/** @type {(test: TestResult) => string} */
const durationOf = ({ duration }) => (duration === undefined ? '' : ` (${(duration / 1000).toFixed(1)} s)`)

/** @type {(text: string) => string} */
const beginOf = text =>
  text
    .split('\n')
    .filter(line => !FOREIGN_FRAME.test(line))
    .slice(0, MAX_MESSAGE_LINES)
    .join('\n')

/**
 * The failed tests, each with its file, its time and the beginning of its message.
 * @type {(reports: (Report | null)[]) => string[]}
 */
export function describeFailures(reports) {
  const files = reports.flatMap(report => report?.testResults ?? [])
  const failures = files.flatMap(file => {
    const failed = (file.assertionResults ?? []).filter(test => test.status === 'failed')
    const named = failed.map(
      test =>
        `${file.name} › ${test.fullName}${durationOf(test)}\n${(test.failureMessages ?? []).join('\n')}`,
    )
    return didNotLoad(file) ? [`${file.name}\n${file.message ?? ''}`] : named
  })
  const more = failures.length > MAX_NAMED ? [`and ${failures.length - MAX_NAMED} more`] : []
  return [...failures.slice(0, MAX_NAMED).map(beginOf), ...more]
}

/** @type {(file: string) => Report | null} */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const reports = process.argv.slice(2).map(readReport)
  for (const failure of describeFailures(reports)) console.log(`FAILED ${failure}\n`)
  const { passed, failed } = countTests(reports)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
