import { readFileSync } from 'node:fs'

/*
 * A file of tests that drive whole processes has a second try: on its own, with a new server and a new database, after all others. What
 * passes then shows a race, which the run reports (docs/decisions/0308).
 */

/** The projects whose files have one. */
export const SECOND_TRY_PROJECTS = ['server', 'devices', 'e2e']
/** If more files fail, races are not the cause. */
const MAX_FILES = 12

export interface FailedFile {
  /** The path from the root of the checkout. */
  file: string
  project: string
  /** Each failed test, or the file itself, with what it said. */
  errors: string[]
}

/** The failures of a run: the files, and whether anything failed outside of them. */
export interface Failures {
  files: FailedFile[]
  hasOthers: boolean
}

/** The files to try again; none where the run fails whatever they say. */
export function pickSecondTries({ files, hasOthers }: Failures): FailedFile[] {
  const mayTry = files.every(({ project }) => SECOND_TRY_PROJECTS.includes(project))
  return mayTry && !hasOthers && files.length <= MAX_FILES ? files : []
}

interface FileResult {
  /** The absolute path. */
  name: string
  status: string
  assertionResults: { status: string }[]
}

/** The parts of Vitest's JSON report that are added up. */
export interface RunReport {
  numTotalTests: number
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  success: boolean
  testResults: FileResult[]
}

/** A run's report with the results of the second tries in place of the first ones. */
export function mergeReports(first: RunReport, second: RunReport): RunReport {
  const again = new Map(second.testResults.map(result => [result.name, result]))
  const testResults = first.testResults.map(result => again.get(result.name) ?? result)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (...statuses: string[]) => tests.filter(({ status }) => statuses.includes(status)).length
  return {
    ...first,
    numTotalTests: tests.length,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    success: second.success && testResults.every(({ status }) => status !== 'failed'),
    testResults,
  }
}

/** Reads a JSON file of a run; null where the run did not come so far. */
export function readRunFile<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch {
    return null
  }
}
