import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { atTheEnd } from './at-the-end.ts'
import { noteLog, noteProgram } from './test-uses.ts'

const MAIN = fileURLToPath(new URL('../../apps/server/src/main.ts', import.meta.url))

export interface ServerProgram {
  child: ChildProcess
  /** Every line that it has written so far. */
  said: readonly string[]
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>
  /** Waits for a line that matches; raises when the program ends without one. */
  until: (words: RegExp) => Promise<RegExpExecArray>
}

let keyFolder: string | null = null

/** The key of an installation, for the servers of a test that have a folder each. */
function sharedKeyFile(): string {
  if (keyFolder === null) {
    const folder = mkdtempSync(join(tmpdir(), 'floorcast-key-'))
    keyFolder = folder
    atTheEnd(async () => {
      keyFolder = null
      rmSync(folder, { recursive: true, force: true })
    })
  }
  return join(keyFolder, 'secret.key')
}

/**
 * Starts the server as a separate process, with these settings and none of the caller's; no balancer sends it calls, so that it stops without a
 * wait. Its default data folder has a space in its path and is removed after the file's tests; the key of such servers is the same.
 * @param main the program of another release
 */
export function startServerProgram(
  environment: Record<string, string>,
  args: string[] = [],
  main = MAIN,
): ServerProgram {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast main '))
  const own = 'DATA_DIR' in environment ? {} : { DATA_DIR: folder, SECRET_KEY_FILE: sharedKeyFile() }
  const env = { PATH: process.env['PATH'], PORT: '0', DRAIN_SECONDS: '0', ...own, ...environment }
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  if (main === MAIN) noteProgram(MAIN)
  const said: string[] = []
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  atTheEnd(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => {
      said.push(line)
      noteLog(line)
      child.emit('said')
    })
  const until = async (words: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      for (const line of said) {
        const match = words.exec(line)
        if (match) return match
      }
      await Promise.race([
        once(child, 'said'),
        ended.then(code => Promise.reject(new Error(`ended with ${String(code)}:\n${said.join('\n')}`))),
      ])
    }
  }
  return { child, said, ended, until }
}
