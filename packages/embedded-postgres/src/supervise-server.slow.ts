import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startEmbeddedPostgres } from './embedded-postgres.ts'
import { isAlive } from './postmaster.ts'

const LAUNCHER = new URL('embedded-postgres.ts', import.meta.url).href
const parameters = { fsync: 'off' }

function freshFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast kept '))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

async function start(dataDir: string) {
  const onRestart = vi.fn<(what: object) => void>()
  const postgres = await startEmbeddedPostgres({ dataDir, parameters, onRestart })
  onTestFinished(() => postgres.stop())
  return { postgres, onRestart }
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  try {
    await client.connect()
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
const waiting = { timeout: 20_000, interval: 50 }

test('after a kill of PostgreSQL alone, it restarts on the same port with the committed data', async () => {
  const { postgres, onRestart } = await start(freshFolder())
  await ask(postgres.url, 'create table kept as select 7 as number')
  const { pid } = postgres
  process.kill(pid, 'SIGKILL')
  await vi.waitFor(() => expect(onRestart).toHaveBeenCalledWith({ pid: postgres.pid }), waiting)
  expect(postgres.pid).not.toBe(pid)
  expect(await ask(postgres.url, 'select number from kept')).toEqual([{ number: 7 }])
  await postgres.stop()
  expect(isAlive(postgres.pid)).toBe(false)
})

test('when the server that started it is killed, a second server on the folder supervises it', async () => {
  const dataDir = freshFolder()
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(LAUNCHER)})
    const { pid } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, parameters: { fsync: 'off' } })
    console.log(pid)
    setInterval(() => {}, 1000)`
  const first = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void first.kill('SIGKILL'))
  const [line] = (await once(first.stdout, 'data')) as [Buffer]
  const { postgres } = await start(dataDir)
  expect(postgres.pid).toBe(Number(line.toString()))
  process.kill(Number(line.toString()), 'SIGKILL')
  // The first server restarts it, and the second one attaches to it.
  await vi.waitFor(() => expect(postgres.pid).not.toBe(Number(line.toString())), waiting)
  const again = postgres.pid
  first.kill('SIGKILL')
  await once(first, 'exit')
  if (isAlive(again)) process.kill(again, 'SIGKILL')
  await vi.waitFor(() => expect(postgres.pid).not.toBe(again), waiting)
  expect(await ask(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await postgres.stop()
  expect(isAlive(postgres.pid)).toBe(false)
})
