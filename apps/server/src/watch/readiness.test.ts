import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { fillDisk } from '@floorcast/testing/full-disk.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { makeLog } from '../platform/log/log.ts'
import { DiskSpace } from '../platform/storage/disk-space.ts'

interface Line {
  level: number
  reason?: string
  msg: string
}

/** A server with its log, whose health is asked for. */
async function openServer() {
  const server = await wholeServer()
  const lines: Line[] = []
  const log = makeLog('info', { write: text => void lines.push(JSON.parse(text) as Line) })
  const { app, shutdown } = await buildApp({ ...server.context, log, now: () => new Date() }, server.served)
  atTheEnd(() => app.close())
  const ask = async (query = '') => {
    const answer = await app.inject(`/health/ready${query}`)
    return { status: answer.statusCode, why: answer.headers['x-unready-reason'], body: answer.json<object>() }
  }
  const until = (claim: object, query = '') => eventually(async () => expect(await ask(query)).toEqual(claim))
  const changes = () => lines.filter(({ reason }) => reason !== undefined)
  return { server, app, shutdown, ask, until, changes, lines }
}

const unready = (reason: string) => ({ status: 503, why: reason, body: { status: 'unready', reason } })
const READY = { status: 200, why: undefined, body: { status: 'ready' } }

/** The level and reason of each line. */
const inShort = (lines: readonly Line[]) => lines.map(({ level, reason }) => [level, reason])
const [INFO, WARN, ERROR] = [30, 40, 50]

test('a full disk is a 503 with its reason, unless the balancer allows it, and one line at each crossing', async () => {
  const { server, ask, until, changes } = await openServer()
  expect(await ask()).toEqual(READY)
  fillDisk(server)
  await until(unready('disk-full'))
  const allowed = { status: 200, why: undefined, body: { status: 'ready', allowed: ['disk-full'] } }
  expect(await ask('?allow=disk-full')).toEqual(allowed)
  expect(await ask('?allow=clock-off,disk-full')).toEqual(allowed)
  expect(await ask('?allow=clock-off')).toEqual(unready('disk-full'))
  server.context.settings.minFreeDisk.atLeastBytes = 0
  await until(READY)
  await until(READY)
  expect(inShort(changes())).toEqual([
    [ERROR, 'disk-full'],
    [INFO, 'disk-full'],
  ])
  expect(changes()[0]).toMatchObject({
    totalBytes: expect.any(Number) as number,
    floorBytes: Number.MAX_SAFE_INTEGER,
  })
})

test.each(['?allow=full-disk', '?allow=database-away', '?allow=disk-full&allow=clock-off'])(
  'a balancer that asks with %s is told that this is not allowed',
  async query => {
    const { ask } = await openServer()
    expect(await ask(query)).toMatchObject({ status: 422, body: { code: 'wrong-fields' } })
  },
)

test('a database that is away is a 503 with its reason, and comes back', async () => {
  const { server, until, ask, changes } = await openServer()
  const name = new URL(server.url).pathname.slice(1)
  const postgres = Object.assign(new URL(server.superuserUrl), { pathname: '/postgres' }).href
  const setOpen = (isOpen: boolean) =>
    asSuperuser(postgres, async superuser => {
      await superuser.query(`alter database ${name} with allow_connections ${isOpen}`)
      if (!isOpen)
        await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
          name,
        ])
    })
  expect(await ask()).toEqual(READY)
  await setOpen(false)
  await until(unready('database-away'))
  expect(await ask('?allow=disk-full')).toEqual(unready('database-away'))
  await setOpen(true)
  await until(READY)
  expect(inShort(changes())).toEqual([
    [ERROR, 'database-away'],
    [INFO, 'database-away'],
  ])
  expect(changes()[0]).toMatchObject({ err: { message: expect.any(String) as string } })
})

test('a database that went back to a former version is a 503 with its reason', async () => {
  const { server, until } = await openServer()
  const sql = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
  await sql('create table kept as select * from migrations where name = (select max(name) from migrations)')
  await sql('delete from migrations where name = (select name from kept)')
  await until(unready('migrations-pending'))
  await sql('insert into migrations select * from kept')
  await until(READY)
  // One of before the function that says it.
  await sql('drop function newest_migration')
  await until(unready('migrations-pending'))
})

