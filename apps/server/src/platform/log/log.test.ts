import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
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
