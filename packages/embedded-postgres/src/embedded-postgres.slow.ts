import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from './embedded-postgres.ts'
import { findPostgresBinaries } from './postgres-binaries.ts'
import { isAlive, readPostmaster } from './postmaster.ts'
import { chooseRunner } from './unprivileged-runner.ts'

const QUICK = { fsync: 'off' }
const LAUNCHER = new URL('embedded-postgres.ts', import.meta.url).href
const isLinux = process.platform === 'linux'

/** A data folder whose PostgreSQL was started and stopped once. */
let template: string
let home: string
let dataDir: string
let running: EmbeddedPostgres[]
let pids: number[]

beforeAll(async () => {
  template = mkdtempSync(join(tmpdir(), 'floorcast template '))
  await (await startEmbeddedPostgres({ dataDir: template, parameters: QUICK })).stop()
})
afterAll(() => rmSync(template, { recursive: true, force: true }))

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'floorcast postgres '))
  chmodSync(home, 0o700)
  dataDir = join(home, 'shop data')
  running = []
  pids = []
})

afterEach(async () => {
  for (const postgres of running) await postgres.stop()
  for (const pid of pids) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  rmSync(home, { recursive: true, force: true })
})

async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, parameters: QUICK, ...options })
  running.push(postgres)
  return postgres
}

/** Fills the data folder from the template: initdb takes a second, and only the first tests are about it. */
const copyTemplate = () => execFileSync('cp', ['-a', template, dataDir])

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

const expectRefused = (url: string) =>
  expect(ask(url, 'select 1')).rejects.toThrow(/password authentication failed/)

/** Starts a server process that starts PostgreSQL and waits; `path` is its PATH. */
async function startInChild(path = String(process.env['PATH'])) {
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(LAUNCHER)})
    const { pid, url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, parameters: { fsync: 'off' } })
    console.log(JSON.stringify({ pid, url }))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { pid, url } = JSON.parse(line.toString()) as { pid: number; url: string }
  pids.push(pid, Number(child.pid))
  const kill = async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  return { pid, url, kill }
}

/** A folder of programs without `setpriv`, as on a system that has none. */
function pathWithout(): string {
  const folder = join(home, 'bin')
  mkdirSync(folder)
  const folders = String(process.env['PATH']).split(':')
  for (const program of ['unshare', 'sh', 'chown', 'ps', 'true']) {
    const found = folders.map(where => join(where, program)).find(file => existsSync(file))
    if (found) symlinkSync(found, join(folder, program))
  }
  return folder
}

test('the embedded PostgreSQL starts in a closed folder whose path has spaces; its owner is no superuser', async () => {
  const { url } = await start()
  expect(
    await ask(url, 'select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user'),
  ).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreaterole: true }])
  expect(
    await ask(url, 'select datcollate, datlocale from pg_database where datname = current_database()'),
  ).toEqual([{ datcollate: 'C', datlocale: 'C.UTF-8' }])
})

test('the embedded PostgreSQL keeps its passwords in files that only its user can read, and refuses connections without them', async () => {
  const { url, superuserUrl, port } = await start()
  const log = readFileSync(join(dataDir, 'postgres.log'), 'utf8')
  const passwords = ['postgres', 'floorcast'].map(user => {
    const file = join(dataDir, `${user}.password`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    return readFileSync(file, 'utf8')
  })
  for (const password of passwords) expect(log).not.toContain(password)
  expect([superuserUrl, url].map(each => new URL(each).password)).toEqual(passwords)
  expect(passwords[0]).not.toBe(passwords[1])
  for (const login of ['postgres:guess', `postgres:${passwords[1]}`, `floorcast:${passwords[0]}`])
    await expectRefused(`postgres://${login}@127.0.0.1:${port}/postgres`)
})

test('the embedded PostgreSQL gives its user another password than the superuser’s, which former versions gave both', async () => {
  copyTemplate()
  const former = await start()
  const { password } = new URL(former.superuserUrl)
  await ask(former.superuserUrl, `alter role floorcast password '${password}'`)
  await former.stop()
  rmSync(join(dataDir, 'floorcast.password'))
  const { url, port } = await start()
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await expectRefused(`postgres://floorcast:${password}@127.0.0.1:${port}/floorcast`)
})

test('the embedded PostgreSQL begins its log again when it is full, keeps the former one, and goes on to write it', async () => {
  copyTemplate()
  const maxBytes = 20_000
  const { url } = await start({ logLimit: { maxBytes, checkMs: 20 } })
  const [log, former] = [join(dataDir, 'postgres.log'), join(dataDir, 'postgres.log.1')]
  const client = new Client({ connectionString: url })
  await client.connect()
  for (let count = 0; count < 2000; count += 1)
    await client.query(`select 1 / 0 as "${'x'.repeat(60)}"`).catch(() => {})
  await vi.waitFor(() => expect(statSync(log).size).toBeLessThan(maxBytes), 5000)
  expect(statSync(former).mode & 0o777).toBe(0o600)
  expect(statSync(former).size).toBeLessThan(10 * maxBytes)
  await client.query('select the_last').catch(() => {})
  await client.end()
  expect(readFileSync(log, 'utf8')).toContain('the_last')
})

test('the embedded PostgreSQL stops cleanly and has its rows after the next start', async () => {
  copyTemplate()
  const first = await start()
  await ask(first.url, 'create table kept as select 7 as seven')
  await first.stop()
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
  const second = await start()
  expect(await ask(second.url, 'select * from kept')).toEqual([{ seven: 7 }])
  expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).not.toContain('recovery')
})

