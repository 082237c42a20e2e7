import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { register } from '@floorcast/contract/auth.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, makePlay, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { openJobs } from '../jobs/jobs.ts'
import { startMaintenance } from '../jobs/maintenance.ts'
import { startSampling } from '../jobs/samples.ts'
import { watchJob } from '../platform/metrics/watch-job.ts'

const METRICS_TOKEN = 'a-token-of-monitors'

/** A server, and its figures by their names and labels, as Prometheus reads them. */
async function openServer(environment: Record<string, string> = {}) {
  const server = await wholeServer({ METRICS_TOKEN, ...environment })
  const scrape = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
    const { statusCode, body } = await server.http.app.inject({ url: '/metrics', headers })
    expect(statusCode).toBe(200)
    const samples = body
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => /^floorcast_(\S+|\w+\{.*\}) (\S+)$/.exec(line) ?? [])
    return new Map(samples.map(([, name = '', value]) => [name, Number(value)]))
  }
  const sql = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
  return { server, scrape, sql }
}

/** A device of a new client that has opened a session. */
async function openDevice({ server }: Awaited<ReturnType<typeof openServer>>) {
  const { token } = await server.newClient()
  const params = { contentType: 'audio' }
  const { uid = '' } = await server.call(addDevice, { token, params, body: { name: 'Till radio' } })
  const { licenseKey } = await server.call(readDevice, { token, params: { id: uid } })
  return { uid, ...(await openPlayer(server, licenseKey ?? '')) }
}

test('shows what devices send, what was stored of it and what was refused, and their channels', async () => {
  const opened = await openServer()
  const { server, scrape } = opened
  const device = await openDevice(opened)
  const player = { token: device.token, params: device.params }
  await server.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
  const [play, other] = [makePlay(1), makePlay(2)]
  await server.call(sendEvents, { ...player, body: [play, other, { kind: 'nothing' }] })
  await server.call(sendEvents, { ...player, body: [play] })
  const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
  const channel = await openChannel(origin, device.uid, device.token)
  await eventually(async () => expect((await scrape()).get('channels_open')).toBe(1))
  const figures = await scrape()
  expect(Object.fromEntries(figures)).toMatchObject({
    'heartbeats_stored_total{by="call"}': 1,
    'heartbeats_stored_total{by="channel"}': 0,
    plays_stored_total: 2,
    events_refused_total: 1,
    events_duplicate_total: 1,
    'ingest_batch_seconds_count{kind="events"}': 2,
    'devices{state="online"}': 1,
    'devices{state="neverup"}': 0,
    clients: 1,
    clients_at_device_limit: 0,
    'pool_size{pool="app"}': 10,
    'pool_in_use{pool="app"}': 0,
    'unready{reason="disk-full"}': 0,
    database_standbys: 0,
    'calls_refused_total{priority="plays"}': 0,
    'call_seconds_count{priority="plays"}': 2,
    'call_seconds_count{priority="upload"}': 0,
    'calls_answered_total{status="5xx"}': 0,
  })
  // Other tests share the PostgreSQL server, and its queue: some of it may be in use.
  expect(figures.get('database_notify_queue_ratio')).toBeLessThan(0.01)
  for (const name of ['disk_free_bytes', 'disk_total_bytes', 'database_size_bytes', 'database_connections'])
    expect(figures.get(name)).toBeGreaterThan(0)
  // No standby is connected, and no backup is set.
  expect(figures.has('database_replication_lag_seconds')).toBe(false)
  expect(figures.has('backup_last_success_timestamp_seconds')).toBe(false)
  expect([...figures.keys()].filter(name => name.startsWith('build_info'))).toEqual([
    expect.stringMatching(/^build_info\{version="\d+\.\d+\.\d+",commit="\w*",role="all"\}$/),
  ])
  await channel.close()
  await eventually(async () => expect((await scrape()).get('channels_open')).toBe(0))
})

test('shows how much waits, and for how long', async () => {
  const { server, scrape, sql } = await openServer()
  const { token } = await server.newClient()
  const at = Date.now()
  const before = (minutes: number) => `timestamptz '${new Date(at - minutes * 60_000).toISOString()}'`
  await sql(`
    insert into mails (uid, kind, recipient, language, created_at, due_at)
      values (gen_random_uuid(), 'reset', 'olga@example.com', 'en', ${before(20)}, now());
    insert into maintenance_runs values (${before(60)}, ${before(120)}, 3)`)
  await uploader(server).answer(token, 'melodies', {
    bytes: makeSong({ notes: [1, 2], seconds: 4 }),
    name: 'One.mp3',
  })
  await sql(
    `update media_files set uploaded_at = ${before(15)}, loudness_state = 'pending', integrated_lufs = null, true_peak_dbtp = null`,
  )
  const figures = await scrape()
  expect(Object.fromEntries(figures)).toMatchObject({
    mails_waiting: 1,
    media_waiting: 1,
    commands_waiting: 0,
    commands_oldest_seconds: 0,
    maintenance_failed_clients: 3,
    maintenance_last_run_timestamp_seconds: at / 1000 - 3600,
  })
  const ages = [figures.get('mails_oldest_seconds') ?? 0, figures.get('media_oldest_seconds') ?? 0]
  expect(ages[0]).toBeGreaterThanOrEqual(1200)
  expect((ages[0] ?? 0) - (ages[1] ?? 0)).toBeCloseTo(300)
})

