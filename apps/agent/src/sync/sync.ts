import { CallError } from '@floorcast/contract/client.ts'
import type { DeviceHeartbeatAnswer, DeviceMessage } from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'
import type { Clock } from '../clock/clock.ts'
import type { PlayLog } from '../report/play-log.ts'
import { Signal } from '../player/signal.ts'
import { firstOf } from '../player/wait.ts'
import type { EventStore } from '../store/event-store.ts'
import type { ManifestBook } from '../store/manifest-book.ts'
import type { MediaStore } from '../store/media-store.ts'
import { Channel } from './channel.ts'
import { Downloads } from './downloads.ts'
import { EventSender } from './event-sender.ts'
import { Heartbeats } from './heartbeats.ts'
import { fetchManifest } from './manifest-sync.ts'
import { release } from '@floorcast/contract/release.ts'
import { LicenseRefused, type ServerLink } from './server-link.ts'

export interface SyncParts {
  link: ServerLink
  clock: Clock
  book: ManifestBook
  media: MediaStore
  events: EventStore
  log: PlayLog
  random: () => number
  describe: () => Promise<Heartbeat>
  /** The licence key is refused: the agent is to end. */
  onRefused: (refused: LicenseRefused) => void
  onCommand: (command: Extract<DeviceMessage, { type: 'command' }>) => void
  /** Words for whoever watches the agent start. */
  say: (line: string) => void
}

/** How long the end waits for a server that takes its time. One that is away is known at once. */
const LAST_WORDS = 10_000
const LAST_TRIES = 3
/** How long the end waits for what else is on its way. */
const FAREWELL = 2000
/** Unknown parts of the protocol that one start reports; a server may send any number of them. */
const MAX_UNKNOWN_REPORTS = 200

/** Everything that talks to the server. Nothing of it is needed to play. */
export class Sync {
  readonly #parts: SyncParts
  readonly #channel: Channel
  readonly #downloads: Downloads
  readonly #sender: EventSender
  readonly #heartbeats: Heartbeats
  #opening: Promise<void> | null = null
  #running: Promise<void>[] = []
  #fetching: Promise<void> | null = null
  /** A newer manifest was heard of while one was on its way. */
  #isStale = false
  /** Ends waits between tries. */
  readonly #nudge = new Signal()
  #isStopped = false
  /** Another player has the session of this device. */
  #isReplaced = false
  readonly #reportedUnknown = new Set<string>()

