import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import {
  type DeviceManifest,
  namedProgrammes,
  parseDeviceManifest,
} from '@floorcast/contract/device-manifest.ts'
import { parseProgramme } from '@floorcast/contract/device-programme.ts'
import type { AlertNotice } from '@floorcast/contract/device-messages.ts'
import type { EventDraft } from '@floorcast/playback/event-rules.ts'
import { release } from '@floorcast/contract/release.ts'
import { applyAlertAnswer, applyAlertMessage } from '@floorcast/device-client/alert-notices.ts'
import type { MessageResult } from '@floorcast/device-client/channel.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { DeviceClient, type ServerMessage } from '@floorcast/device-client/device-client.ts'
import type { ManifestStorage } from '@floorcast/device-client/manifest-fetcher.ts'
import type { KnownAddresses } from '@floorcast/device-client/server-addresses.ts'
import type { DeviceSession, LicenseRefused } from '@floorcast/device-client/session.ts'
import { filesToFetch, heldReport } from '@floorcast/playback/sync-plan.ts'
import { makeDeviceConnect, makeDeviceFetch } from './device-http.ts'
import { DevicePlayer } from './device-player.ts'
import { describeHardware } from './simulated-hardware.ts'
import { EventLog, StateInMemory } from './event-log.ts'
import type { ManifestCause } from './metrics.ts'
import { sessionOf } from './license-keys.ts'
import type { FleetParts } from './fleet-parts.ts'
import { EveryFile, tryAgain } from './media-cache.ts'
import { followCommand } from './simulated-commands.ts'

/** The number of events that a device with a full disk keeps in memory. */
const EVENTS_ON_FULL_DISK = 3
const FULL_DISK_BYTES = 12_000_000
const OLD_VERSION = '2.740.0'

/** One device of the fleet: the agent's device client with a player without sound. Its data is in memory. */
export class SimulatedDevice {
  readonly #parts: FleetParts
  readonly #number: number
  readonly #log: EventLog
  readonly #state = new StateInMemory()
  readonly #session: DeviceSession
  readonly #servers: KnownAddresses
  readonly #client: DeviceClient
  readonly #player: DevicePlayer
  readonly #localAddress: string | undefined
  /** The cause of the next manifest request. A heartbeat's answer sets one only for other alerts. */
  #manifestCause: ManifestCause = 'start'
  /** The readiness of the newest manifest's publications. */
  #readiness: Heartbeat['held'] = []
  /** The publications' revisions that are counted as held. */
  #counted = new Set<string>()
  /** Resolves when the first manifest's files are held: a fast clock would pass hours during the downloads. */
  readonly #ready = Promise.withResolvers<void>()
  #etag: string | undefined
  /** As the newest manifest or a later command says. */
  #volume = 0
  /** The programmes that this device has fetched for its manifest. */
  #programmes: ReadonlySet<string> = new Set()
  #refused: LicenseRefused | null = null
  #isStopping = false
  #playing: Promise<void> | undefined

