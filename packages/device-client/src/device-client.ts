import { CallError } from '@floorcast/contract/client.ts'
import type {
  AlertNotice,
  DeviceHeartbeatAnswer,
  DeviceMessage,
} from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { Channel, type Connect } from './channel.ts'
import { EventSender, type UnsentEvents } from './event-sender.ts'
import { type DeviceClock, Heartbeats, type TrackHeartbeat } from './heartbeats.ts'
import { ManifestFetcher, type ManifestStorage } from './manifest-fetcher.ts'
import { retryAfterOf, RetryTimer } from './retry-timer.ts'
import { type DeviceSession, LicenseRefused } from './session.ts'
import { ChangeNotifier, firstOf } from './wait.ts'

/** A message of the channel that is the device's to follow. */
export type ServerMessage = Exclude<DeviceMessage, { type: 'heartbeat-answer' }>

export interface DeviceClientOptions {
  session: DeviceSession
  connect: Connect
  clock: DeviceClock
  events: UnsentEvents
  manifests: ManifestStorage
  /** From 0 to 1. */
  random: () => number
  /** Heartbeats' interval. */
  intervalSeconds: () => number
  /** The device's state now. */
  describe: () => Promise<Heartbeat>
  trackHeartbeat?: TrackHeartbeat
  /** The licence key is refused; nothing is tried again. */
  onRefused: (refused: LicenseRefused) => void
  /** The channel is open: the server answers again. */
  onOpen?: () => void
  /** Raises when it could not be followed; the message then comes again. The client itself follows `manifest` and `replaced`. */
  onMessage: (message: ServerMessage) => void
  /** A heartbeat's answer named the open alerts. Returns whether the manifest names others and is to be fetched. */
  onAlerts?: (notices: readonly AlertNotice[]) => boolean
  /** Once for each thing that this version does not know of a newer server's protocol. */
  onUnknown: (line: string) => void
  /** What goes wrong, in words for people. */
  say: (line: string) => void
  /** How long the end waits for a server that is slow to take the last events. One that is away is known at once. */
  maxFlushMs?: number
}

const MAX_FLUSH_MS = 10_000
const MAX_FLUSH_TRIES = 3
/** How long the end waits for other calls on their way. */
const MAX_EXIT_MS = 2000
/** Unknown parts of the protocol that are told; a server may send any number of them. */
const MAX_UNKNOWN_REPORTS = 200

/** The device's side of the protocol: session, channel, heartbeats, manifest and events. The server may come and go. */
export class DeviceClient {
  readonly #options: DeviceClientOptions
  readonly #channel: Channel
  readonly #sender: EventSender
  readonly #heartbeats: Heartbeats
  readonly #manifests: ManifestFetcher
  readonly #stopping = new ChangeNotifier()
  #opening: Promise<void> | null = null
  #running: Promise<void>[] = []
  #isStopped = false
  /** Another player has the session of this device. */
  #isReplaced = false
  readonly #reportedUnknown = new Set<string>()

