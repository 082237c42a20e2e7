import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, cpus, networkInterfaces, type } from 'node:os'
import type { AlertCheck, NowPlaying } from '@floorcast/contract/devices.ts'
import type { Heartbeat, Held, Silence } from '@floorcast/contract/device-protocol.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { heldReport } from '@floorcast/playback/sync-plan.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { programVersion } from './program-version.ts'

interface HardwareState {
  temperatureCelsius: number | null
  memorySizeBytes: number | null
  freeMemoryBytes: number | null
  ipAddress: string | null
  macAddress: string | null
}

function readTemperature(): number | null {
  try {
    const thousandths = Number(readFileSync('/sys/class/thermal/thermal_zone0/temp', 'utf8'))
    const celsius = thousandths / 1000
    return Number.isFinite(celsius) && Math.abs(celsius) <= 200 && celsius >= -100 ? celsius : null
  } catch {
    return null
  }
}

function readAddress(): { ipAddress: string | null; macAddress: string | null } {
  const outward = Object.values(networkInterfaces())
    .flatMap(list => list ?? [])
    .filter(each => !each.internal)
  const address = outward.find(each => each.family === 'IPv4') ?? outward[0]
  return { ipAddress: address?.address ?? null, macAddress: address?.mac ?? null }
}

/** Reads the hardware's state. The sizes are those of the disk that holds `folder`. A value that cannot be read is null. */
async function readHardwareState(folder: string): Promise<HardwareState> {
  const disk = await statfs(folder).catch(() => null)
  return {
    temperatureCelsius: readTemperature(),
    memorySizeBytes: disk ? disk.blocks * disk.bsize : null,
    freeMemoryBytes: disk ? disk.bavail * disk.bsize : null,
    ...readAddress(),
  }
}

/** Reads the hardware's model: the board's name, or else the system, architecture and processor. */
export function readModel(): string {
  for (const path of ['/proc/device-tree/model', '/sys/devices/virtual/dmi/id/product_name'])
    try {
      const name = readFileSync(path, 'utf8').replaceAll('\0', '').trim()
      if (name) return name.slice(0, 100)
    } catch {
      continue
    }
  return `${type()} ${arch()} ${cpus()[0]?.model ?? ''}`.trim().slice(0, 100)
}

interface HeartbeatSources {
  dataDir: string
  bootId: string
  manifests: ManifestStore
  media: MediaStore
  player: {
    volume: () => number
    nowPlaying: () => NowPlaying | null
    silence: () => Silence | null
    alertCheck: () => AlertCheck | null
  }
  /** Whether missing files are on their way. */
  isDownloading: () => boolean
  /** Whether the machine lacks the program that plays. */
  isPlayerMissing: () => boolean
}

/** The heartbeat's limits. */
const MAX_HELD = 20
const MAX_QUARANTINED = 100
const MAX_NAME_LENGTH = 200

/** Describes the held files of each publication of the newest manifest. */
export function describeHeld(manifests: ManifestStore, media: MediaStore): Held[] {
  const newest = manifests.newest()?.manifest
  return newest ? heldReport(newest, media.held).slice(0, MAX_HELD) : []
}

function describeSilence(
  silence: Silence | null,
  { isDownloading, isPlayerMissing }: Pick<HeartbeatSources, 'isDownloading' | 'isPlayerMissing'>,
): Silence | null {
  // A person must repair it whatever the cue says.
  if (silence && silence.because !== 'stopped' && isPlayerMissing())
    return { ...silence, because: 'player-missing' }
  return silence?.because === 'not-downloaded' && isDownloading()
    ? { ...silence, because: 'downloading' }
    : silence
}

/** Composes a heartbeat: the current state of the hardware, the player and the stores. */
export async function composeHeartbeat(sources: HeartbeatSources): Promise<Heartbeat> {
  const { dataDir, bootId, manifests, media, player } = sources
  const newest = manifests.newest()?.manifest
  // A file that was uploaded again has another hash, so the old hash no longer matters.
  const named = newest ? filesOf(newest) : new Set<string>()
  const quarantined = media.quarantine
    .list()
    .filter(({ sha256 }) => named.has(sha256))
    .slice(0, MAX_QUARANTINED)
  return {
    sentAt: new Date().toISOString(),
    bootId,
    programVersion,
    ...(await readHardwareState(dataDir)),
    volume: player.volume(),
    nowPlaying: player.nowPlaying(),
    silence: describeSilence(player.silence(), sources),
    manifestEtag: manifests.playing()?.etag ?? null,
    held: describeHeld(manifests, media),
    quarantined: quarantined.map(({ name, sha256 }) => ({ name: name.slice(0, MAX_NAME_LENGTH), sha256 })),
    alertCheck: player.alertCheck(),
  }
}
