import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeLog, openLogFile } from './log.ts'

it('keeps the log of the former start beside that of this one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const dataDir = join(folder, 'not made yet')
  makeLog('info', openLogFile(dataDir).destination).info('first start')
  const { path, destination } = openLogFile(dataDir)
  makeLog('info', destination).info({ password: 'correct horse' }, 'second start')
  expect(readFileSync(`${path}.1`, 'utf8')).toContain('first start')
  expect(readFileSync(path, 'utf8')).toContain('second start')
  expect(readFileSync(path, 'utf8')).not.toContain('correct horse')
})

it('begins a new file when one is full, and keeps four former ones', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const { path, destination } = openLogFile(folder, 1000)
  const log = makeLog('info', destination)
  for (let line = 1; line <= 100; line += 1) log.info({ line }, 'x'.repeat(100))
  const names = ['', '.1', '.2', '.3', '.4'].map(suffix => `server.log${suffix}`)
  expect(readdirSync(folder).toSorted()).toEqual(names)
  for (const name of names) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(1000)
  const numbers = names
    .toReversed()
    .flatMap(name => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map(line => (JSON.parse(line) as { line: number }).line)
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, index) => 101 - numbers.length + index))
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
