import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
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
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { watchJob } from '../platform/metrics/watch-job.ts'

const ops = fileURLToPath(new URL('../../../../ops/prometheus/', import.meta.url))
const rules = readFileSync(join(ops, 'rules.yaml'), 'utf8')
const example = readFileSync(join(ops, 'prometheus.yml'), 'utf8')

requireProgram('prometheus')
const TOKEN = 'a-token-of-monitors'
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
  writeFileSync(env, `PORT=8080\nMETRICS_TOKEN=${TOKEN}\n`)
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
  expect([readFileSync(token, 'utf8'), statSync(token).mode & 0o777]).toEqual([`${TOKEN}\n`, 0o640])
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

/** Devices are counted once a minute. */
const LONG_MS = 120_000

/** Replaces what the head of the example tells its reader to change, and looks each few seconds. */
function writeConfig(targets: number[]): string {
  const [rulesFile, tokenFile] = [join(folder, 'rules.yaml'), join(folder, 'token')]
  // Alarms fire at once.
  writeFileSync(rulesFile, rules.replaceAll(/for: \w+/g, 'for: 0s').replaceAll('[2m]', '[5s]'))
  writeFileSync(tokenFile, `${TOKEN}\n`)
  const changes = [
    ['/etc/prometheus/floorcast-rules.yaml', rulesFile],
    ['/etc/prometheus/floorcast.token', tokenFile],
    // A scrape waits two seconds for figures that do not come.
    ['scrape_interval: 15s', 'scrape_interval: 3s'],
    ['evaluation_interval: 15s', 'evaluation_interval: 1s'],
    ["['127.0.0.1:8080']", JSON.stringify(targets.map(port => `127.0.0.1:${port}`))],
  ] as const
  const config = join(folder, 'prometheus.yml')
  writeFileSync(
    config,
    changes.reduce((text, [from, to]) => {
      expect(text).toContain(from)
      return text.replaceAll(from, to)
    }, example),
  )
  return config
}

/** Runs Debian's Prometheus over servers. @returns what asks it */
async function startPrometheus(targets: number[]): Promise<(query: string) => Promise<Map<string, number>>> {
  const config = writeConfig(targets)
  expect(promtool('check', 'config', config)).toMatchObject({ status: 0 })
  const address = `127.0.0.1:${await freePort()}`
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
    '--log.level=error',
  ]
  const child = spawn('prometheus', args, { stdio: 'inherit' })
  atTheEnd(async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  })
  const ask = async (query: string) => {
    const answer = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`)
    const { data } = (await answer.json()) as {
      data: { result: { metric: Record<string, string>; value: [number, string] }[] }
    }
    return new Map(
      data.result.map(({ metric, value }) => [metric['alertname'] ?? metric['instance'] ?? '', +value[1]]),
    )
  }
  await vi.waitFor(async () => expect([...(await ask('up')).values()]).toEqual([1, 1]), {
    timeout: LONG_MS,
    interval: 500,
  })
  return ask
}

/** Two servers: one with devices, and one that is a program of its own, whose clock can be put wrong. */
async function startInstallation() {
  const server = await wholeServer({ METRICS_TOKEN: TOKEN, BACKUP_TARGET: join(folder, 'disk') })
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
    METRICS_TOKEN: TOKEN,
    NODE_OPTIONS: `--import ${new URL('../../../../testing/src/shifted-clock.ts', import.meta.url).href}`,
    CLOCK_SHIFT_FILE: shiftFile,
  })
  await other.until(/^Floorcast is at/)
  const sql = (text: string) => asSuperuser(server.superuserUrl, superuser => superuser.query(text))
  return { server, port, token, devices, sql, other, otherPort, shiftFile }
}

let installation: Awaited<ReturnType<typeof startInstallation>>
let ask: Awaited<ReturnType<typeof startPrometheus>>

/** The alarms that fire now. */
const firing = async () =>
  [...(await ask('count by (alertname) (ALERTS{alertstate="firing"})')).keys()].toSorted()

const untilFiring = (alarm: string, meanwhile: () => unknown = () => undefined) =>
  vi.waitFor(
    async () => {
      await meanwhile()
      expect(await firing()).toContain(alarm)
    },
    { timeout: LONG_MS, interval: 200 },
  )

beforeAll(async () => {
  installation = await startInstallation()
  ask = await startPrometheus([installation.port, installation.otherPort])
})

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
  async FloorcastDevicesLost() {
    await vi.waitFor(
      async () =>
        expect(
          (await ask('max by (instance) (floorcast_devices{state="online"})')).get(
            `127.0.0.1:${installation.port}`,
          ),
        ).toBe(6),
      { timeout: LONG_MS, interval: 500 },
    )
    await installation.sql(`update device_states set last_contact_at = now() - interval '2 hours'`)
    await untilFiring('FloorcastDevicesLost')
  },
  FloorcastDevicesSilent: () => untilFiring('FloorcastDevicesSilent'),
  async FloorcastErrors() {
    const { server, token, sql } = installation
    await sql('revoke select on client_views.groups from floorcast_app')
    expect((await server.ask(listGroups, { token, params: { x: 'all' } })).statusCode).toBe(500)
    await sql('grant select on client_views.groups to floorcast_app')
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
      { timeout: LONG_MS, interval: 200 },
    )
    await sql(
      `update media_files set uploaded_at = now() - interval '1 hour', loudness_state = 'pending',
         integrated_lufs = null, true_peak_dbtp = null`,
    )
    await untilFiring('FloorcastMediaStuck')
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

/** They take a week, a standby, or all connections of the PostgreSQL that tests share: promtool's examples alone show them. */
const BY_EXAMPLE = [
  'FloorcastPlaysMissing',
  'FloorcastDatabaseConnections',
  'FloorcastNotifyQueue',
  'FloorcastStandbyLost',
  'FloorcastReplicationLag',
]

test('each alarm has a fault that makes it fire, or only examples', () => {
  const alarms = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  expect([...Object.keys(faults), ...BY_EXAMPLE].toSorted()).toEqual(alarms.toSorted())
})

test('no alarm fires over an installation without faults but that of its missing backup', async () => {
  await vi.waitFor(async () => expect(await firing()).toEqual(['FloorcastBackupOld']), {
    timeout: LONG_MS,
    interval: 500,
  })
})

test.each(Object.entries(faults))('%s fires', async (_, make) => {
  await make()
})
