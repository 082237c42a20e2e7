import type { ProgrammeReading } from '@floorcast/contract/device-programme.ts'
import type { PlayerFault } from './faults.ts'
import type { DeviceHttp } from './device-http.ts'
import type { DeviceClock } from './fleet-clock.ts'
import type { MediaCache } from './media-cache.ts'
import type { Metrics } from './metrics.ts'

/** The parts that the devices of a fleet share. */
export interface FleetParts {
  server: string
  /** The public key for updates, by which they take a signed address of their server; null: none. */
  updateKey: string | null
  clock: DeviceClock
  metrics: Metrics
  media: MediaCache
  http: DeviceHttp
  /** The programmes of all devices by their hash, each parsed once. */
  programmes: Map<string, ProgrammeReading>
  heartbeatSeconds: number | null
  /** Whether every file counts as held, without a download. */
  holdsAll: boolean
  /** Whether devices keep the events that they have sent, and send them again to a restored server. */
  keepsSent: boolean
  /** The local addresses of connections; empty for the system's choice. */
  addresses: readonly string[]
  /** Whether the disk is full: it keeps few events, and no file after those of the first manifest. */
  isDiskFull: boolean
  playerFault: PlayerFault | null
  /** How long a device that stops may take to send its log, in milliseconds. */
  maxFlushMs: number
}
