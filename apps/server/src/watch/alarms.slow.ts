import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { requireProgram } from '@floorcast/testing/debian-program.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { fillDisk } from '@floorcast/testing/full-disk.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import {
  ALARM_MS,
  MONITOR_TOKEN,
  type Prometheus,
  readAlarms,
  startPrometheus,
} from '@floorcast/testing/prometheus.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, makePlay, openPlayer, sendPlays } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { CLIENT_VIEWS } from '../platform/database/client-views.ts'
import { watchJob } from '../platform/metrics/watch-job.ts'

const ops = fileURLToPath(new URL('../../../../ops/prometheus/', import.meta.url))

requireProgram('prometheus')
const folder = mkdtempSync(join(tmpdir(), 'floorcast-prometheus-'))
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

function promtool(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: ops })
  return { status, said: stdout + stderr }
}

test('promtool finds no fault in the alarms, and each fires and is quiet as its examples say', () => {
  expect(promtool('check', 'rules', 'rules.yaml')).toMatchObject({ status: 0 })
  expect(promtool('test', 'rules', 'rules.test.yaml', 'rules-of-days.test.yaml')).toMatchObject({ status: 0 })
})

test('the commands of the page set Prometheus up', () => {
  const page = readFileSync(join(ops, '../../docs/operate/alarms.md'), 'utf8')
  const setUp = /```sh\n([^]*?)```/.exec(page)?.[1] ?? ''
  const tryRules = /`(promtool test rules [^`]*)`/.exec(page)?.[1] ?? ''
  const [etc, env] = [join(folder, 'etc'), join(folder, 'floorcast.env')]
  mkdirSync(etc)
  writeFileSync(env, `PORT=8080\nMETRICS_TOKEN=${MONITOR_TOKEN}\n`)
  const commands = `${setUp}${tryRules}`
    // The package is there, and no service runs in the namespace.
    .replaceAll(/^(?:apt-get|systemctl) .*$/gm, '')
    .replaceAll('/opt/floorcast/', join(ops, '../../'))
    .replaceAll('/etc/floorcast.env', env)
  const script = `set -e\nmount --bind '${etc}' /etc/prometheus\n${commands}`
  const { status, stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script], {
    encoding: 'utf8',
  })
  expect({ status, said: stdout + stderr }).toMatchObject({ status: 0 })
  const token = join(etc, 'floorcast.token')
  expect([readFileSync(token, 'utf8'), statSync(token).mode & 0o777]).toEqual([`${MONITOR_TOKEN}\n`, 0o640])
})

test('promtool takes each expression of the dashboard', () => {
  const dashboard = readFileSync(join(ops, '../grafana/floorcast.json'), 'utf8')
  const expressions = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) =>
    (JSON.parse(text) as string).replaceAll('$__rate_interval', '5m'),
  )
  expect(expressions.length).toBeGreaterThan(40)
  const file = join(folder, 'dashboard.yaml')
  const recorded = expressions.map((expr, index) => ({ record: `floorcast:panel_${index}`, expr }))
  // JSON is YAML too.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: recorded }] }))
  expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 })
})

/** Two servers: one with devices, and one that is a program of its own, whose clock can be put wrong. */
async function startInstallation() {
  const s3 = await startS3rver()
  const server = await wholeServer({
    METRICS_TOKEN: MONITOR_TOKEN,
    BACKUP_TARGET: join(folder, 'disk'),
    ...settingsOf(s3, await makeBucket(s3, 'floor-files')),
  })
  Object.defineProperty(server.clock, 'now', { get: () => new Date() })
  const port = Number(new URL(await server.http.app.listen({ host: '127.0.0.1', port: 0 })).port)
  const { token } = await server.newClient()
  const devices = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const owner = await server.newClient()
      const params = { contentType: 'audio' }
      const body = { name: 'Till radio' }
      const { uid = '' } = await server.call(addDevice, { token: owner.token, params, body })
      const { licenseKey } = await server.call(readDevice, { token: owner.token, params: { id: uid } })
      const player = await openPlayer(server, licenseKey ?? '')
      await server.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
      return player
    }),
  )
  const shiftFile = join(folder, 'shift')
  writeFileSync(shiftFile, '0')
  const otherPort = await freePort()
  const other = startServerProgram({
    DATABASE_URL: server.url,
    PORT: String(otherPort),
    METRICS_TOKEN: MONITOR_TOKEN,
    NODE_OPTIONS: `--import ${new URL('../../../../testing/src/shifted-clock.ts', import.meta.url).href}`,
    CLOCK_SHIFT_FILE: shiftFile,
  })
  await other.until(/^Floorcast is at/)
  const sql = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
  return { server, s3, port, token, devices, sql, other, otherPort, shiftFile }
}

let installation: Awaited<ReturnType<typeof startInstallation>>
let prometheus: Prometheus

beforeAll(async () => {
  installation = await startInstallation()
  prometheus = await startPrometheus([installation.port, installation.otherPort])
})

const untilFiring = (alarm: string, meanwhile?: () => unknown) => prometheus.untilFiring(alarm, meanwhile)

/** Holds the lock of a table while calls of two clients for its rows wait, until `work` ends. */
async function withCallsWaiting(work: () => Promise<unknown>): Promise<void> {
  const { server, token } = installation
  const tokens = [token, (await server.newClient()).token]
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin; lock table groups in access exclusive mode')
    const calls = tokens.flatMap(each =>
      Array.from({ length: 30 }, () => server.ask(listGroups, { token: each, params: { x: 'all' } })),
    )
    await work()
    await superuser.query('rollback')
    await Promise.all(calls)
  })
}

function blockFor(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

async function setDatabaseOpen(isOpen: boolean): Promise<void> {
  const name = new URL(installation.server.url).pathname.slice(1)
  const postgres = Object.assign(new URL(installation.server.superuserUrl), { pathname: '/postgres' }).href
  await asSuperuser(postgres, async superuser => {
    await superuser.query(`alter database ${name} with allow_connections ${isOpen}`)
    if (!isOpen)
      await superuser.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        name,
      ])
  })
}

/** Each alarm with what makes it fire, in an order in which none stands in the way of the next one. */
const faults: Record<string, () => Promise<unknown>> = {
  // No backup was made.
  FloorcastBackupOld: () => untilFiring('FloorcastBackupOld'),
  async FloorcastBackupTargetMissing() {
    const { settings } = installation.server.context
    writeFileSync(join(settings.dataDir, 'backup-targets.json'), JSON.stringify([settings.backup?.target]))
    await untilFiring('FloorcastBackupTargetMissing')
  },
  async FloorcastClockOff() {
    writeFileSync(installation.shiftFile, '5000')
    await untilFiring('FloorcastClockOff')
  },
  async FloorcastScrapeMissing() {
    installation.other.child.kill('SIGKILL')
    await untilFiring('FloorcastScrapeMissing')
  },
  async FloorcastChannelsMissing() {
    const { server, devices } = installation
    for (const device of devices) await server.call(sendHeartbeat, { ...device, body: makeHeartbeat() })
    await untilFiring('FloorcastChannelsMissing')
  },
  async FloorcastPlaysRefused() {
    const [device] = installation.devices
    await installation.server.call(sendEvents, { ...device, body: [{ kind: 'nothing' }] })
    await untilFiring('FloorcastPlaysRefused')
  },
  async FloorcastPlaysMissing() {
    const { server, devices } = installation
    const delivered = 'sum(rate(floorcast_plays_stored_total[20s]))'
    let sequence = 0
    await prometheus.until(async () => {
      sequence += 1
      for (const device of devices) await sendPlays(server, device, [makePlay(sequence)])
      expect((await prometheus.ask(delivered)).get('')).toBeGreaterThan(0)
    })
    expect(await prometheus.firing()).not.toContain('FloorcastPlaysMissing')
    await untilFiring('FloorcastPlaysMissing')
  },
  async FloorcastDevicesLost() {
    const online = 'max by (instance) (floorcast_devices{state="online"})'
    await prometheus.until(async () =>
      expect((await prometheus.ask(online)).get(`127.0.0.1:${installation.port}`)).toBe(6),
    )
    await installation.sql(`update device_states set last_contact_at = now() - interval '2 hours'`)
    await untilFiring('FloorcastDevicesLost')
  },
  FloorcastDevicesSilent: () => untilFiring('FloorcastDevicesSilent'),
  async FloorcastErrors() {
    const { server, token, sql } = installation
    await sql(`revoke select on ${CLIENT_VIEWS}.groups from floorcast_app`)
    expect((await server.ask(listGroups, { token, params: { x: 'all' } })).statusCode).toBe(500)
    await sql(`grant select on ${CLIENT_VIEWS}.groups to floorcast_app`)
    await untilFiring('FloorcastErrors')
  },
  FloorcastPoolWaits: () => withCallsWaiting(() => untilFiring('FloorcastPoolWaits')),
  FloorcastCallsRefused: () => withCallsWaiting(() => untilFiring('FloorcastCallsRefused')),
  FloorcastEventLoopSlow: () => untilFiring('FloorcastEventLoopSlow', () => blockFor(300)),
  async FloorcastJobLate() {
    watchJob(installation.server.context.metrics, { name: 'never', periodMs: 1000 })
    await untilFiring('FloorcastJobLate')
  },
  async FloorcastMaintenanceLate() {
    await installation.sql(`insert into maintenance_runs values (now(), now() - interval '1 minute', 3)`)
    await untilFiring('FloorcastMaintenanceLate')
  },
  async FloorcastMailsStuck() {
    await installation.sql(
      `insert into mails (uid, kind, recipient, language, created_at, due_at)
       values (gen_random_uuid(), 'reset', 'olga@example.com', 'en', now() - interval '20 minutes', now())`,
    )
    await untilFiring('FloorcastMailsStuck')
  },
  async FloorcastMediaStuck() {
    const { server, token, sql } = installation
    const bytes = makeSong({ notes: [1, 2], seconds: 4 })
    await uploader(server).upload(token, 'melodies', { bytes, name: 'One.mp3' })
    // The measurement that has begun ends first.
    await vi.waitFor(
      async () =>
        expect((await sql('select loudness_state from media_files')).rows).toEqual([
          { loudness_state: 'measured' },
        ]),
      { timeout: ALARM_MS, interval: 200 },
    )
    await sql(
      `update media_files set uploaded_at = now() - interval '1 hour', loudness_state = 'pending',
         integrated_lufs = null, true_peak_dbtp = null`,
    )
    await untilFiring('FloorcastMediaStuck')
  },
  async FloorcastFilesAway() {
    await installation.s3.stop()
    await untilFiring('FloorcastFilesAway')
    await installation.s3.start()
  },
  async FloorcastDiskFull() {
    fillDisk(installation.server)
    await untilFiring('FloorcastDiskFull')
  },
  FloorcastDiskLow: () => untilFiring('FloorcastDiskLow'),
  async FloorcastUnready() {
    await setDatabaseOpen(false)
    await untilFiring('FloorcastUnready')
  },
  async FloorcastFiguresMissing() {
    await untilFiring('FloorcastFiguresMissing')
    await setDatabaseOpen(true)
  },
}

test('each alarm has a fault that makes it fire, here or in database-alarms.slow.ts', () => {
  expect(Object.keys(faults).toSorted()).toEqual(readAlarms().others)
})

test('no alarm fires over an installation without faults but that of its missing backup', async () => {
  await prometheus.until(async () => expect(await prometheus.firing()).toEqual(['FloorcastBackupOld']))
})

test.each(Object.entries(faults))('%s fires', async (_, make) => {
  await make()
})
