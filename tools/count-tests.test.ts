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
  const { said, status } = count(report(3, 1, { testResults }))
  expect(said).toMatch(/\n3 passed, 3 failed\n$/)
  expect(status).toBe(1)
})

it('the end of a run names what failed, with the beginning of each message', () => {
  const longMessage = Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n')
  const test = { status: 'failed', fullName: 'rejects a late file', failureMessages: [longMessage] }
  const testResults = [
    {
      status: 'failed',
      name: 'one.test.ts',
      assertionResults: [test, { status: 'passed', fullName: 'shows it' }],
    },
    { status: 'failed', name: 'two.test.ts', message: 'no such module', assertionResults: [] },
  ]
  const { said } = count(report(1, 1, { testResults }))
  expect(said).toContain('FAILED one.test.ts › rejects a late file\nline 0\nline 1\n')
  expect(said).not.toContain('line 50')
  expect(said).not.toContain('shows it')
  expect(said).toContain('FAILED two.test.ts\nno such module\n')
})

it('the end of a run says how long a failed test took, and where our own code was', () => {
  const foreign = Array.from({ length: 30 }, (_, n) => `    at parse (/app/node_modules/pg/lib/${n}.js:1:1)`)
  const failureMessages = [
    ['error: too late', ...foreign, '    at emit (node:events:5:2)', '    at join (/app/a.test.ts:9:3)'].join(
      '\n',
    ),
  ]
  const assertionResults = [{ status: 'failed', fullName: 'joins', duration: 20_123, failureMessages }]
  const { said } = count(
    report(1, 1, { testResults: [{ status: 'failed', name: 'a.test.ts', assertionResults }] }),
  )
  expect(said).toContain(
    'FAILED a.test.ts › joins (20.1 s)\nerror: too late\n    at join (/app/a.test.ts:9:3)\n',
  )
})

it('the end of a run names at most twenty failures', () => {
  const assertionResults = Array.from({ length: 25 }, (_, n) => ({ status: 'failed', fullName: `test ${n}` }))
  const { said } = count(
    report(1, 25, { testResults: [{ status: 'failed', name: 'a.test.ts', assertionResults }] }),
  )
  expect(said.match(/^FAILED a\.test/gm)).toHaveLength(20)
  expect(said).toContain('and 5 more')
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