test('the embedded PostgreSQL chooses another port if the first one is taken', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await once(squatter, 'listening')
  const taken = (squatter.address() as { port: number }).port
  const ports = [taken, 0]
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  ports[1] = (free.address() as { port: number }).port
  free.close()
  copyTemplate()
  const { url, port } = await start({ choosePort: async () => Number(ports.shift()) })
  expect(port).not.toBe(taken)
  expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  squatter.close()
})

test('the embedded PostgreSQL reports why it could not start', async () => {
  await expect(start({ parameters: { shared_buffers: 'plenty' } })).rejects.toThrow(
    /PostgreSQL did not start[^]*shared_buffers/,
  )
})

describe('a stale postmaster.pid', () => {
  beforeEach(copyTemplate)

  const leave = (pid: number) =>
    writeFileSync(
      join(dataDir, 'postgres', 'postmaster.pid'),
      `${pid}\n${join(dataDir, 'postgres')}\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    )

  test('of a process that has ended', async () => {
    leave(4_190_000)
    expect(await ask((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test('whose process id belongs to another program', async () => {
    leave(process.pid)
    expect(await ask((await start()).url, 'select 1 as one')).toEqual([{ one: 1 }])
  })

  test.skipIf(!isLinux)('of a postmaster that is a zombie', async () => {
    const before = await start()
    await before.stop()
    const { prefix, user, binaries, dataFolder } = chooseRunner({
      binaries: findPostgresBinaries(),
      dataFolder: join(dataDir, 'postgres'),
    })
    const settings = [`port=${before.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=']
    const command = [
      ...prefix,
      binaries.postgres,
      '-D',
      dataFolder,
      ...settings.flatMap(setting => ['-c', setting]),
    ]
    // The shell becomes `sleep`, which waits for no child.
    const parent = spawn('sh', ['-c', '"$@" & exec sleep 60', 'sh', ...command], {
      stdio: 'ignore',
      cwd: '/',
      ...(user === null ? {} : { uid: user, gid: user }),
    })
    pids.push(Number(parent.pid))
    await expect.poll(() => readPostmaster(dataFolder)?.isReady).toBe(true)
    const pid = Number(readPostmaster(dataFolder)?.pid)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /)
    const { url } = await start()
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('after kill -9 of the server alone', () => {
  beforeEach(copyTemplate)

  test.skipIf(!isLinux)('PostgreSQL ends too, and the next start has its rows', async () => {
    const child = await startInChild()
    await ask(child.url, 'create table kept as select 7 as seven')
    await child.kill()
    await expect.poll(() => isAlive(child.pid), { timeout: 20_000 }).toBe(false)
    expect(await ask((await start()).url, 'select * from kept')).toEqual([{ seven: 7 }])
  })

  test("a start during PostgreSQL's shutdown has the rows", async () => {
    for (let round = 1; round <= 3; round++) {
      const child = await startInChild()
      await ask(child.url, 'create table if not exists kept as select 0 as nr where false')
      await ask(child.url, `insert into kept values (${round})`)
      await child.kill()
      const next = await start()
      expect(await ask(next.url, 'select count(*)::int as rows from kept')).toEqual([{ rows: round }])
      await next.stop()
    }
  })

  test('without setpriv, the next start attaches to the running PostgreSQL and stops it at its end', async () => {
    const child = await startInChild(pathWithout())
    await ask(child.url, 'create table kept as select 7 as seven')
    await child.kill()
    expect(isAlive(child.pid)).toBe(true)
    const adopted = await start()
    expect(adopted.pid).toBe(child.pid)
    expect(await ask(adopted.url, 'select * from kept')).toEqual([{ seven: 7 }])
    await adopted.stop()
    expect(isAlive(child.pid)).toBe(false)
  })

  test('a second server uses the postmaster of a running server and does not stop it', async () => {
    const child = await startInChild()
    const second = await start()
    expect(second.pid).toBe(child.pid)
    await second.stop()
    expect(await ask(child.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await child.kill()
    await expect.poll(() => isAlive(child.pid), { timeout: 20_000 }).toBe(false)
  })
})
