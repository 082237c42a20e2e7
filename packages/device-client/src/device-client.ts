import type {
  AlertNotice,
  DeviceHeartbeatAnswer,
  DeviceMessage,
} from '@floorcast/contract/device-messages.ts'
import type { Heartbeat, Held } from '@floorcast/contract/device-protocol.ts'
import type { AlertStep } from '@floorcast/contract/events.ts'
import { Channel, type Connect, type MessageResult } from './channel.ts'
import { describeError } from './describe-error.ts'
import { EventSender, type UnsentEvents } from './event-sender.ts'
import { HeldReports } from './held-reports.ts'
import { type DeviceClock, Heartbeats, type TrackHeartbeat } from './heartbeats.ts'
import { ManifestFetcher, type ManifestStorage } from './manifest-fetcher.ts'
import { Redelivery, type RedeliveryParts } from './redelivery.ts'
import type { DeviceSession, LicenseRefused } from './session.ts'
import { type ServerAddresses, SessionOpener } from './session-opener.ts'
import { ChangeNotifier, firstOf, sleep } from './wait.ts'

/** A message of the channel that the device must act on. */
export type ServerMessage = Exclude<DeviceMessage, { type: 'heartbeat-answer' }>

export interface DeviceClientOptions {
  session: DeviceSession
  connect: Connect
  clock: DeviceClock
  events: UnsentEvents
  manifests: ManifestStorage
  /** From 0 to 1. */
  random: () => number
  /** The interval between heartbeats. */
  intervalSeconds: () => number
  /** Reads the device's current state. */
  describe: () => Promise<Heartbeat>
  /** The held files of each publication now. */
  describeHeld: () => Held[]
  trackHeartbeat?: TrackHeartbeat
  /** The server refused the license key. The client does not retry. */
  onRefused: (refused: LicenseRefused) => void
  /** The channel has opened, so the server answers again. */
  onOpen?: () => void
  /** If it throws, the server sends the message again. The client itself acts on `manifest` and `replaced`. */
  onMessage: (message: ServerMessage) => MessageResult
  /** Receives the open alerts of a heartbeat's answer. Returns whether the manifest contains others and must be fetched. */
  onAlerts?: (notices: readonly AlertNotice[]) => boolean
  /** What a restored server asks for again. */
  redelivery: RedeliveryParts
  /** Called once for each part of a newer server's protocol that this version does not know. */
  onUnknown: (line: string) => void
  /** The addresses of a server that has several. */
  addresses?: ServerAddresses
  /** Prints a line for the operator. */
  print: (line: string) => void
  /** The longest wait at the end for a slow server to accept the final events. A server that is away fails at once. */
  maxFlushMs?: number
}

const MAX_FLUSH_MS = 10_000
const MAX_FLUSH_TRIES = 3
/** The time that a device waits for its channel before it reports by HTTP. */
const CHANNEL_WAIT_MS = 5000
/** The longest wait at the end for other pending calls. */
const MAX_EXIT_MS = 2000
/** Steps of an alert that the device acts on. The answer to its next heartbeat makes it fetch the manifest with the alert. */
const KNOWN_STEPS: ReadonlySet<string> = new Set(['begin', 'end'])
/** The limit of reported unknown parts; a server may send any number of them. */
const MAX_UNKNOWN_REPORTS = 200

/**
 * The device's side of the protocol: session, channel, heartbeats, manifest and events. It survives any outage of the
 * server: each part retries with back-off, and a refused token leads to a new session that all parts share.
 */
export class DeviceClient {
  readonly #options: DeviceClientOptions
  readonly #channel: Channel
  readonly #sender: EventSender
  readonly #heartbeats: Heartbeats
  readonly #manifests: ManifestFetcher
  readonly #held: HeldReports
  readonly #opener: SessionOpener
  readonly #redelivery: Redelivery
  readonly #stopping = new ChangeNotifier()
  /** Within it the devices of the group fetch their manifests. They report a change of track within it too. */
  #waveSeconds = 0
  /** Within it each receipt of an alert is sent, as the newest alert's message says. */
  #receiptSeconds = 0
  /** The held files of the newest heartbeat; a busy server does not answer, so it may be lost. */
  #heldInHeartbeat: readonly Held[] = []
  #running: Promise<void>[] = []
  #isStopped = false
  /** Whether it reports: since its first channel has opened, or has failed. */
  #hasBegun = false
  /** Whether another player has taken over the device's session. */
  #isReplaced = false
  readonly #reportedUnknown = new Set<string>()