test('a server without any of the files that the database names is a 503 with its reason', async () => {
  const { server, ask } = await openServer()
  const { token } = await server.newClient()
  await uploader(server).answer(token, 'melodies', {
    bytes: makeSong({ notes: [1, 2], seconds: 4 }),
    name: 'One.mp3',
  })
  expect(await ask()).toEqual(READY)
  const folder = join(server.context.settings.dataDir, 'media')
  // A folder of another installation has those of every store.
  for (const name of readdirSync(folder))
    if (!['incoming', 'unfinished'].includes(name)) rmSync(join(folder, name), { recursive: true })
  const other = await buildApp(server.context, server.served)
  atTheEnd(() => other.app.close())
  expect((await other.app.inject('/health/ready')).json()).toEqual({ status: 'unready', reason: 'no-files' })
})

test('a server that is about to stop is a 503 at once for every balancer, and serves calls, each on a connection that it closes', async () => {
  const { app, shutdown, ask } = await openServer()
  expect(await ask()).toEqual(READY)
  shutdown.begin()
  expect(await ask()).toEqual(unready('stopping'))
  expect(await ask('?allow=disk-full,clock-off')).toEqual(unready('stopping'))
  const { statusCode, headers } = await app.inject('/config.json')
  expect([statusCode, headers.connection]).toEqual([200, 'close'])
})

test('a clock that differs from the database is told in the log, and above a minute a 503', async () => {
  const { server, lines } = await openServer()
  let aheadMs = 10_000
  const log = makeLog('info', { write: text => void lines.push(JSON.parse(text) as Line) })
  const now = () => new Date(Date.now() + aheadMs)
  const { app } = await buildApp({ ...server.context, log, now }, server.served)
  atTheEnd(() => app.close())
  const read = async () => (await app.inject('/health/ready')).json<object>()
  expect(await read()).toEqual({ status: 'ready' })
  expect(lines).toEqual([
    expect.objectContaining({ level: WARN, offsetSeconds: expect.closeTo(10, 0) as number }),
  ])
  aheadMs = 120_000
  await eventually(async () => expect(await read()).toEqual({ status: 'unready', reason: 'clock-off' }))
  expect((await app.inject('/health/ready?allow=clock-off')).json()).toEqual({
    status: 'ready',
    allowed: ['clock-off'],
  })
})

test('a disk or a clock that swings around its limit is told once, and ends when it is clearly better', async () => {
  const { server, lines } = await openServer()
  const log = makeLog('info', { write: text => void lines.push(JSON.parse(text) as Line) })
  let [freeBytes, aheadMs, looks] = [99, 0, 0]
  const isFull = (wasFull?: boolean) => {
    looks += 1
    const measure = () => Promise.resolve({ freeBytes, totalBytes: 1000 })
    return new DiskSpace(measure, { share: 0.1, atLeastBytes: 0, atMostBytes: 1000 }).isFull(wasFull)
  }
  const now = () => new Date(Date.now() + aheadMs)
  const incoming = { ...server.context.incoming, isFull }
  const { app } = await buildApp({ ...server.context, log, now, incoming }, server.served)
  atTheEnd(() => app.close())
  /** What is answered to a call that comes after a further look. */
  const afterLook = async () => {
    const before = looks
    return eventually(async () => {
      const { reason = null } = (await app.inject('/health/ready')).json<{ reason?: string }>()
      expect(looks).toBeGreaterThan(before)
      return reason
    })
  }
  expect(await afterLook()).toBe('disk-full')
  for (freeBytes of [101, 99, 109]) expect(await afterLook()).toBe('disk-full')
  for (freeBytes of [110, 100]) expect(await afterLook()).toBe(null)
  for (aheadMs of [59_000, -59_000]) expect(await afterLook()).toBe(null)
  for (aheadMs of [61_000, 59_000, 51_000]) expect(await afterLook()).toBe('clock-off')
  for (aheadMs of [49_000, 59_000]) expect(await afterLook()).toBe(null)
  expect(inShort(lines.filter(({ reason }) => reason !== undefined))).toEqual([
    [ERROR, 'disk-full'],
    [INFO, 'disk-full'],
    [ERROR, 'clock-off'],
    [INFO, 'clock-off'],
  ])
})

test('a server that listens logs the changes without a monitor that asks', async () => {
  const { server, app, changes } = await openServer()
  await app.listen({ host: '127.0.0.1', port: 0 })
  fillDisk(server)
  await eventually(() => expect(inShort(changes())).toEqual([[ERROR, 'disk-full']]))
})
