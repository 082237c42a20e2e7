import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { binariesIn, findPostgresBinaries } from './postgres-binaries.ts'
import { isAlive } from './postmaster.ts'

const NOBODY = 65_534
const LAUNCHER = new URL('embedded-postgres.ts', import.meta.url)
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const mayUnshare =
  isRoot &&
  spawnSync('unshare', ['--user', '--map-user=65534', '--map-group=65534', '--', 'true']).status === 0
/** Whether the user `nobody` can run files of this checkout, which may be in a closed folder. */
const isCheckoutOpen =
  isRoot &&
  spawnSync(process.execPath, ['-e', `fs.accessSync(${JSON.stringify(LAUNCHER.pathname)})`], {
    uid: NOBODY,
    gid: NOBODY,
    cwd: '/',
  }).status === 0

let home: string
let running: EmbeddedPostgres[]

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'floorcast root '))
  chmodSync(home, 0o755)
  running = []
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  rmSync(home, { recursive: true, force: true })
})

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ parameters: { fsync: 'off' }, ...options })
  running.push(postgres)
  return postgres
}

async function ask(postgres: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** A folder that only root can enter, with a copy of the binaries, like a project in /root. */
function closedFolder() {
  const closed = join(home, 'closed')
  mkdirSync(closed, { mode: 0o700 })
  cpSync(findPostgresBinaries().folder, join(closed, 'native'), { recursive: true, verbatimSymlinks: true })
  return { dataDir: join(closed, 'data'), binaries: binariesIn(join(closed, 'native')) }
}

const userOf = (pid: number) => statSync(`/proc/${pid}`).uid

describe.skipIf(!isRoot)('started by root', () => {
  test.skipIf(!mayUnshare)(
    'in a closed folder: runs in place in a user namespace, and the files stay root’s',
    async () => {
      const { dataDir, binaries } = closedFolder()
      const postgres = await start({ dataDir, binaries })
      expect(await ask(postgres, 'select 1 as one')).toEqual([{ one: 1 }])
      expect(statSync(join(dataDir, 'postgres')).uid).toBe(0)
    },
  )

  test('in an open folder, without namespaces: drops to nobody, in place', async () => {
    const fallbackFolder = join(home, 'fallback')
    const dataDir = join(home, 'data')
    const postgres = await start({ dataDir, runner: { canUnshare: false, fallbackFolder } })
    expect(userOf(postgres.pid)).toBe(NOBODY)
    expect(statSync(join(dataDir, 'postgres')).uid).toBe(NOBODY)
    expect(await ask(postgres, 'create table kept as select 7 as seven')).toEqual([])
    await postgres.stop()
    // The files stay nobody's, also if namespaces become available.
    const again = await start({ dataDir, runner: { fallbackFolder } })
    expect(userOf(again.pid)).toBe(NOBODY)
    expect(await ask(again, 'select * from kept')).toEqual([{ seven: 7 }])
  })

  test('in a closed folder, without namespaces: runs as nobody from copies in the fallback folder', async () => {
    const fallbackFolder = join(home, 'fallback')
    const { dataDir, binaries } = closedFolder()
    const runner = { canUnshare: false, fallbackFolder }
    const first = await start({ dataDir, binaries, runner })
    expect(userOf(first.pid)).toBe(NOBODY)
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false)
    await ask(first, 'create table kept as select 7 as seven')
    await first.stop()
    const second = await start({ dataDir, binaries, runner })
    expect(await ask(second, 'select * from kept')).toEqual([{ seven: 7 }])
  })

  test('as nobody, it also ends when the server is killed', async () => {
    const options = {
      dataDir: join(home, 'data'),
      parameters: { fsync: 'off' },
      runner: { canUnshare: false, fallbackFolder: join(home, 'fallback') },
    }
    const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(LAUNCHER.href)})
      console.log((await startEmbeddedPostgres(${JSON.stringify(options)})).pid)
      setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const pid = Number(line.toString())
    expect(userOf(pid)).toBe(NOBODY)
    child.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 20_000 }).toBe(false)
  })

  test.skipIf(!mayUnshare)('data from a namespace is moved if namespaces are forbidden later', async () => {
    const { dataDir, binaries } = closedFolder()
    const fallbackFolder = join(home, 'fallback')
    const first = await start({ dataDir, binaries, runner: { fallbackFolder } })
    await ask(first, 'create table kept as select 7 as seven')
    await first.stop()
    const moved = await start({ dataDir, binaries, runner: { canUnshare: false, fallbackFolder } })
    expect(userOf(moved.pid)).toBe(NOBODY)
    expect(await ask(moved, 'select * from kept')).toEqual([{ seven: 7 }])
    await moved.stop()
    const stays = await start({ dataDir, binaries, runner: { fallbackFolder } })
    expect(await ask(stays, 'select * from kept')).toEqual([{ seven: 7 }])
  })
})

describe.skipIf(!isCheckoutOpen)('started by a user who is not root', () => {
  test('runs as that user', () => {
    const dataDir = join(home, 'data of nobody')
    mkdirSync(dataDir)
    chownSync(dataDir, NOBODY, NOBODY)
    const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(LAUNCHER.href)})
      const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, parameters: { fsync: 'off' } })
      console.log(fs.statSync('/proc/' + postgres.pid).uid)
      await postgres.stop()`
    const done = spawnSync(
      process.execPath,
      ['--input-type=module', '-e', `import fs from 'node:fs'\n${script}`],
      {
        uid: NOBODY,
        gid: NOBODY,
        cwd: '/',
        encoding: 'utf8',
      },
    )
    expect(done).toMatchObject({ status: 0, stdout: `${NOBODY}\n` })
  })
})
