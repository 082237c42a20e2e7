import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { describeMissingMpv } from './find-mpv.ts'

test('A machine without mpv is told what installs it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-path-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = `/nowhere:${folder}`
  const add = (name: string) => {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), 0o755)
  }
  expect(describeMissingMpv(path)).toContain(
    'is missing: nothing is heard. Install it: the package mpv of your system.',
  )
  add('apt-get')
  expect(describeMissingMpv(path)).toContain('Install it: sudo apt-get install mpv.')
  add('mpv')
  expect(describeMissingMpv(path)).toBeNull()
})