  constructor(parts: SyncParts) {
    this.#parts = parts
    const { link, clock, book, media, events, log, random } = parts
    const onUnauthorized = (refused: string | null) => this.#reopen(refused)
    const now = () => clock.now()
    this.#channel = new Channel({
      link,
      random,
      onUnauthorized,
      onOpen: () => this.#resume(),
      onMessage: message => this.#follow(message),
      onUnknown: line => this.#reportUnknown(line),
    })
    this.#downloads = new Downloads({ link, media, book, log, now, random, onUnauthorized })
    this.#sender = new EventSender({ link, events, now, random, onUnauthorized })
    this.#heartbeats = new Heartbeats({
      link,
      channel: this.#channel,
      clock,
      random,
      describe: parts.describe,
      onUnauthorized,
      intervalSeconds: () => book.newest()?.manifest.settings.heartbeatSeconds ?? 60,
      onAnswer: answer => this.#hearAnswer(answer),
    })
  }

  /** Begins; the server may come and go from then on. */
  async start(): Promise<void> {
    this.#running = [this.#downloads.run(), this.#sender.run(), this.#open()]
    await this.#opening
    if (this.#isStopped) return
    this.#channel.start()
    this.#heartbeats.start()
    void this.#refresh()
  }

  /** Ends everything, after a last try to deliver what was logged. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#nudge.tell()
    this.#heartbeats.stop()
    this.#channel.stop()
    this.#downloads.stop()
    this.#sender.stop()
    await firstOf([this.#sayLastWords()], LAST_WORDS)
    await firstOf([Promise.all(this.#running)], FAREWELL)
  }

  /** What is logged is delivered, in a new session if the former has ended, unless another player reports now. */
  async #sayLastWords(): Promise<void> {
    await this.#opening
    // A line kept open from before may break just now, or the token have ended: each costs one try.
    for (let tries = 1; tries <= LAST_TRIES; tries += 1) {
      if ((await this.#sender.sendRest()) || this.#isReplaced) return
      const isOpen = await this.#parts.link.open().then(
        () => true,
        () => false,
      )
      if (!isOpen) return
    }
  }

  /** What plays has changed. */
  hurry(): void {
    this.#heartbeats.hurry()
  }

  /** The server answers again. */
  #resume(): void {
    this.#sender.poke()
    this.#downloads.poke()
    this.#heartbeats.start()
    void this.#refresh()
  }

  /** Tries until there is a session or the key is refused; several callers share one try. */
  #open(): Promise<void> {
    this.#opening ??= this.#tryToOpen().finally(() => (this.#opening = null))
    return this.#opening
  }

  async #tryToOpen(): Promise<void> {
    const { link, say, onRefused, random } = this.#parts
    for (let failures = 1; !this.#isStopped; failures += 1) {
      const seen = this.#nudge.count
      try {
        await link.open()
        return
      } catch (error) {
        if (error instanceof LicenseRefused && !this.#mayPass(error)) {
          onRefused(error)
          return
        }
        if (failures === 1) say(`No session at ${link.origin} (${wordsOf(error)}); trying again`)
        await firstOf([this.#nudge.after(seen)], backoffOf(failures, random()))
      }
    }
  }

  /** A key that the server took before and does not know now may be known again: a shop is not silenced for that. */
  #mayPass({ refusal }: LicenseRefused): boolean {
    return refusal === 'license-unknown' && this.#parts.link.wasBound()
  }

  /** Opens another session, unless one was opened since the refused token was used: that one must not be ended by it. */
  async #reopen(refused: string | null): Promise<void> {
    this.#parts.link.forgetToken(refused)
    await this.#open()
  }

  /** Fetches the manifest once, however many ask at the same time. */
  #refresh(): Promise<void> {
    this.#isStale = true
    this.#nudge.tell()
    this.#fetching ??= this.#fetchManifest().finally(() => (this.#fetching = null))
    return this.#fetching
  }

  async #fetchManifest(): Promise<void> {
    const { link, book, clock, random } = this.#parts
    for (let failures = 1; this.#isStale && !this.#isStopped; failures += 1) {
      if (link.playPoint() === null || link.token() === null) return
      this.#isStale = false
      const token = link.token()
      const seen = this.#nudge.count
      try {
        const reading = await fetchManifest(link, book, () => clock.now())
        for (const line of reading?.unknown ?? []) this.#reportUnknown(line)
        failures = 0
      } catch (error) {
        this.#isStale = true
        if (error instanceof CallError && error.status === 401) await this.#reopen(token)
        else if (failures === 1) this.#parts.say(`No manifest (${wordsOf(error)}); trying again`)
        await firstOf([this.#nudge.after(seen)], backoffOf(failures, random()))
      }
    }
  }

  #hearAnswer(answer: DeviceHeartbeatAnswer): void {
    const newest = this.#parts.book.newest()
    if (answer.manifestEtag !== newest?.etag) void this.#refresh()
    this.#sender.poke()
  }

  #follow(message: DeviceMessage): void {
    const { book, events, onCommand, say } = this.#parts
    if (message.type === 'heartbeat-answer') this.#heartbeats.hearAnswer(message)
    else if (message.type === 'command') onCommand(message)
    else if (message.type === 'replaced') {
      say(
        'Another player reports for this device now; this one plays on and reports nothing until it is started again',
      )
      this.#isReplaced = true
      events.mute()
      void this.stop()
    } else if (message.type === 'alert' || message.etag !== book.newest()?.etag) {
      this.#noteAlert(message)
      void this.#refresh()
    }
  }

  /** The device's debug log says once a start what this version does not know of a newer server's protocol. */
  #reportUnknown(line: string): void {
    if (this.#reportedUnknown.has(line) || this.#reportedUnknown.size >= MAX_UNKNOWN_REPORTS) return
    this.#reportedUnknown.add(line)
    this.#parts.log.debug('warning', 'protocol-unknown', `Version ${release.version} does not know: ${line}`)
  }

  #noteAlert(message: DeviceMessage): void {
    const { events, clock } = this.#parts
    if (message.type !== 'alert' || message.step !== 'begin') return
    const at = new Date(clock.now()).toISOString()
    events.append({
      kind: 'alert',
      alertUid: message.alertUid,
      alertKind: message.kind,
      step: 'received',
      at,
    })
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof CallError && error.status === 0
    ? 'no answer'
    : error instanceof Error
      ? error.message
      : String(error)
