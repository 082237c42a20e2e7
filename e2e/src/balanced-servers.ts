import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { CallError, makeClient } from '@floorcast/contract/client.ts'
import { addDevice as addDeviceCall, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { addToGroup, listGroups } from '@floorcast/contract/groups.ts'
import { Fleet, type FleetOptions } from '@floorcast/fleet/fleet.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import type { RunningProxy } from '@floorcast/testing/proxy-process.ts'
import {
  CELL,
  PROXY_AUTHORITY,
  runExampleProxy,
  startExampleProxy,
} from '@floorcast/testing/reverse-proxy.ts'
import { type ServerProgram, startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser, type DatabaseUrls } from '@floorcast/testing/test-database.ts'
import { expect } from 'vitest'
import {
  createdUid,
  newEmail,
  owner,
  publishToDevice,
  registerOwner,
  type SignedInClient,
} from './client-fixture.ts'

/** Servers of one database behind a proxy, by the examples of ops/, and what calls them meanwhile. */

/** HAProxy takes a server after two checks that pass, Caddy after one; nginx asks for none. */
const CHECKS = { haproxy: 3, caddy: 2, nginx: 0 }

export interface BalancedServers {
  /** Of consoles. */
  origin: string
  /** Of devices. */
  deviceOrigin: string
  folder: string
  /** Starts one of them, and waits until the proxy sends it calls. */
  start: (number: number, main?: string) => Promise<ServerProgram>
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-balanced-'))
  atTheEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Two servers with the same folder. */
export async function openBalancedServers(
  databaseUrl: string,
  proxy: 'haproxy' | 'caddy' = 'haproxy',
): Promise<BalancedServers> {
  const folder = makeFolder()
  const ports = [await freePort(), await freePort()]
  const second = `  server two 127.0.0.1:${ports[1]} check inter 2s\n`
  const port =
    proxy === 'caddy'
      ? await startExampleProxy('caddy-pair', ports)
      : await startExampleProxy('haproxy', ports[0] ?? 0, second)
  const origin = `https://localhost:${port}`
  const settings = { DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'data') }
  return balance(proxy, { folder, origin, deviceOrigin: origin }, number => ({
    ...settings,
    PORT: String(ports[number]),
  }))
}

/** Two servers for consoles and two for devices, with a folder each and a bucket. @param store S3_BUCKET and the settings beside it */
export async function openCell(
  proxy: 'haproxy' | 'nginx',
  databaseUrl: string,
  store: Record<string, string>,
): Promise<BalancedServers & { proxy: RunningProxy }> {
  const folder = makeFolder()
  const ports = await Promise.all(CELL.map(() => freePort()))
  const running = await runExampleProxy(`${proxy}-cell`, ports)
  const { port } = running
  const deviceOrigin = `https://127.0.0.1:${port}`
  const shared = {
    ...store,
    DATABASE_URL: databaseUrl,
    SECRET_KEY_FILE: join(folder, 'secret.key'),
    STREAM_URL: deviceOrigin,
  }
  const servers = balance(proxy, { folder, origin: `https://localhost:${port}`, deviceOrigin }, number => ({
    ...shared,
    DATA_DIR: join(folder, String(number)),
    PORT: String(ports[number]),
    ROLE: CELL[number] ?? 'all',
  }))
  return { ...servers, proxy: running }
}

function balance(
  proxy: keyof typeof CHECKS,
  place: Omit<BalancedServers, 'start'>,
  settingsOf: (number: number) => Record<string, string>,
): BalancedServers {
  setDefaultCACertificates([...getCACertificates('default'), readFileSync(PROXY_AUTHORITY, 'utf8')])
  const start = async (number: number, main?: string) => {
    const environment = {
      ...settingsOf(number),
      PUBLIC_URL: place.origin,
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'debug',
      // What is installed has no such line.
      DRAIN_SECONDS: '',
    }
    const program = startServerProgram(environment, [], main)
    await program.until(/^Floorcast is at/)
    await eventually(() => {
      const checks = program.said.filter(line => line.includes('"path":"/health/ready","status":200'))
      expect(checks.length).toBeGreaterThanOrEqual(CHECKS[proxy])
    })
    return program
  }
  return { ...place, start }
}

export interface Chain {
  client: SignedInClient
  /** Adds a device that plays the songs of the chain. @returns its license key */
  addDevice: () => Promise<string>
  /** Starts further devices, which play the songs of the chain one after another. */
  startFleet: (devices: number, more?: Pick<FleetOptions, 'updateKey'>) => Promise<Fleet>
}

/** A new client with a publication of two short songs for all of its devices. */
export async function openChain(
  { origin, deviceOrigin, folder }: Omit<BalancedServers, 'start'>,
  { superuserUrl }: Pick<DatabaseUrls, 'superuserUrl'>,
): Promise<Chain> {
  await asSuperuser(superuserUrl, superuser => superuser.query('update plans set device_limit = 1000'))
  const email = newEmail('chain')
  const client = await registerOwner(origin, { ...owner, email })
  await publishToDevice(client, await writeSongs(folder, { count: 2, seconds: 3 }))
  const { items } = await client.call(listGroups, { params: { x: 'audio' }, query: {} })
  const [{ uid: group } = { uid: '' }] = items
  const addDevice = () => addDeviceTo(client, group)
  const startFleet: Chain['startFleet'] = async (devices, more = {}) => {
    const licenseKeys: string[] = []
    while (licenseKeys.length < devices) licenseKeys.push(await addDevice())
    const onRefused = (number: number, error: unknown) => {
      throw new Error(`Device ${number} was refused`, { cause: error })
    }
    const fleet = new Fleet({
      server: deviceOrigin,
      licenseKeys,
      speed: 1,
      heartbeatSeconds: 5,
      onRefused,
      ...more,
    })
    atTheEnd(() => fleet.stop())
    await fleet.start()
    await eventually(() => expect(fleet.metrics.connected).toBe(devices))
    await untilPlayed(fleet, devices)
    return fleet
  }
  return { client, addDevice, startFleet }
}

/** @returns its license key */
async function addDeviceTo({ call }: SignedInClient, group: string): Promise<string> {
  const device = createdUid(
    await call(addDeviceCall, { params: { contentType: 'audio' }, body: { name: 'Till' } }),
  )
  await call(addToGroup, { params: { device, group } })
  const { licenseKey } = await call(readDevice, { params: { id: device } })
  return licenseKey ?? ''
}

/** Waits for so many further plays. */
export async function untilPlayed({ metrics }: Fleet, plays: number): Promise<void> {
  const wanted = metrics.plays + plays
  await eventually(() => expect(metrics.plays).toBeGreaterThanOrEqual(wanted))
}

/** Calls of the fleet that failed. Its sessions, channels and reports are tried again, so that nothing else would show them. */
export const failedCalls = ({ metrics }: Fleet) =>
  Object.entries(metrics.summary()).flatMap(([kind, calls]) =>
    typeof calls === 'object' && 'errors' in calls && calls.errors > 0 ? [`${kind}: ${calls.errors}`] : [],
  )

/** What a server has logged as an error. */
export const errorsOf = ({ said }: ServerProgram) => said.filter(line => /^\{"level":[56]0/.test(line))

const CALLS_A_SECOND = 20
/** Longer than any call may take here. */
const ANSWER_MS = 20_000

export interface Probed {
  sent: number
  /** What was no answer, or not the one that is right. */
  failures: string[]
}

/** Makes twenty calls a second, each of which has to find every device of the client online. @returns its end */
export function startProber({ url, token }: SignedInClient, devices: number): () => Promise<Probed> {
  const probed: Probed = { sent: 0, failures: [] }
  const open = new Set<Promise<void>>()
  const call = makeClient({
    base: url,
    token: () => token,
    fetch: (address, init) => fetch(address, { signal: AbortSignal.timeout(ANSWER_MS), ...init }),
  })
  const probe = async () => {
    const at = new Date().toISOString()
    try {
      const { total } = await call(listDevices, { query: { connectivity: 'online' } })
      if (total !== devices) probed.failures.push(`${at} ${total} of ${devices} devices are online`)
    } catch (error) {
      const code = error instanceof CallError ? error.problem?.code : undefined
      probed.failures.push(`${at} ${String(error)} ${code ?? String((error as Error).cause)}`)
    }
  }
  const timer = setInterval(() => {
    probed.sent += 1
    const one = probe().finally(() => open.delete(one))
    open.add(one)
  }, 1000 / CALLS_A_SECOND)
  return async () => {
    clearInterval(timer)
    await Promise.all(open)
    return probed
  }
}

/** What is stored of plays: their rows, events and sums, and the starts of devices of which a number is missing. */
export const readStored = ({ superuserUrl }: Pick<DatabaseUrls, 'superuserUrl'>) =>
  asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<Record<'plays' | 'events' | 'summed' | 'gaps', number>>(`
      select (select count(*)::int from plays) as plays, (select count(distinct event_uid)::int from plays) as events,
        (select sum(plays)::int from play_days) as summed,
        (select count(*)::int from device_boots
          where lower(received) <> 1 or (select count(*) from unnest(received)) <> 1) as gaps`)
    return rows[0]
  })

/** The seconds of the longest pause between two plays of a device. */
export const longestPause = ({ superuserUrl }: DatabaseUrls): Promise<number> =>
  asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ seconds: number }>(`
      select coalesce(extract(epoch from max(started_at - ended)), 0)::float8 as seconds from (
        select started_at, lag(ended_at) over (partition by device_uid, boot_uid order by sequence) as ended from plays) p`)
    return rows[0]?.seconds ?? 0
  })
