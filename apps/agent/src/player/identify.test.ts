import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loudnessOf, recordMpv } from '@floorcast/testing/recorded-mpv.ts'
import { expect, onTestFinished, test } from 'vitest'
import { soundBell } from './identify.ts'

test('The bell of a device is heard, also where its volume is 0', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-bell-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { command, audioOutput, recording } = recordMpv(folder)
  const isHeard = await soundBell({ command, audioOutput }, { volume: 0, steady: () => performance.now() })
  expect(isHeard).toBe(true)
  expect(loudnessOf(recording, { from: 0, seconds: 3 })).toBeGreaterThan(-35)
})
