import { expect, it } from 'vitest'
import { mergeReports, pickSecondTries, type RunReport } from './second-try.ts'

const failed = (file: string, project: string) => ({ file, project, errors: ['it said so'] })

it('files that failed have a second try where whole processes run', () => {
  const files = [failed('a.test.ts', 'server'), failed('b.test.ts', 'e2e'), failed('c.test.ts', 'devices')]
  expect(pickSecondTries({ files, hasOthers: false })).toEqual(files)
})

it.each([
  { why: 'one of them runs in one process', file: failed('b.test.ts', 'packages'), hasOthers: false },
  { why: 'something failed outside of all files', file: failed('b.test.ts', 'e2e'), hasOthers: true },
])('files that failed have none when $why', ({ file, hasOthers }) => {
  expect(pickSecondTries({ files: [failed('a.test.ts', 'server'), file], hasOthers })).toEqual([])
})

it('files that failed have none when they are many', () => {
  const files = Array.from({ length: 13 }, (_, n) => failed(`${n}.test.ts`, 'server'))
  expect(pickSecondTries({ files, hasOthers: false })).toEqual([])
})

const file = (name: string, ...statuses: string[]) => ({
  name,
  status: statuses.includes('failed') || statuses.length === 0 ? 'failed' : 'passed',
  assertionResults: statuses.map(status => ({ status })),
})

function report(...testResults: RunReport['testResults']): RunReport {
  const count = (status: string) =>
    testResults.flatMap(result => result.assertionResults).filter(test => test.status === status).length
  return {
    numTotalTests: testResults.flatMap(result => result.assertionResults).length,
    numPassedTests: count('passed'),
    numFailedTests: count('failed'),
    numPendingTests: count('skipped'),
    success: testResults.every(({ status }) => status === 'passed'),
    testResults,
  }
}

const first = report(file('/a', 'passed', 'failed', 'skipped'), file('/b', 'passed'), file('/c'))

it('the report of a run with second tries has the second results of the files that were tried again', () => {
  const second = report(file('/a', 'passed', 'passed', 'skipped'), file('/c', 'passed'))
  expect(mergeReports(first, second)).toEqual(
    report(file('/a', 'passed', 'passed', 'skipped'), file('/b', 'passed'), file('/c', 'passed')),
  )
})

it('the report of a run with second tries fails where a file fails again', () => {
  const second = report(file('/a', 'passed', 'passed', 'skipped'), file('/c'))
  expect(mergeReports(first, second)).toMatchObject({
    success: false,
    numPassedTests: 3,
    numFailedTests: 0,
  })
})

it('the report of a run with second tries fails where a file was not tried again', () => {
  const second = report(file('/a', 'passed', 'passed', 'skipped'))
  expect(mergeReports(first, second).success).toBe(false)
})

it('the report of a run with second tries fails where the second run fails outside of its files', () => {
  const second = { ...report(file('/a', 'passed'), file('/c', 'passed')), success: false }
  expect(mergeReports(first, second).success).toBe(false)
})
