import { once } from 'node:events'
import { mkdtempSync, chmodSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert } from '@floorcast/contract/alerts.ts'
import { register } from '@floorcast/contract/auth.ts'
import { buildPath, makeClient } from '@floorcast/contract/client.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeDebianCluster, makeRoles, makeStandby } from '@floorcast/testing/debian-postgres.ts'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { type ServerProgram, startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeLog } from '../log/log.ts'
import { reachDatabase } from './reach-database.ts'

requireProgram('pg_basebackup')
/** Long enough that a report on a busy machine is read before its end. */
const MAX_AGE_SECONDS = 15
const WAIT = { timeout: 60_000, interval: 200 }
const today = new Date().toISOString().slice(0, 10)
const params = { from: today, to: today, zone: 'UTC' }

const folder = mkdtempSync(join(tmpdir(), 'floorcast-standby-'))
chmodSync(folder, 0o711)
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

async function startPair() {
  const primary = await makeDebianCluster(join(folder, 'primary'), ['floorcast', 'other'])
  atTheEnd(async () => primary.stop())
  await makeRoles(primary, 'floorcast')
  const standby = await makeStandby(primary, join(folder, 'standby'))
  let isUp = true
  const stopStandby = () => {
    if (isUp) standby.stop()
    isUp = false
  }
  atTheEnd(async () => stopStandby())
  return {
    primary,
    standby,
    stopStandby,
    sql: (text: string) => asSuperuser(standby.urlOf('postgres', 'floorcast'), s => s.query(text)),
  }
}

async function useServer(program: ServerProgram) {
  const origin = (await program.until(/^Floorcast is at (\S+)/))[1] ?? ''
  const body = {
    email: 'olga@standby.example',
    password: 'shelves and lamps',
    fullName: 'Olga Owner',
    terms: true,
  } as const
  const { token } = await makeClient({ base: origin, token: () => null })(register, { body })
  const call = makeClient({ base: origin, token: () => token })
  /** The alerts of today by the report, and by how many seconds its rows are old. */
  const read = async () => {
    const preview = await call(reportCalls.alert1.preview, { params })
    return { alerts: preview.rows.length, age: (Date.now() - Date.parse(preview.asOf)) / 1000 }
  }
  const download = async () => {
    const path = buildPath(reportCalls.alert1.download.path, params, { format: 'csv', lang: 'en' })
    const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
    const lines = (await answer.text()).trim().split('\n')
    return { alerts: lines.length - 1, asOf: answer.headers.get('floorcast-as-of') ?? '' }
  }
  const alert = (alerttype: 'air' | 'chemical' | 'nuclear') =>
    call(beginAlert, { params: { uid: 'all', alerttype } })
  return { read, download, alert }
}

let pair: Awaited<ReturnType<typeof startPair>>
let program: ServerProgram
let shop: Awaited<ReturnType<typeof useServer>>

const startServer = (readUrl: string) =>
  startServerProgram({
    DATABASE_URL: pair.primary.urlOf('floorcast', 'floorcast'),
    DATABASE_READ_URL: readUrl,
    READ_MAX_AGE: String(MAX_AGE_SECONDS),
  })

const said = (words: RegExp) => program.said.filter(line => words.test(line)).length

/** Waits until reports have so many alerts. @returns how old the rows are, in seconds */
const untilAlerts = (alerts: number) =>
  vi.waitFor(async () => {
    const read = await shop.read()
    expect(read.alerts).toBe(alerts)
    return read.age
  }, WAIT)

beforeAll(async () => {
  pair = await startPair()
  program = startServer(pair.standby.urlOf('floorcast', 'floorcast'))
  shop = await useServer(program)
  await program.until(/"msg":"reports read the standby"/)
})

test('reports read the standby and say of which moment its rows are, files in a header', async () => {
  await shop.alert('air')
  expect(await untilAlerts(1)).toBeLessThan(MAX_AGE_SECONDS)
  const { alerts, asOf } = await shop.download()
  expect(alerts).toBe(1)
  expect(Math.abs(Date.now() - Date.parse(asOf)) / 1000).toBeLessThan(MAX_AGE_SECONDS)
})

test('a standby that falls behind is read up to READ_MAX_AGE, then the primary, and again when it is back', async () => {
  await pair.sql('select pg_wal_replay_pause()')
  await shop.alert('chemical')
  const { alerts, age } = await shop.read()
  expect([alerts, age < MAX_AGE_SECONDS + 1]).toEqual([1, true])
  await untilAlerts(2)
  await pair.sql('select pg_wal_replay_resume()')
  await vi.waitFor(() => expect(said(/"msg":"reports read the standby"/)).toBe(2), WAIT)
  expect((await shop.read()).alerts).toBe(2)
})

test('a database that is no copy is not read', async () => {
  await makeRoles(pair.primary, 'other')
  const other = startServerProgram({
    DATABASE_URL: pair.primary.urlOf('floorcast', 'other'),
  })
  await other.until(/^Floorcast is at/)
  const wrong = startServer(pair.primary.urlOf('floorcast', 'other'))
  await wrong.until(/"msg":"DATABASE_READ_URL is away, behind, or no standby of DATABASE_URL: /)
  expect(wrong.said.filter(line => line.includes('reports read the standby'))).toEqual([])
})

test('a primary is not read as a standby: after a failover a proxy leads to it for some seconds', async () => {
  const wrong = startServer(pair.primary.urlOf('floorcast', 'floorcast'))
  await wrong.until(/"msg":"DATABASE_READ_URL is away, behind, or no standby of DATABASE_URL: /)
  expect(wrong.said.filter(line => line.includes('reports read the standby'))).toEqual([])
})

test('a superuser is refused, who would pass by the isolation of clients', async () => {
  const refused = startServer(pair.standby.urlOf('postgres', 'floorcast'))
  expect(await refused.ended).toBe(1)
  expect(refused.said.join('\n')).toContain('DATABASE_READ_URL (postgres@')
})

test('a standby as DATABASE_URL is waited for, as it may become the primary, and then refused with words', async () => {
  const standby = pair.standby.urlOf('floorcast', 'floorcast')
  const reach = reachDatabase(standby, { maySuperuser: false, log: makeLog('silent'), maxWaitMs: 1 })
  await expect(reach).rejects.toThrow(
    /^DATABASE_URL \(floorcast@.*\): it is a standby and takes no writes\. Name the primary/,
  )
})

test('standbys that a proxy gives in turn are proven one by one', async () => {
  const urls = [pair.standby, pair.primary].map(({ urlOf }) => new URL(urlOf('floorcast', 'floorcast')))
  let turns = 0
  const proxy = createServer(near => {
    const { hostname, port } = urls[turns++ % urls.length] ?? {}
    const far = connect(Number(port), hostname)
    for (const socket of [near, far]) socket.on('error', () => undefined)
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void proxy.close())
  await once(proxy, 'listening')
  const balanced = Object.assign(new URL(urls[0] ?? ''), {
    hostname: '127.0.0.1',
    port: String((proxy.address() as AddressInfo).port),
  }).href
  await reachDatabase(balanced, {
    maySuperuser: false,
    log: makeLog('silent'),
    setting: 'DATABASE_READ_URL',
    maxWaitMs: 0,
  })
  expect(turns).toBe(3)
})

test('reports go on without the standby', async () => {
  pair.stopStandby()
  await shop.alert('nuclear')
  await untilAlerts(3)
})