test('shows devices by their state and versions, whatever words devices use', async () => {
  const opened = await openServer()
  const devices = [await openDevice(opened), await openDevice(opened), await openDevice(opened)]
  for (const [index, { token, params }] of devices.entries())
    await opened.server.call(sendHeartbeat, {
      token,
      params,
      body: makeHeartbeat({ programVersion: `1.${index}` }),
    })
  await openDevice(opened)
  await opened.sql(`update device_states set program_version = 'a"} 1' where program_version = '1.0'`)
  await opened.sql(
    `update device_states set overdue_at = now() - interval '1 minute' where program_version = '1.1'`,
  )
  await opened.sql(
    `update device_states set last_contact_at = now() - interval '2 days' where program_version = '1.2'`,
  )
  expect(Object.fromEntries(await opened.scrape())).toMatchObject({
    'devices{state="online"}': 1,
    'devices{state="late"}': 1,
    'devices{state="linkdown"}': 0,
    'devices{state="linklost"}': 1,
    'devices{state="neverup"}': 1,
    'devices_by_version{version="other"}': 1,
    'devices_by_version{version="1.1"}': 1,
  })
})

test('shows each job by its last success, how long it took and how often it failed', async () => {
  const { server, scrape } = await openServer()
  const run = watchJob(server.context.metrics, { name: 'test', periodMs: 60_000 })
  const succeeded = async (job = 'test') =>
    (await scrape()).get(`job_last_success_timestamp_seconds{name="${job}"}`) ?? 0
  const before = await succeeded()
  // The start counts as a success: a job that never succeeds is seen by the age of it.
  expect(Math.abs(before - Date.now() / 1000)).toBeLessThan(60)
  await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await succeeded()).toBe(before)
  expect((await scrape()).get('job_failures_total{name="test"}')).toBe(1)
  expect(await run(() => Promise.resolve('done'))).toBe('done')
  expect(await succeeded()).toBeGreaterThan(before)
  // A run that another server is at is no late job, and its time is none of the job.
  const [took, last] = [(await scrape()).get('job_duration_seconds{name="test"}'), await succeeded()]
  expect(await run(() => Promise.resolve('skipped'))).toBe('skipped')
  expect(await succeeded()).toBeGreaterThanOrEqual(last)
  expect(Object.fromEntries(await scrape())).toMatchObject({
    'job_duration_seconds{name="test"}': took,
    'job_failures_total{name="test"}': 1,
  })
  const jobs = openJobs(server.context, 'server one')
  await Promise.all([startMaintenance(server.context, jobs)(), startSampling(server.context, jobs)()])
  const figures = await scrape()
  for (const job of ['test', 'maintenance', 'samples']) {
    expect(await succeeded(job)).toBeGreaterThan(before)
    expect(figures.get(`job_duration_seconds{name="${job}"}`)).toBeGreaterThan(0)
  }
  expect(figures.get('job_period_seconds{name="maintenance"}')).toBe(600)
  expect(figures.get('job_failures_total{name="maintenance"}')).toBe(0)
})

test('shows that the target of backups is not mounted', async () => {
  const target = '/backup/not mounted'
  const { server, scrape } = await openServer({ BACKUP_TARGET: target })
  writeFileSync(join(server.context.settings.dataDir, 'backup-targets.json'), JSON.stringify([target]))
  expect(Object.fromEntries(await scrape())).toMatchObject({
    backup_target_missing: 1,
    backup_last_success_timestamp_seconds: 0,
  })
})

test('a scrape ends without the database, leaves its figures out and says so', async () => {
  const { server, scrape } = await openServer()
  await server.http.app.ready()
  await server.database.close()
  const figures = await scrape()
  expect(Object.fromEntries(figures)).toMatchObject({
    'figures_up{figures="queues"}': 0,
    'figures_up{figures="fleet"}': 0,
    'figures_up{figures="disk"}': 1,
    'unready{reason="database-away"}': 1,
    'calls_waiting{priority="plays"}': 0,
  })
  for (const name of ['mails_waiting', 'clients', 'clock_offset_seconds', 'devices{state="online"}'])
    expect(figures.has(name)).toBe(false)
})

test('a scrape does not wait for a database that does not answer, and asks it once', async () => {
  const { server, scrape } = await openServer()
  // Media that wait are looked for at the start.
  await server.http.app.ready()
  const holding = asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin; lock table device_states, mails, media_files in access exclusive mode')
    const [first, second] = await Promise.all([scrape(), scrape()])
    const { rows } = await superuser.query<{ asking: number }>(
      `select count(*)::int as asking from pg_stat_activity
       where application_name = 'floorcast_jobs' and wait_event_type = 'Lock' and datname = current_database()`,
    )
    return { first, second, asking: rows[0]?.asking }
  })
  const { first, second, asking } = await holding
  for (const figures of [first, second])
    expect([figures.get('figures_up{figures="queues"}'), figures.get('figures_up{figures="fleet"}')]).toEqual(
      [0, 0],
    )
  // For two scrapes: the queues, the devices, and files that the readiness looks for.
  expect(asking).toBeLessThanOrEqual(3)
  await eventually(async () => expect((await scrape()).get('figures_up{figures="fleet"}')).toBe(1))
})

test('only monitors with the token read the figures', async () => {
  const { server } = await openServer()
  const status = async (authorization: string) =>
    (await server.http.app.inject({ url: '/metrics', headers: { authorization } })).statusCode
  expect([await status(''), await status('Bearer another'), await status(`Bearer ${METRICS_TOKEN}`)]).toEqual(
    [401, 401, 200],
  )
  const { token } = await server.call(register, {
    body: { fullName: 'Olga Owner', email: 'monitor@example.com', password: 'a long password', terms: true },
  })
  expect(await status(`Bearer ${token}`)).toBe(401)
})
