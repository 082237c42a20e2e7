import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Runner } from './unprivileged-runner.ts'

/**
 * Makes a new cluster: UTF-8 with the built-in C.UTF-8 locale, so that sorting never changes with the machine's libraries.
 * Forgetful ones are for tests: they need not survive a power cut.
 * @throws Error with what initdb said.
 */
export function createCluster(runner: Runner, given: { password: string; isForgetful: boolean }): void {
  mkdirSync(runner.dataFolder, { recursive: true, mode: 0o700 })
  // initdb wants the password in a file that its user may read; DATA_DIR may be closed to that user.
  const secret = mkdtempSync(join(tmpdir(), 'floorcast-initdb-'))
  const passwordFile = join(secret, 'password')
  try {
    writeFileSync(passwordFile, given.password, { mode: 0o600 })
    if (runner.user !== null)
      for (const path of [secret, passwordFile]) chownSync(path, runner.user, runner.user)
    const { initdb } = runner.binaries
    const all = [...runner.prefix, initdb, ...initdbArguments(runner, passwordFile)]
    const [program = initdb, ...rest] = given.isForgetful ? [...all, '--no-sync'] : all
    const done = spawnSync(program, rest, {
      encoding: 'utf8',
      cwd: '/',
      ...(runner.user === null ? {} : { uid: runner.user, gid: runner.user }),
    })
    if (done.status !== 0)
      throw new Error(
        `initdb could not make ${runner.dataFolder}: ${done.error?.message ?? done.stderr.trim()}`,
      )
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
