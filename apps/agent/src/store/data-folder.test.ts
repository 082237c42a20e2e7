import { spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** The paths in a folder that other users of the machine can do anything with. */
const openPaths = (folder: string) =>
  ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
    path => (lstatSync(join(folder, path)).mode & 0o077) !== 0,
  )

test('An agent closes its data folder to other users, also that of an earlier release', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-agent-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  chmodSync(dataDir, 0o755)
  mkdirSync(join(dataDir, 'media'), { mode: 0o755 })
  writeFileSync(join(dataDir, 'media', 'a'.repeat(64)), 'sound', { mode: 0o644 })
  const options = ['--server', 'http://127.0.0.1:1', '--key', 'FC-TEST', '--data', dataDir]
  const agent = spawn(process.execPath, [MAIN, ...options], { stdio: 'ignore' })
  onTestFinished(() => void agent.kill('SIGKILL'))
  await vi.waitFor(
    () => {
      expect(existsSync(join(dataDir, 'agent.db'))).toBe(true)
      expect(openPaths(dataDir)).toEqual([])
    },
    { timeout: 20_000, interval: 100 },
  )
})
