import { CallMetrics, Times } from './call-metrics.ts'

/** The causes for which a device asks for its manifest. */
export const manifestCauses = ['start', 'connected', 'message', 'alert', 'heartbeat', 'retry'] as const
export type ManifestCause = (typeof manifestCauses)[number]

/** The devices that hold all files of a publication's revision. */
interface Holding {
  uid: string
  revision: number
  devices: number
  /** When the newest of them held it, in milliseconds since 1970. */
  lastAt: number
}

const noCauses = () =>
  Object.fromEntries(manifestCauses.map(cause => [cause, 0])) as Record<ManifestCause, number>
const noBytes = () => ({ manifests: 0, programmes: 0, media: 0, channel: 0, others: 0 })
/** Lost are those that a device with a full disk could not keep. */
const noEvents = () => ({ sent: 0, accepted: 0, duplicates: 0, refused: 0, lost: 0 })

/** All counters of a fleet. Times are of the fleet's machine. */
export class Metrics {
  readonly sessions = new CallMetrics()
  readonly manifests = new CallMetrics()
  readonly programmes = new CallMetrics()
  readonly media = new CallMetrics()
  readonly heartbeats = new CallMetrics()
  readonly batches = new CallMetrics()
  readonly channels = new CallMetrics()
  /** The times from an alert's begin to its receipt by a device. */
  readonly alerts = new Times()
  connected = 0
  hasOpenedSession = false
  /** Connections that ended unexpectedly. */
  dropped = 0
  replaced = 0
  messages = 0
  plays = 0
  events = noEvents()
  manifestsByCause = noCauses()
  /** Manifest requests that were answered with 304. */
  unchanged = 0
  /** Bytes of bodies and messages as they were sent, compressed or not. */
  bytes = noBytes()
  readonly #holdings = new Map<string, Holding>()

  get #calls() {
    const { sessions, manifests, programmes, media, heartbeats, batches, channels } = this
    return { sessions, manifests, programmes, media, heartbeats, batches, channels }
  }

  /** Counts a device that holds all files of a publication's revision. Call it once for each. */
  addHolding({ uid, revision }: { uid: string; revision: number }): void {
    const key = `${uid} ${revision}`
    const devices = (this.#holdings.get(key)?.devices ?? 0) + 1
    this.#holdings.set(key, { uid, revision, devices, lastAt: Date.now() })
  }

  /** Begins the counts of calls, alerts and bytes again. Plays, events and holdings are counted since the start. */
  mark(): void {
    for (const calls of Object.values(this.#calls)) calls.reset()
    this.alerts.reset()
    this.dropped = this.replaced = this.messages = this.unchanged = 0
    this.manifestsByCause = noCauses()
    this.bytes = noBytes()
  }

  /** The line that is printed each second. */
  line(seconds: number, devices: number): string {
    const counts = Object.values(this.#calls).map(calls => calls.counts)
    const errors = counts.reduce((sum, each) => sum + each.errors, 0)
    const later = counts.reduce((sum, each) => sum + each.later, 0)
    return [
      `${Math.round(seconds)} s`,
      `${this.connected} of ${devices} connected`,
      `${this.heartbeats.counts.acknowledged} heartbeats`,
      `${this.plays} plays`,
      `${this.events.accepted} events stored`,
      `${later} later`,
      `${errors} errors`,
      `heartbeat p95 ${this.heartbeats.recentP95() ?? '-'} ms`,
    ].join(' · ')
  }

  summary() {
    const { manifestsByCause, unchanged, alerts, connected, dropped, replaced, messages } = this
    return {
      sessions: this.sessions.summary(),
      manifests: { ...this.manifests.summary(), byCause: manifestsByCause, unchanged },
      programmes: this.programmes.summary(),
      media: this.media.summary(),
      heartbeats: this.heartbeats.summary(),
      batches: this.batches.summary(),
      events: this.events,
      plays: this.plays,
      alerts: { received: alerts.count, ...alerts.summary() },
      bytes: this.bytes,
      publications: [...this.#holdings.values()],
      channels: { ...this.channels.summary(), connected, dropped, replaced, messages },
    }
  }
}