  constructor(options: DeviceClientOptions) {
    this.#options = options
    const { session, clock, random, say } = options
    const shared = {
      session,
      random,
      say,
      now: () => clock.now(),
      steady: () => clock.steady(),
      onUnauthorized: (refused: string | null) => this.reopenSession(refused),
      onUnknown: (line: string) => this.#reportUnknown(line),
    }
    this.#channel = new Channel({
      ...shared,
      connect: options.connect,
      onOpen: () => this.#resume(),
      onClose: () => this.#heartbeats.loseUnanswered(),
      onMessage: message => this.#follow(message),
    })
    this.#sender = new EventSender({ ...shared, events: options.events })
    this.#manifests = new ManifestFetcher({
      ...shared,
      manifests: options.manifests,
      onFailure: error => say(`No manifest (${describeError(error)}); trying again`),
    })
    this.#heartbeats = new Heartbeats({
      ...shared,
      clock,
      channel: this.#channel,
      intervalSeconds: options.intervalSeconds,
      describe: options.describe,
      track: options.trackHeartbeat,
      onAnswer: answer => this.#followAnswer(answer),
    })
  }

  /** Begins; resolves when there is a session, or there will be none. */
  async start(): Promise<void> {
    this.#running = [this.#sender.run(), this.#open()]
    await this.#opening
    if (this.#isStopped) return
    this.#channel.start()
    this.#heartbeats.start()
    void this.#manifests.refresh()
  }

  /** Ends everything, after a last try to deliver what was logged. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#stopping.notify()
    this.#heartbeats.stop()
    this.#channel.stop()
    this.#manifests.stop()
    this.#sender.stop()
    await firstOf([this.#flush()], this.#options.maxFlushMs ?? MAX_FLUSH_MS)
    await firstOf([Promise.all(this.#running)], MAX_EXIT_MS)
  }

  /** What plays has changed: the next heartbeat is sent soon. */
  sendSoon(): void {
    this.#heartbeats.sendSoon()
  }

  /** Opens another session, unless one was opened since the refused token was used: that one must not be ended by it. */
  async reopenSession(refused: string | null): Promise<void> {
    this.#options.session.forgetToken(refused)
    await this.#open()
  }

  /** What is logged is delivered, in a new session if the former has ended, unless another player reports now. */
  async #flush(): Promise<void> {
    await this.#opening
    // A connection kept open from before may break just now, or the token have ended: each costs one try.
    for (let tries = 1; tries <= MAX_FLUSH_TRIES; tries += 1) {
      if ((await this.#sender.flush()) || this.#isReplaced) return
      const isOpen = await this.#options.session.open().then(
        () => true,
        () => false,
      )
      if (!isOpen) return
    }
  }

  #resume(): void {
    this.#sender.wake()
    this.#heartbeats.start()
    void this.#manifests.refresh()
    this.#options.onOpen?.()
  }

  /** Tries until there is a session or the key is refused; several callers share one try. */
  #open(): Promise<void> {
    this.#opening ??= this.#openSession().finally(() => (this.#opening = null))
    return this.#opening
  }

  async #openSession(): Promise<void> {
    const { session, say, onRefused, clock, random } = this.#options
    const retry = new RetryTimer({ steady: () => clock.steady(), random })
    while (!this.#isStopped) {
      try {
        await session.open()
        return
      } catch (error) {
        if (error instanceof LicenseRefused && !this.#mayPass(error)) {
          onRefused(error)
          return
        }
        retry.fail(retryAfterOf(error))
        if (retry.failures === 1)
          say(`No session at ${session.origin} (${describeError(error)}); trying again`)
        while (!this.#isStopped && retry.delayMs > 0)
          await firstOf([this.#stopping.after(this.#stopping.count)], retry.delayMs)
      }
    }
  }

  /** A key that the server took before and does not know now may be known again: a shop is not silenced for that. */
  #mayPass({ refusal }: LicenseRefused): boolean {
    return refusal === 'license-unknown' && this.#options.session.wasBound
  }

  #followAnswer(answer: DeviceHeartbeatAnswer): void {
    const { manifests, onAlerts } = this.#options
    const areOthers = onAlerts?.(answer.alerts) ?? false
    if (areOthers || answer.manifestEtag !== manifests.newestEtag()) void this.#manifests.refresh()
    this.#sender.wake()
  }

  #follow(message: DeviceMessage): void {
    const { manifests, onMessage } = this.#options
    if (message.type === 'heartbeat-answer') return this.#heartbeats.acceptAnswer(message)
    if (message.type === 'replaced') this.#isReplaced = true
    onMessage(message)
    if (message.type === 'replaced') void this.stop()
    if (message.type === 'alert') void this.#manifests.refresh()
    if (message.type === 'manifest' && message.etag !== manifests.newestEtag()) void this.#manifests.refresh()
  }

  #reportUnknown(line: string): void {
    if (this.#reportedUnknown.has(line) || this.#reportedUnknown.size >= MAX_UNKNOWN_REPORTS) return
    this.#reportedUnknown.add(line)
    this.#options.onUnknown(line)
  }
}

function describeError(error: unknown): string {
  if (error instanceof CallError && error.status === 0) return 'no answer'
  return error instanceof Error ? error.message : String(error)
}
