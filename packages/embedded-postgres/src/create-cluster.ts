import { execFile } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Runner } from './unprivileged-runner.ts'

const execFileAsync = promisify(execFile)

/**
 * Creates a cluster: UTF-8 with the built-in C.UTF-8 locale, so that the sort order does not depend on the machine's
 * libraries. `noSync` is for tests, whose clusters need not survive a power cut.
 * @throws Error with initdb's message
 */
export async function createCluster(
  runner: Runner,
  options: { password: string; noSync: boolean },
): Promise<void> {
  mkdirSync(runner.dataFolder, { recursive: true, mode: 0o700 })
  // initdb needs the password in a file that its user can read; DATA_DIR may be closed to that user.
  const secret = mkdtempSync(join(tmpdir(), 'floorcast-initdb-'))
  const passwordFile = join(secret, 'password')
  try {
    writeFileSync(passwordFile, options.password, { mode: 0o600 })
    if (runner.user !== null)
      for (const path of [secret, passwordFile]) chownSync(path, runner.user, runner.user)
    const { initdb } = runner.binaries
    const all = [...runner.prefix, initdb, ...initdbArguments(runner, passwordFile)]
    const [program = initdb, ...rest] = options.noSync ? [...all, '--no-sync'] : all
    await execFileAsync(program, rest, {
      cwd: '/',
      ...(runner.user === null ? {} : { uid: runner.user, gid: runner.user }),
    })
  } catch (error) {
    const message = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    throw new Error(`initdb could not make ${runner.dataFolder}: ${message || String(error)}`, {
      cause: error,
    })
  } finally {
    rmSync(secret, { recursive: true, force: true })
  }
}

function initdbArguments(runner: Runner, passwordFile: string): string[] {
  return [
    `--pgdata=${runner.dataFolder}`,
    '--username=postgres',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ]
}
