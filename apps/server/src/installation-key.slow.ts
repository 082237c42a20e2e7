import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execFileSync } from 'node:child_process'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-key-'))
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
const { url } = await testDatabase()

/** A server with a folder of its own. */
function start(name: string, more: Record<string, string> = {}) {
  const dataDir = join(folder, name)
  mkdirSync(dataDir, { recursive: true })
  return startServerProgram({ DATABASE_URL: url, DATA_DIR: dataDir, ...more })
}

async function serves(program: ReturnType<typeof start>): Promise<void> {
  await program.until(/^Floorcast is at/)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}

async function refuses(program: ReturnType<typeof start>): Promise<string> {
  expect(await program.ended).toBe(1)
  return program.said.at(-1) ?? ''
}

const keyOf = (name: string) => join(folder, name, 'secret.key')

test("a server does not start without the installation's key, or with another, and says where to get it", async () => {
  await serves(start('one'))
  expect(await refuses(start('two'))).toContain(`${keyOf('two')} is not there, and the database has rows`)
  expect(existsSync(keyOf('two'))).toBe(false)
  writeFileSync(keyOf('two'), Buffer.alloc(32, 7), { mode: 0o600 })
  expect(await refuses(start('two'))).toContain(`${keyOf('two')} is not the key of this database. Put the`)
  await serves(start('two', { SECRET_KEY_FILE: keyOf('one') }))
  copyFileSync(keyOf('one'), keyOf('two'))
  await serves(start('two'))

  // The key is lost.
  const env = { PATH: process.env['PATH'], DATABASE_URL: url, DATA_DIR: join(folder, 'three') }
  const admin = fileURLToPath(new URL('admin.ts', import.meta.url))
  const said = execFileSync(process.execPath, [admin, '--env', '/dev/null', 'accept-key'], {
    env,
    encoding: 'utf8',
  })
  expect(said).toContain(`${keyOf('three')} is the key of the installation now`)
  await serves(start('three'))
  expect(await refuses(start('one'))).toContain(`${keyOf('one')} is not the key of this database`)
})
