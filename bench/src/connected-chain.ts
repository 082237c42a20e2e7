import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { buildPath } from '@floorcast/contract/client.ts'
import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { readPublication } from '@floorcast/contract/publications.ts'
import { addDevices, fillChain, type FilledChain, type FilledDevice, TRACK_SECONDS } from './chain-fill.ts'
import { type FleetFixture, openFleetFixture } from './fleet-fixture.ts'
import { numberOption } from './bench-types.ts'
import { errorsOf, type FleetProcess, startFleet, waitForFleet } from './fleet-process.ts'

const STARTS_PER_SECOND = 250
const MAX_START_SECONDS = 1200
/** Longer than the jitter of devices, and than their reports on the first manifest. */
const SETTLE_MS = 25_000

/** A client's devices, filled in and not yet started. */
export interface Chain extends FilledChain {
  fixture: FleetFixture
  devices: readonly FilledDevice[]
  /** Whether devices keep what they have sent, for a restored server. */
  keepsSent: boolean
}

interface ChainOptions {
  /** How many devices. */
  count: number
  trackSeconds?: number
  keepsSent?: boolean
}

/** Runs `work` with a client whose devices are filled in. */
export async function withChain<T>(
  args: readonly string[],
  { count, trackSeconds = TRACK_SECONDS, keepsSent = false }: ChainOptions,
  work: (chain: Chain) => Promise<T>,
): Promise<T> {
  const fixture = await openFleetFixture(args)
  try {
    const { superuser, call, clientId } = fixture
    const filled = await fillChain({ superuser, call, clientId }, trackSeconds)
    const devices = await addDevices(superuser, { clientId, groupUid: filled.groupUid, count })
    return await work({ fixture, devices, keepsSent, ...filled })
  } finally {
    await fixture.close()
  }
}

export async function revisionOf({ fixture }: Chain, publicationUid: string): Promise<number> {
  const { rows } = await fixture.superuser.query<{ revision: number }>(
    'select revision from publications where uid = $1',
    [publicationUid],
  )
  return rows[0]?.revision ?? 0
}

/**
 * Waits until a moment so long after a change of tracks, in which all devices end a play; before it if negative. While nothing
 * is on the air there is no change, and it resolves at once.
 */
export async function waitForTrackChange({ fixture, simpleUid }: Chain, offsetMs: number): Promise<void> {
  const { rows } = await fixture.superuser.query<{ at: Date | null }>(
    'select activated_at as at from publications where uid = $1',
    [simpleUid],
  )
  const at = rows[0]?.at
  if (!at) return
  const trackMs = TRACK_SECONDS * 1000
  const since = (Date.now() - at.getTime() - offsetMs) % trackMs
  await pause(since < 0 ? -since : trackMs - since)
}

/** The plays of some devices that the server has, and how many of all devices it has twice. */
export async function countPlays(
  { fixture }: Chain,
  devices: readonly FilledDevice[],
): Promise<{ stored: number; doubled: number }> {
  const { rows } = await fixture.superuser.query<{ stored: number; doubled: number }>(
    `select count(*) filter (where device_uid = any ($1))::int as stored,
       (count(*) - count(distinct event_uid))::int as doubled from plays`,
    [devices.map(({ uid }) => uid)],
  )
  return rows[0] ?? { stored: 0, doubled: 0 }
}

/** How many devices of a hundred have a fault: the option --faulty. */
export const faultyPercentOf = (args: readonly string[]) => numberOption(args, '--faulty', 0)

/** Starts a fleet of these devices, and waits until all without a fault are connected and hold the publication on the air. */
export async function connectFleet(
  chain: Chain,
  devices: readonly FilledDevice[],
  args: readonly string[],
): Promise<FleetProcess> {
  const { fixture, simpleUid, keepsSent } = chain
  const profile = ['--cpu-prof', '--cpu-prof-dir=artifacts']
  const fleet = startFleet({
    server: fixture.deviceOrigin,
    licenseKeys: devices.map(({ licenseKey }) => licenseKey),
    keysFile: join(fixture.folder, `keys-${devices[0]?.uid ?? ''}.json`),
    perSecond: STARTS_PER_SECOND,
    faultyPercent: faultyPercentOf(args),
    keepsSent,
    nodeArguments: args.includes('--profile') ? profile : [],
  })
  const seconds = await waitForFleet(
    fleet,
    ({ channels, publications }) =>
      channels.connected === fleet.faultless &&
      publications.find(({ uid }) => uid === simpleUid)?.devices === fleet.faultless,
    MAX_START_SECONDS,
  )
  const summary = await fleet.summary()
  if (seconds === null)
    throw new Error(`${summary.channels.connected} of ${fleet.faultless} devices are connected`)
  console.error(
    `${fleet.faultless} devices connected after ${seconds.toFixed(1)} s: ${errorsOf(summary)} errors, ` +
      `sessions p95 ${summary.sessions.p95} ms, manifests p95 ${summary.manifests.p95} ms`,
  )
  await pause(SETTLE_MS)
  return fleet
}

/** The paths that an open console reads: devices, a search among them, a device's card and a publication's card. */
export const consolePaths = ({ devices }: Chain, publicationUid: string): string[] => [
  listDevices.path,
  buildPath(listDevices.path, {}, { search: '"shop 004"' }),
  buildPath(readDevice.path, { id: devices[0]?.uid ?? '' }),
  buildPath(readPublication.path, { id: publicationUid }),
]