  constructor(parts: FleetParts, licenseKey: string, number: number) {
    this.#parts = parts
    this.#number = number
    this.#localAddress = parts.addresses[number % parts.addresses.length]
    this.#log = new EventLog(parts.metrics, {
      ...(parts.isDiskFull && { maxKept: EVENTS_ON_FULL_DISK }),
      keepsSent: parts.keepsSent,
    })
    const { session, addresses } = sessionOf({
      ...parts,
      licenseKey,
      runId: this.#log.bootId,
      state: this.#state,
      log: { debug: (...line) => this.#logDebug(...line) },
      fetch: this.#makeFetch(),
      now: () => parts.clock.now(),
      onOpened: () => (parts.metrics.hasOpenedSession = true),
    })
    this.#session = session
    this.#servers = addresses
    this.#client = this.#makeClient()
    this.#player = new DevicePlayer({
      clock: parts.clock,
      bootId: this.#log.bootId,
      append: event => this.#append(event),
      held: parts.holdsAll ? new EveryFile() : new Set(),
      onChange: () => this.#client.sendSoon(),
    })
    this.#player.alerts.onMet(alert => this.#meetAlert(alert))
  }

  /** Runs until `stop`, and waits for a server that is away. Rejects if the server refuses the license key. */
  async run(): Promise<void> {
    const play = () => (this.#parts.playerFault === 'player-broken' ? undefined : this.#player.run())
    this.#playing = this.#ready.promise.then(play)
    await Promise.all([this.#client.start(), this.#playing])
    if (this.#refused) throw this.#refused
  }

  /** Stops the player and sends its log. */
  async stop(): Promise<void> {
    this.#end()
    // Its last state is reported.
    await this.#playing
    await this.#client.stop()
  }

  #end(): void {
    this.#isStopping = true
    this.#player.stop()
    this.#ready.resolve()
  }

  #makeClient(): DeviceClient {
    const { clock, heartbeatSeconds } = this.#parts
    return new DeviceClient({
      session: this.#session,
      addresses: this.#servers,
      connect: makeDeviceConnect({
        metrics: this.#parts.metrics,
        localAddress: this.#localAddress,
        isStopping: () => this.#isStopping,
      }),
      clock: { now: () => clock.now(), steady: () => performance.now(), applyServerTime: () => undefined },
      events: this.#log,
      redelivery: { events: this.#log, state: this.#state },
      manifests: this.#manifests,
      random: Math.random,
      intervalSeconds: () => heartbeatSeconds ?? this.#player.manifest?.settings.heartbeatSeconds ?? 60,
      describe: () => Promise.resolve(this.#composeHeartbeat()),
      describeHeld: () => this.#readiness,
      trackHeartbeat: () => this.#parts.metrics.heartbeats.begin(),
      onRefused: refused => {
        this.#refused = refused
        this.#end()
      },
      onOpen: () => (this.#manifestCause = 'connected'),
      onMessage: message => this.#onMessage(message),
      onAlerts: notices => {
        const { alerts, manifest } = this.#player
        const areOthers = applyAlertAnswer(alerts, manifest, notices)
        // Without a manifest it fetches one, whatever the alerts.
        const isByAlert = areOthers && manifest !== null
        if (this.#manifestCause === 'heartbeat' || this.#manifestCause === 'alert')
          this.#manifestCause = isByAlert ? 'alert' : 'heartbeat'
        return areOthers
      },
      onUnknown: line => this.#logDebug('warning', 'protocol-unknown', `The fleet does not know: ${line}`),
      print: () => undefined,
      maxFlushMs: this.#parts.maxFlushMs,
    })
  }

  readonly #manifests: ManifestStorage = {
    newestEtag: () => this.#etag,
    hasProgramme: sha256 => this.#programmes.has(sha256),
    readProgramme: (bytes, sha256) => this.#parts.http.readProgramme(bytes, sha256),
    beginFetch: () => this.#player.alerts.beginFetch(),
    save: ({ etag, manifest, programmes: fetched }) => {
      const { programmes } = this.#parts
      for (const [sha256, text] of fetched)
        if (!programmes.has(sha256)) programmes.set(sha256, parseProgramme(JSON.parse(text)))
      const reading = parseDeviceManifest(manifest, sha256 => programmes.get(sha256) ?? null)
      if (!reading) return null
      this.#etag = etag
      this.#programmes = new Set(namedProgrammes(manifest))
      this.#useManifest(reading.manifest)
      return reading
    },
  }

  #useManifest(manifest: DeviceManifest): void {
    this.#volume = manifest.device.volume
    this.#player.setManifest(manifest)
    this.#countHoldings()
    void this.#fetchFiles(manifest)
  }

  /** Fetches the files of the newest manifest, and again those that fail. It plays what it holds after the first try. */
  async #fetchFiles(manifest: DeviceManifest): Promise<void> {
    const { holdsAll, isDiskFull, playerFault } = this.#parts
    const fetchesNone = holdsAll || playerFault === 'no-files' || (isDiskFull && this.#player.held.size > 0)
    const isOver = () => this.#isStopping || this.#player.manifest !== manifest
    const areHeld = fetchesNone || (await this.#fetchMissing(manifest))
    this.#ready.resolve()
    if (!areHeld) await tryAgain(async () => isOver() || this.#fetchMissing(manifest))
  }

  /** @returns whether the device holds them all */
  async #fetchMissing(manifest: DeviceManifest): Promise<boolean> {
    const { media, clock } = this.#parts
    const files = filesToFetch(manifest, this.#player.held, clock.now())
    let missing = files.length
    await Promise.all(
      files.map(async file => {
        if (!(await media.fetchOnce(file, this.#session))) return
        missing -= 1
        if (this.#player.held.has(file.sha256)) return
        this.#player.addFile(file.sha256, missing === 0)
        this.#countHoldings()
      }),
    )
    return missing === 0
  }

  #countHoldings(): void {
    const { manifest, held } = this.#player
    this.#readiness = manifest ? heldReport(manifest, held) : []
    const counted = new Set<string>()
    for (const { publicationUid: uid, revision, missing } of this.#readiness) {
      if (missing > 0) continue
      counted.add(`${uid} ${revision}`)
      if (!this.#counted.has(`${uid} ${revision}`)) this.#parts.metrics.addHolding({ uid, revision })
    }
    this.#counted = counted
    this.#client.changeHeld()
  }

  /** An alert does not wait for the files of the first manifest. */
  #meetAlert(alert: Pick<AlertNotice, 'uid' | 'kind' | 'beganAt'>): void {
    this.#parts.metrics.alerts.add(Date.now() - Date.parse(alert.beganAt))
    const at = new Date(this.#parts.clock.now()).toISOString()
    this.#append({ kind: 'alert', alertUid: alert.uid, alertKind: alert.kind, step: 'received', at })
    this.#ready.resolve()
  }

  /** Logs an event. What it does with an alert it tells at once too, as the agent does. */
  #append(event: EventDraft): void {
    this.#log.append(event)
    if (event.kind === 'playtrack') this.#parts.metrics.plays += 1
    if (event.kind === 'alert') this.#client.sendReceipt(event.alertUid, event.step)
  }

  #onMessage(message: ServerMessage): MessageResult {
    const { metrics } = this.#parts
    metrics.messages += 1
    if (message.type === 'command')
      return followCommand(message, this.#session, {
        kind: this.#player.manifest?.device.kind ?? 'audio',
        setVolume: volume => (this.#volume = volume),
      })
    if (message.type === 'manifest') this.#manifestCause = 'message'
    if (message.type === 'alert') applyAlertMessage(this.#player.alerts, message)
    if (message.type !== 'replaced') return
    metrics.replaced += 1
    this.#end()
  }

  #logDebug(...[level, code, message]: Parameters<PlayLog['debug']>): void {
    const at = new Date(this.#parts.clock.now()).toISOString()
    this.#log.append({ kind: 'debug', level, code, message: message.slice(0, 1000), at })
  }

  #composeHeartbeat(): Heartbeat {
    const { nowPlaying, silence } = this.#player
    const { isDiskFull, playerFault } = this.#parts
    return {
      ...describeHardware(this.#number),
      ...(isDiskFull && { freeMemoryBytes: FULL_DISK_BYTES }),
      sentAt: new Date(this.#parts.clock.now()).toISOString(),
      bootId: this.#log.bootId,
      programVersion: `fleet ${playerFault === 'old-version' ? OLD_VERSION : release.version}`,
      volume: this.#volume,
      nowPlaying,
      silence: silence && playerFault === 'player-broken' ? { ...silence, because: playerFault } : silence,
      manifestEtag: this.#etag ?? null,
      held: this.#readiness,
      quarantined: [],
    }
  }

  #makeFetch(): typeof fetch {
    const { metrics, http } = this.#parts
    return makeDeviceFetch({
      http,
      metrics,
      localAddress: this.#localAddress,
      manifestCause: () => {
        const cause = this.#manifestCause
        this.#manifestCause = 'heartbeat'
        return cause
      },
      onManifestPostponed: () => (this.#manifestCause = 'retry'),
    })
  }
}
