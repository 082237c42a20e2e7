import { setTimeout as pause } from 'node:timers/promises'
import { clockShiftOf, type Fault, FaultyLine, faultOf, isLineFault, isPlayerFault } from './faults.ts'
import { DeviceHttp } from './device-http.ts'
import type { ProgrammeReading } from '@floorcast/contract/device-programme.ts'
import { Metrics } from './metrics.ts'
import { FleetClock, shiftedClock } from './fleet-clock.ts'
import { MediaCache } from './media-cache.ts'
import type { FleetParts } from './fleet-parts.ts'
import { SimulatedDevice } from './simulated-device.ts'

export interface FleetOptions {
  server: string
  licenseKeys: readonly string[]
  /** The public key for updates, by which they take a signed address of their server; null or unset: none. */
  updateKey?: string | null
  speed: number
  /** How long before wall time their clock starts. */
  hoursAgo?: number
  /** Wall time in milliseconds since 1970; the machine's by default. */
  wall?: () => number
  heartbeatSeconds: number | null
  /** Whether every file counts as held, without a download. */
  holdsAll?: boolean
  /** Whether devices keep the events that they have sent, and send them again to a restored server. */
  keepsSent?: boolean
  /** The share of the devices that have a fault, from 0 to 1; none by default. */
  faultyShare?: number
  /** Their faults, in turn. */
  faults?: readonly Fault[]
  /** The rate at which devices start; 100 by default. */
  startsPerSecond?: number
  /** The local addresses of the devices' connections, in turn; the system's choice by default. */
  addresses?: readonly string[]
  /** Called for a device that the server refuses permanently. */
  onRefused: (number: number, error: unknown) => void
}

/** A fleet that stops has more events to send than a server accepts in the ten seconds of a single device. */
const MAX_FLUSH_MS = 300_000
/** A line with a fault may never take it. */
const MAX_FAULTY_FLUSH_MS = 2000
const STARTS_PER_SECOND = 100
/** The time between two groups of starting devices. */
const START_STEP_MS = 20

/**
 * Simulated devices that use the real device protocol. The fleet downloads and checks each file once for all devices, and
 * keeps their event logs in memory.
 */
export class Fleet {
  /** The metrics of devices without a fault. */
  readonly metrics = new Metrics()
  /** The metrics of devices with a fault. */
  readonly faultyMetrics = new Metrics()
  /** How many devices have a fault, by its name. */
  readonly faultyDevices: Partial<Record<Fault, number>> = {}
  #devices: SimulatedDevice[] = []
  readonly #lines: FaultyLine[] = []
  readonly #options: FleetOptions
  readonly #running: Promise<void>[] = []
  readonly #http = new DeviceHttp()
  #isStopped = false

  constructor(options: FleetOptions) {
    this.#options = options
  }

  async #makeDevices(): Promise<SimulatedDevice[]> {
    const { licenseKeys, faultyShare = 0, faults = [] } = this.#options
    const whole = this.#wholeParts()
    const byFault = new Map<Fault, FleetParts>()
    const devices: SimulatedDevice[] = []
    for (const [index, key] of licenseKeys.entries()) {
      const fault = faultOf(index, faultyShare, faults)
      const parts = fault ? (byFault.get(fault) ?? (await this.#faultyParts(whole, fault))) : whole
      if (fault) {
        byFault.set(fault, parts)
        this.faultyDevices[fault] = (this.faultyDevices[fault] ?? 0) + 1
      }
      devices.push(new SimulatedDevice(parts, key, index + 1))
    }
    return devices
  }

  #wholeParts(): FleetParts & { clock: FleetClock } {
    const { server, updateKey = null, speed, hoursAgo = 0, wall = Date.now } = this.#options
    const { heartbeatSeconds, holdsAll = false, keepsSent = false, addresses = [] } = this.#options
    const { metrics } = this
    return {
      server,
      updateKey,
      metrics,
      heartbeatSeconds,
      holdsAll,
      keepsSent,
      addresses,
      isDiskFull: false,
      playerFault: null,
      maxFlushMs: MAX_FLUSH_MS,
      http: this.#http,
      clock: new FleetClock(speed, { behindMs: hoursAgo * 3_600_000, wall }),
      media: new MediaCache(metrics),
      programmes: new Map<string, ProgrammeReading>(),
    }
  }

  /** Those of all devices with a fault. They fetch their own files: others must not wait for their line. */
  async #faultyParts(whole: FleetParts & { clock: FleetClock }, fault: Fault): Promise<FleetParts> {
    const metrics = this.faultyMetrics
    const { clock } = whole
    const parts: FleetParts = {
      ...whole,
      metrics,
      media: new MediaCache(metrics),
      clock: shiftedClock(clock, clockShiftOf(fault, clock.now())),
      isDiskFull: fault === 'full-disk',
      playerFault: isPlayerFault(fault) ? fault : null,
      maxFlushMs: MAX_FAULTY_FLUSH_MS,
    }
    if (!isLineFault(fault)) return parts
    const line = new FaultyLine(new URL(whole.server), fault)
    this.#lines.push(line)
    return { ...parts, server: await line.open() }
  }

  /** Starts the devices one after another. Resolves when all have started. */
  async start(): Promise<void> {
    const { startsPerSecond = STARTS_PER_SECOND, onRefused } = this.#options
    // Time that a busy process loses is not made up for, so that no two steps start their devices at once.
    this.#devices = await this.#makeDevices()
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
    // A call on a line that stands still would wait for its deadline.
    const closing = setTimeout(() => this.#lines.forEach(line => line.close()), MAX_FAULTY_FLUSH_MS)
    await Promise.all(this.#devices.map(device => device.stop()))
    await Promise.all(this.#running)
    clearTimeout(closing)
    for (const line of this.#lines) line.close()
    this.#http.close()
  }
}
