import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'floorcast-count-'))))
afterAll(() => rmSync(folder, { recursive: true }))

const report = (passed: number, failed: number, more: object = {}) => ({
  numPassedTests: passed,
  numFailedTests: failed,
  success: failed === 0,
  testResults: [],
  ...more,
})

function count(...reports: unknown[]) {
  const files = reports.map((content, n) => {
    const file = join(folder, `${n}.json`)
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
    return file
  })
  return run(files)
}

function run(files: string[]) {
  const script = join(import.meta.dirname, 'count-tests.mjs')
  const { stdout, status } = spawnSync(process.execPath, [script, ...files], { encoding: 'utf8' })
  return { said: stdout, status }
}

it('the last line of a run adds up several reports', () => {
  expect(count(report(3, 0), report(4, 0))).toEqual({ said: '7 passed, 0 failed\n', status: 0 })
})

it('the last line of a run fails when a test failed', () => {
  expect(count(report(3, 2))).toEqual({ said: '3 passed, 2 failed\n', status: 1 })
})

it('the last line of a run fails when nothing ran', () => {
  expect(count(report(0, 0))).toEqual({ said: '0 passed, 0 failed\n', status: 1 })
})

it('the last line of a run counts a file that did not load, beside failed tests of others', () => {
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
    { status: 'failed', assertionResults: [{ status: 'passed' }] },
    { status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  expect(count(report(3, 1, { testResults }))).toEqual({ said: '3 passed, 3 failed\n', status: 1 })
})

it('the last line of a run counts a run that calls itself failed although no test did', () => {
  expect(count(report(5, 0, { success: false }))).toEqual({ said: '5 passed, 1 failed\n', status: 1 })
})

it('the last line of a run counts a report that is missing, cut short or of another shape', () => {
  expect(run([join(folder, 'missing.json')])).toEqual({ said: '0 passed, 1 failed\n', status: 1 })
  expect(count(report(2, 0), '{"numPassedTests": 1')).toEqual({ said: '2 passed, 1 failed\n', status: 1 })
  expect(count(report(2, 0), {})).toEqual({ said: '2 passed, 1 failed\n', status: 1 })
})

it('the last line of a run fails without any report', () => {
  expect(run([])).toEqual({ said: '0 passed, 0 failed\n', status: 1 })
})
