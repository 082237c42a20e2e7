// Adds up what Vitest's own JSON reports say and prints one line, `N passed, N failed`. Exits 1 when a test failed, a
// file did not load, or nothing ran. Plain JavaScript: it must speak even where the installation failed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * @typedef {{ status: string, assertionResults?: { status: string }[] }} FileResult
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

/** @type {(file: string) => Report | null} */
function readReport(file) {
  try {
    return /** @type {Report} */ (JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { passed, failed } = countTests(process.argv.slice(2).map(readReport))
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0
}
