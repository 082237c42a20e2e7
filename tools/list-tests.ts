import { readFileSync } from 'node:fs'

/**
 * `npm run list-tests [-- REPORT]`: the tests of a JSON report, the last whole run's unless named, one `file › name` a line
 * in order, so that `diff` compares two runs.
 */
const report = JSON.parse(readFileSync(process.argv[2] ?? 'artifacts/tests-all.json', 'utf8')) as {
  testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[]
}
/** The report may come from another checkout. */
const fromRoot = (file: string) => file.replace(/^.*?\/(?=(apps|packages|testing|tools|bench|e2e)\/)/, '')
const lines = report.testResults.flatMap(({ name, assertionResults }) =>
  assertionResults.map(
    ({ fullName, status }) => `${fromRoot(name)} › ${fullName}${status === 'passed' ? '' : ` (${status})`}`,
  ),
)
console.log(lines.toSorted().join('\n'))
