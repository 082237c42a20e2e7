import { isGone } from '@floorcast/testing/agent-process.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runInstallCommand } from './run-install-command.ts'

const update = { version: '2.999.0', packageUid: 'a package', files: ['/a b', '/c'] }
const runShell = (command: string, timeoutSeconds = 60) =>
  runInstallCommand(
    { program: '/bin/sh', args: ['-c', `${command} "$@"`, 'install-command'], timeoutSeconds },
    update,
  )

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-install-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'out')
}

test('The command gets the version and the files as arguments and in its environment', async () => {
  const file = makeFile()
  await runShell(`env | grep FLOORCAST_UPDATE_VERSION > '${file}'; printf '%s;' "$@" >> '${file}'; true`)
  expect(readFileSync(file, 'utf8')).toBe('FLOORCAST_UPDATE_VERSION=2.999.0\n2.999.0;/a b;/c;')
})

test('A command that fails says why', async () => {
  await expect(runShell('echo no room >&2; false')).rejects.toThrow(
    'The install command failed: it ended with code 1: no room',
  )
  const absent = { program: '/nowhere/install', args: [], timeoutSeconds: 60 }
  await expect(runInstallCommand(absent, update)).rejects.toThrow('ENOENT')
})

test('A command that hangs is killed with its children', async () => {
  const file = makeFile()
  await expect(runShell(`sleep 600 & echo $! > '${file}'; sleep 600;`, 1)).rejects.toThrow(
    'it took more than 1 seconds',
  )
  await eventually(async () => expect(await isGone(Number(readFileSync(file, 'utf8')))).toBe(true))
})
