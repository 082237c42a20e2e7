import { setTimeout as pause } from 'node:timers/promises'
import { CallError } from '@floorcast/contract/client.ts'
import { release } from '@floorcast/contract/release.ts'
import {
  type DeviceHeartbeatAnswer,
  type DeviceMessage,
  sendDeviceHeartbeat,
} from '@floorcast/contract/device-messages.ts'
import { type Heartbeat, sendEvents } from '@floorcast/contract/device-protocol.ts'
import { backoffOf, jitteredInterval } from '@floorcast/playback/event-rules.ts'
import { heldReport } from '@floorcast/playback/sync-plan.ts'
import { DeviceChannel } from './device-channel.ts'
import { DeviceLink } from './device-link.ts'
import { DevicePlayer } from './device-player.ts'
import { EventLog } from './event-log.ts'
import type { Figures } from './figures.ts'
import type { FleetClock } from './fleet-clock.ts'
import type { MediaCache } from './media-cache.ts'

export interface FleetParts {
  server: string
  clock: FleetClock
  figures: Figures
  media: MediaCache
  heartbeatSeconds: number | null
}

const SEND_EVERY_MILLIS = 1000
const GIBIBYTE = 1024 ** 3

/** One device of the fleet: everything an agent says to the server, without a box and without a sound. */
export class SimulatedDevice {
  readonly #parts: FleetParts
  readonly #number: number
  readonly #log = new EventLog()
  readonly #link: DeviceLink
  readonly #channel: DeviceChannel
  readonly #player: DevicePlayer
  readonly #stopping = new AbortController()
  #etag: string | null = null
  #syncing: Promise<void> = Promise.resolve()
  readonly #reportedUnknown = new Set<string>()

  constructor(parts: FleetParts, licenseKey: string, number: number) {
    this.#parts = parts
    this.#number = number
    this.#link = new DeviceLink(parts.server, licenseKey, parts.figures)
    this.#channel = new DeviceChannel({
      link: this.#link,
      figures: parts.figures,
      follow: message => this.#follow(message),
      reportUnknown: line => this.#reportUnknown(line),
    })
    this.#player = new DevicePlayer(parts.clock, this.#log, () => (parts.figures.plays += 1))
  }

  /** Lives until `stop`; a server that is away is waited for. Rejects when the server refuses the licence key. */
  async run(): Promise<void> {
    await this.#openSession()
    if (this.#stopping.signal.aborted) return
    this.#channel.connect()
    await this.#sync().catch(() => undefined)
    await Promise.all([this.#player.run(), this.#beat(), this.#report()])
  }

  /** Ends its loops and sends what is logged. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#player.stop()
    while (this.#log.waiting > 0 && (await this.#sendBatch())) continue
    this.#channel.close()
  }

  async #openSession(): Promise<void> {
    for (let failures = 1; !this.#stopping.signal.aborted; failures += 1) {
      try {
        return await this.#link.open()
      } catch (error) {
        if (error instanceof CallError && (error.status === 403 || error.status === 404)) throw error
        await this.#pause(backoffOf(failures, Math.random()))
      }
    }
  }

  /** Rejects nothing: a pause ends early when the device is stopped. */
  #pause(millis: number): Promise<void> {
    return pause(millis, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }

  async #follow(message: DeviceMessage): Promise<void> {
    if (message.type === 'manifest' || message.type === 'alert') await this.#sync()
    if (message.type !== 'replaced') return
    this.#parts.figures.replaced += 1
    this.#stopping.abort()
    this.#player.stop()
    this.#channel.close()
  }

  /** Fetches the manifest if it is another, then its files; one after the other when asked at once. */
  #sync(): Promise<void> {
    const next = this.#syncing.then(() => this.#syncNow())
    this.#syncing = next.catch(() => undefined)
    return next
  }

  async #syncNow(): Promise<void> {
    const read = await this.#link.readManifest(this.#etag)
    if (!read) return
    this.#etag = read.etag
    for (const line of read.unknown) this.#reportUnknown(line)
    this.#player.follow(read.manifest)
    const { token } = this.#link.session
    await Promise.all(
      read.manifest.files.map(async file => {
        if (await this.#parts.media.hold(file, token)) this.#player.hold(file.sha256)
      }),
    )
  }

  async #beat(): Promise<void> {
    // Devices do not start at one moment, so their first heartbeats do not come at one.
    await this.#pause(Math.random() * Math.min(5000, this.#heartbeatSeconds * 1000))
    while (!this.#stopping.signal.aborted) {
      const answer = await this.#sendHeartbeat().catch(() => null)
      if (answer && answer.manifestEtag !== this.#etag) await this.#sync().catch(() => undefined)
      await this.#pause(jitteredInterval(this.#heartbeatSeconds, Math.random()))
    }
  }

  get #heartbeatSeconds(): number {
    return this.#parts.heartbeatSeconds ?? this.#player.manifest?.settings.heartbeatSeconds ?? 60
  }

  async #sendHeartbeat(): Promise<DeviceHeartbeatAnswer | null> {
    const body = this.#heartbeat()
    if (!this.#channel.isOpen)
      return this.#link.withSession(() =>
        this.#parts.figures.heartbeats.time(() => this.#link.call(sendDeviceHeartbeat, { body })),
      )
    const end = this.#parts.figures.heartbeats.begin()
    const answer = await this.#channel.sendHeartbeat(body)
    if (answer || !this.#stopping.signal.aborted) end(answer !== null)
    return answer
  }

  #heartbeat(): Heartbeat {
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
      manifestEtag: this.#etag,
      held: manifest ? heldReport(manifest, held) : [],
      quarantined: [],
    }
  }

  /** Says once, as the agent does, what this version does not know of a newer server's protocol. */
  #reportUnknown(line: string): void {
    if (this.#reportedUnknown.has(line)) return
    this.#reportedUnknown.add(line)
    const at = new Date(this.#parts.clock.now()).toISOString()
    const message = `The fleet does not know: ${line}`.slice(0, 1000)
    this.#log.append({ kind: 'debug', level: 'warning', code: 'protocol-unknown', message, at })
  }

  async #report(): Promise<void> {
    for (let failures = 0; !this.#stopping.signal.aborted;) {
      await this.#pause(failures > 0 ? backoffOf(failures, Math.random()) : SEND_EVERY_MILLIS)
      if (this.#log.waiting === 0) continue
      failures = (await this.#sendBatch()) ? 0 : failures + 1
    }
  }

  /** Sends the oldest events; false when they have to wait. */
  async #sendBatch(): Promise<boolean> {
    const body = [...this.#log.peek()]
    const { events, batches } = this.#parts.figures
    events.sent += body.length
    try {
      const answer = await this.#link.withSession(({ playpointid }) =>
        batches.time(() => this.#link.call(sendEvents, { params: { playpointid }, body })),
      )
      this.#log.drop(body)
      events.accepted += answer.accepted
      events.duplicates += answer.duplicates
      events.refused += answer.refused.length
      return true
    } catch {
      return false
    }
  }
}
