import { setTimeout as pause } from 'node:timers/promises'
import { Metrics } from './metrics.ts'
import { FleetClock } from './fleet-clock.ts'
import { MediaCache } from './media-cache.ts'
import { SimulatedDevice } from './simulated-device.ts'

export interface FleetOptions {
  server: string
  licenseKeys: readonly string[]
  speed: number
  /** How long before wall time their clock starts. */
  hoursAgo?: number
  heartbeatSeconds: number | null
  /** Called for a device that the server refuses permanently. */
  onRefused: (number: number, error: unknown) => void
}

/** Limits the rate of new connections. */
const STARTS_PER_SECOND = 100

/**
 * Simulated devices that use the real device protocol. The fleet downloads and checks each file once for all devices, and
 * keeps their event logs in memory.
 */
export class Fleet {
  readonly metrics = new Metrics()
  readonly #devices: SimulatedDevice[]
  readonly #options: FleetOptions
  readonly #running: Promise<void>[] = []
  #isStopped = false

  constructor(options: FleetOptions) {
    this.#options = options
    const { server, speed, hoursAgo = 0, heartbeatSeconds, licenseKeys } = options
    const { metrics } = this
    const parts = {
      server,
      metrics,
      heartbeatSeconds,
      clock: new FleetClock(speed, { behindMs: hoursAgo * 3_600_000 }),
      media: new MediaCache(metrics),
    }
    this.#devices = licenseKeys.map((key, index) => new SimulatedDevice(parts, key, index + 1))
  }

  /** Starts the devices one after another. Resolves when all have started. */
  async start(): Promise<void> {
    for (const [index, device] of this.#devices.entries()) {
      if (this.#isStopped) return
      this.#running.push(device.run().catch((error: unknown) => this.#options.onRefused(index + 1, error)))
      if (index % (STARTS_PER_SECOND / 10) === 0) await pause(100)
    }
  }

  /** Resolves when all devices have ended and sent their logs, as far as the server accepts them. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#devices.map(device => device.stop()))
    await Promise.all(this.#running)
  }
}