  constructor(options: DeviceClientOptions) {
    this.#options = options
    const { session, clock, random, print } = options
    const shared = {
      session,
      random,
      print,
      now: () => clock.now(),
      steady: () => clock.steady(),
      onUnauthorized: (refused: string | null) => this.reopenSession(refused),
      onUnknown: (line: string) => this.#reportUnknown(line),
    }
    this.#channel = new Channel({
      ...shared,
      connect: options.connect,
      onOpen: () => this.#resume(),
      onClose: retryAfterMs => this.#onClose(retryAfterMs),
      onMessage: message => this.#onMessage(message),
    })
    this.#sender = new EventSender({
      ...shared,
      events: options.events,
      spreadMs: () => this.#waveSeconds * 1000,
    })
    this.#manifests = new ManifestFetcher({
      ...shared,
      manifests: options.manifests,
      onFailure: error => print(`No manifest (${describeError(error, clock)}); trying again`),
    })
    this.#redelivery = new Redelivery({
      ...shared,
      ...options.redelivery,
      wake: () => this.#sender.wake(),
    })
    this.#held = new HeldReports({ ...shared, channel: this.#channel, describe: options.describeHeld })
    this.#opener = new SessionOpener({
      ...options,
      stopping: this.#stopping,
      isStopped: () => this.#isStopped,
      onReplaced: () => void this.#onMessage({ type: 'replaced' }),
      onMoved: () => this.#channel.reconnect(),
    })
    this.#heartbeats = new Heartbeats({
      ...shared,
      clock,
      channel: this.#channel,
      intervalSeconds: options.intervalSeconds,
      spreadMs: () => this.#waveSeconds * 1000,
      describe: () => this.#describe(),
      track: options.trackHeartbeat,
      onAnswer: answer => this.#onAnswer(answer),
    })
  }

  /** Starts everything. Resolves when the session is open or the license key is refused. */
  async start(): Promise<void> {
    this.#running = [this.#sender.run(), this.#opener.open()]
    await this.#opener.opening
    if (this.#isStopped) return
    this.#channel.start()
    // The channel's opening sends the first heartbeat, and its answer makes the client fetch the manifest.
    this.#heartbeats.startIn(CHANNEL_WAIT_MS)
  }

  /** Stops everything after a final attempt to send the log. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopping.notify()
    this.#heartbeats.stop()
    this.#redelivery.stop()
    this.#held.stop()
    this.#channel.stop()
    this.#manifests.stop()
    this.#sender.stop()
    const last = this.#isReplaced ? Promise.resolve() : this.#heartbeats.sendLast()
    await firstOf([this.#flush()], this.#options.maxFlushMs ?? MAX_FLUSH_MS)
    await firstOf([Promise.all([last, ...this.#running])], MAX_EXIT_MS)
  }

  /** Sends a heartbeat soon, because the current track has changed. */
  sendSoon(): void {
    this.#heartbeats.sendSoon()
  }

  /** Reports soon what the device holds, because its manifest or its files have changed. */
  changeHeld(): void {
    this.#held.change()
  }

  /** Tells the server soon what the device has done with an alert. The device's log has it as an event too. */
  sendReceipt(alertUid: string, step: AlertStep): void {
    const { clock, random } = this.#options
    const doneAt = clock.steady()
    const send = () => this.#channel.sendReceipt(alertUid, step, Math.round(clock.steady() - doneAt))
    const spreadMs = random() * this.#receiptSeconds * 1000
    // A client that stops meanwhile has closed its channel: the log has the same.
    if (spreadMs === 0) send()
    else void firstOf([this.#stopping.after(this.#stopping.count)], spreadMs).then(send)
  }

  /** Opens a new session, unless one was opened since the refused token was used. */
  reopenSession(refused: string | null): Promise<void> {
    this.#options.session.forgetToken(refused)
    return this.#opener.open()
  }

  /** Sends the log, in a new session if the current one has ended, unless another player has taken it over. */
  async #flush(): Promise<void> {
    await this.#opener.opening
    const { clock, maxFlushMs = MAX_FLUSH_MS } = this.#options
    const endsAt = clock.steady() + maxFlushMs
    // A kept-alive connection may break, or the token may have ended: each costs one attempt. A busy server says when it takes
    // the log.
    for (let tries = 1; tries <= MAX_FLUSH_TRIES; tries += 1) {
      if ((await this.#sender.flush()) || this.#isReplaced) return
      const { retryAfterMs } = this.#sender
      if (clock.steady() + retryAfterMs > endsAt) return
      if (retryAfterMs > 0) tries = 0
      await sleep(retryAfterMs)
      const isOpen = await this.#options.session.open().then(
        () => true,
        () => false,
      )
      if (!isOpen) return
    }
  }

  #resume(): void {
    this.#opener.noteAnswer()
    this.#sender.wake()
    this.#hasBegun = true
    // Its answer tells of alerts and of another manifest.
    this.#heartbeats.start()
    this.#options.onOpen?.()
  }

  /**
   * Without a channel the first heartbeat is an HTTP call, and the manifest is fetched without its answer. A busy server has
   * said when to come with the channel: other calls would only add to its load.
   */
  #onClose(retryAfterMs: number): void {
    this.#heartbeats.endUnanswered(retryAfterMs === 0 ? 'failed' : 'later')
    if (retryAfterMs === 0) this.#opener.noteUnopened()
    if (this.#hasBegun) return
    if (retryAfterMs > 0) return this.#heartbeats.startIn(retryAfterMs + CHANNEL_WAIT_MS)
    this.#hasBegun = true
    this.#heartbeats.start()
    void this.#manifests.refresh()
  }

  async #describe(): Promise<Heartbeat> {
    const heartbeat = await this.#options.describe()
    this.#heldInHeartbeat = heartbeat.held
    const redelivered = this.#redelivery.answer()
    const server = this.#options.addresses?.report()
    return {
      ...heartbeat,
      intervalSeconds: this.#options.intervalSeconds(),
      ...(redelivered && { redelivered }),
      ...(server && { server }),
    }
  }

  #onAnswer(answer: DeviceHeartbeatAnswer): void {
    const { session, manifests, onAlerts, addresses } = this.#options
    this.#opener.noteAnswer()
    addresses?.noteTold({ other: answer.otherServer, signed: answer.signedServer })
    session.noteFileStore(answer.fileStore)
    if (answer.restored) this.#redelivery.note(answer.restored)
    this.#held.noteReported(this.#heldInHeartbeat)
    const withinSeconds = answer.manifestWithinSeconds
    if (withinSeconds !== undefined) this.#waveSeconds = withinSeconds
    const areOthers = onAlerts?.(answer.alerts) ?? false
    if (areOthers || answer.manifestEtag !== manifests.newestEtag())
      void this.#manifests.refresh(withinSeconds, answer.manifestEtag || null)
    this.#sender.wake()
  }

  #onMessage(message: DeviceMessage): MessageResult {
    const { manifests, onMessage } = this.#options
    if (message.type === 'heartbeat-answer') return this.#heartbeats.acceptAnswer(message)
    if (message.type === 'replaced') this.#isReplaced = true
    if (message.type === 'manifest' && message.withinSeconds > 0) this.#waveSeconds = message.withinSeconds
    if (message.type === 'alert') this.#receiptSeconds = message.receiptsWithinSeconds
    const result = onMessage(message)
    if (message.type === 'replaced') void this.stop()
    if (message.type === 'alert' && !KNOWN_STEPS.has(message.step)) void this.#manifests.refresh()
    if (message.type === 'manifest' && (message.etag ?? null) !== manifests.newestEtag())
      void this.#manifests.refresh(message.withinSeconds)
    return result
  }

  #reportUnknown(line: string): void {
    if (this.#reportedUnknown.has(line) || this.#reportedUnknown.size >= MAX_UNKNOWN_REPORTS) return
    this.#reportedUnknown.add(line)
    this.#options.onUnknown(line)
  }
}
