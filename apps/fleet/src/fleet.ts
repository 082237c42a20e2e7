import { setTimeout as pause } from 'node:timers/promises'
import { DeviceHttp } from './device-http.ts'
import type { ProgrammeReading } from '@floorcast/contract/device-programme.ts'
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
  /** Whether every file counts as held, without a download. */
  holdsAll?: boolean
  /** The rate at which devices start; 100 by default. */
  startsPerSecond?: number
  /** The local addresses of the devices' connections, in turn; the system's choice by default. */
  addresses?: readonly string[]
  /** Called for a device that the server refuses permanently. */
  onRefused: (number: number, error: unknown) => void
}

const STARTS_PER_SECOND = 100
/** The time between two groups of starting devices. */
const START_STEP_MS = 20

/**
 * Simulated devices that use the real device protocol. The fleet downloads and checks each file once for all devices, and
 * keeps their event logs in memory.
 */
export class Fleet {
  readonly metrics = new Metrics()
  readonly #devices: SimulatedDevice[]
  readonly #options: FleetOptions
  readonly #running: Promise<void>[] = []
  readonly #http = new DeviceHttp()
  #isStopped = false

  constructor(options: FleetOptions) {
    this.#options = options
    const {
      server,
      speed,
      hoursAgo = 0,
      heartbeatSeconds,
      licenseKeys,
      holdsAll = false,
      addresses = [],
    } = options
    const { metrics } = this
    const parts = {
      server,
      metrics,
      heartbeatSeconds,
      holdsAll,
      addresses,
      http: this.#http,
      clock: new FleetClock(speed, { behindMs: hoursAgo * 3_600_000 }),
      media: new MediaCache(metrics),
      programmes: new Map<string, ProgrammeReading>(),
    }
    this.#devices = licenseKeys.map((key, index) => new SimulatedDevice(parts, key, index + 1))
  }

  /** Starts the devices one after another. Resolves when all have started. */
  async start(): Promise<void> {
    const { startsPerSecond = STARTS_PER_SECOND, onRefused } = this.#options
    // Time that a busy process loses is not made up for, so that no two steps start their devices at once.
    const devicesAStep = (startsPerSecond * START_STEP_MS) / 1000
    let due = 0
    for (const [index, device] of this.#devices.entries()) {
      for (; index >= due; due += devicesAStep) if (due > 0) await pause(START_STEP_MS)
      if (this.#isStopped) return
      this.#running.push(device.run().catch((error: unknown) => onRefused(index + 1, error)))
    }
  }

  /** Resolves when all devices have ended and sent their logs, as far as the server accepts them. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#devices.map(device => device.stop()))
    await Promise.all(this.#running)
    this.#http.close()
  }
}
