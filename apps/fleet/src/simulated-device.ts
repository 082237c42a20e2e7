import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { parseDeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { release } from '@floorcast/contract/release.ts'
import type { Connect } from '@floorcast/device-client/channel.ts'
import { DeviceClient, type ServerMessage } from '@floorcast/device-client/device-client.ts'
import type { ManifestStorage } from '@floorcast/device-client/manifest-fetcher.ts'
import { DeviceSession, type LicenseRefused, type StoredSession } from '@floorcast/device-client/session.ts'
import { connectByWs } from '@floorcast/device-client/ws-socket.ts'
import { alertsDiffer } from '@floorcast/playback/cue-alert.ts'
import { heldReport } from '@floorcast/playback/sync-plan.ts'
import { DevicePlayer } from './device-player.ts'
import { EventLog } from './event-log.ts'
import { countCalls, type Metrics } from './metrics.ts'
import type { FleetClock } from './fleet-clock.ts'
import { hardwareIdOf } from './license-keys.ts'
import type { MediaCache } from './media-cache.ts'

export interface FleetParts {
  server: string
  clock: FleetClock
  metrics: Metrics
  media: MediaCache
  heartbeatSeconds: number | null
}

const GIBIBYTE = 1024 ** 3
/** A fleet that stops has more events to send than a server accepts in the ten seconds of a single device. */
const MAX_FLUSH_MS = 60_000

/** One device of the fleet: the agent's device client with a player without sound. Its data is in memory. */
export class SimulatedDevice {
  readonly #parts: FleetParts
  readonly #number: number
  readonly #log: EventLog
  readonly #session: DeviceSession
  readonly #client: DeviceClient
  readonly #player: DevicePlayer
  /** Resolves when the first manifest's files are held: a fast clock would pass hours during the downloads. */
  readonly #ready = Promise.withResolvers<void>()
  #etag: string | undefined
  #refused: LicenseRefused | null = null
  #isStopping = false

  constructor(parts: FleetParts, licenseKey: string, number: number) {
    this.#parts = parts
    this.#number = number
    this.#log = new EventLog(parts.metrics)
    this.#session = openMemorySession(parts, licenseKey)
    this.#client = this.#makeClient()
    this.#player = new DevicePlayer({
      clock: parts.clock,
      log: this.#log,
      onPlayed: () => (parts.metrics.plays += 1),
      onChange: () => this.#client.sendSoon(),
    })
  }

  /** Runs until `stop`, and waits for a server that is away. Rejects if the server refuses the license key. */
  async run(): Promise<void> {
    await Promise.all([this.#client.start(), this.#ready.promise.then(() => this.#player.run())])
    if (this.#refused) throw this.#refused
  }

  /** Stops the player and sends its log. */
  async stop(): Promise<void> {
    this.#end()
    await this.#client.stop()
  }

  #end(): void {
    this.#isStopping = true
    this.#player.stop()
    this.#ready.resolve()
  }

  #makeClient(): DeviceClient {
    const { clock, metrics, heartbeatSeconds } = this.#parts
    return new DeviceClient({
      session: this.#session,
      connect: this.#connect,
      clock: { now: () => clock.now(), steady: () => performance.now(), applyServerTime: () => undefined },
      events: this.#log,
      manifests: this.#manifests,
      random: Math.random,
      intervalSeconds: () => heartbeatSeconds ?? this.#player.manifest?.settings.heartbeatSeconds ?? 60,
      describe: () => Promise.resolve(this.#composeHeartbeat()),
      trackHeartbeat: () => metrics.heartbeats.begin(),
      onRefused: refused => {
        this.#refused = refused
        this.#end()
      },
      onMessage: message => this.#countMessage(message),
      onAlerts: notices => {
        const { manifest } = this.#player
        return manifest === null || alertsDiffer(manifest, notices)
      },
      onUnknown: line => this.#logUnknown(line),
      print: () => undefined,
      maxFlushMs: MAX_FLUSH_MS,
    })
  }

  /** Counts connections. */
  readonly #connect: Connect = (url, token, handlers) => {
    const { metrics } = this.#parts
    let isConnected = false
    return connectByWs(url, token, {
      ...handlers,
      onOpen: () => {
        isConnected = true
        metrics.connected += 1
        handlers.onOpen()
      },
      onClose: end => {
        if (isConnected) metrics.connected -= 1
        if (isConnected && !this.#isStopping) metrics.dropped += 1
        handlers.onClose(end)
      },
    })
  }

  readonly #manifests: ManifestStorage = {
    newestEtag: () => this.#etag,
    save: ({ etag, manifest }) => {
      const reading = parseDeviceManifest(manifest)
      if (!reading) return null
      this.#etag = etag
      this.#player.setManifest(reading.manifest)
      void this.#fetchFiles(reading.manifest.files).then(() => this.#ready.resolve())
      return reading
    },
  }

  async #fetchFiles(files: readonly ManifestFile[]): Promise<void> {
    const { media } = this.#parts
    await Promise.all(
      files.map(async file => {
        if (await media.fetchOnce(file, this.#session)) this.#player.addFile(file.sha256)
      }),
    )
  }

  #countMessage({ type }: ServerMessage): void {
    const { metrics } = this.#parts
    metrics.messages += 1
    if (type !== 'replaced') return
    metrics.replaced += 1
    this.#end()
  }

  /** Logs an unknown part of a newer server's protocol, as the agent does. */
  #logUnknown(line: string): void {
    const at = new Date(this.#parts.clock.now()).toISOString()
    const message = `The fleet does not know: ${line}`.slice(0, 1000)
    this.#log.append({ kind: 'debug', level: 'warning', code: 'protocol-unknown', message, at })
  }

  #composeHeartbeat(): Heartbeat {
    const { manifest, held, nowPlaying } = this.#player
    return {
      sentAt: new Date(this.#parts.clock.now()).toISOString(),
      bootId: this.#log.bootId,
      programVersion: `fleet ${release.version}`,
      temperatureCelsius: 38 + Math.round(Math.random() * 120) / 10,
      memorySizeBytes: 32 * GIBIBYTE,
      freeMemoryBytes: 20 * GIBIBYTE - this.#number * 1024 ** 2,
      ipAddress: `10.${(this.#number >> 16) & 255}.${(this.#number >> 8) & 255}.${this.#number & 255}`,
      macAddress: `02:f1:ee:${this.#number
        .toString(16)
        .padStart(6, '0')
        .replace(/(..)(..)(..)/, '$1:$2:$3')}`,
      volume: manifest?.device.volume ?? 0,
      nowPlaying,
      manifestEtag: this.#etag ?? null,
      held: manifest ? heldReport(manifest, held) : [],
      quarantined: [],
    }
  }
}

function openMemorySession({ server, metrics }: FleetParts, licenseKey: string): DeviceSession {
  let stored: StoredSession | null = null
  return new DeviceSession({
    server,
    licenseKey,
    hardwareId: hardwareIdOf(licenseKey),
    model: 'Fleet simulator',
    version: release.version,
    storage: { read: () => stored, write: session => void (stored = session) },
    fetch: countCalls(metrics),
    onOtherDevice: () => undefined,
  })
}
