import type { AlertNotice } from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { DeviceClient, type ServerMessage } from '@floorcast/device-client/device-client.ts'
import type { DeviceSession, LicenseRefused } from '@floorcast/device-client/session.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { connectByWs } from '@floorcast/device-client/ws-socket.ts'
import { alertsDiffer } from '@floorcast/playback/cue-alert.ts'
import type { Clock } from '../clock/clock.ts'
import type { PlayLog } from '../report/play-log.ts'
import type { EventStore } from '../store/event-store.ts'
import type { HeardAlerts } from '../store/alert-notices.ts'
import type { ManifestBook } from '../store/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { Downloads } from './download-queue.ts'

export interface SyncParts {
  session: DeviceSession
  clock: Clock
  book: ManifestBook
  alerts: HeardAlerts
  media: MediaStore
  events: EventStore
  log: PlayLog
  random: () => number
  describe: () => Promise<Heartbeat>
  /** The licence key is refused: the agent is to end. */
  onRefused: (refused: LicenseRefused) => void
  onCommand: (command: Extract<ServerMessage, { type: 'command' }>) => void
  /** Words for whoever watches the agent start. */
  say: (line: string) => void
}

/** How long the end waits for a download that is on its way. */
const MAX_EXIT_MS = 12_000

/** Everything that talks to the server: the device client and the downloads. Nothing of it is needed to play. */
export class Sync {
  readonly #parts: SyncParts
  readonly #client: DeviceClient
  readonly #downloads: Downloads
  #downloading: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts) {
    this.#parts = parts
    const { session, clock, book, alerts, media, events, log, random, describe, onRefused, say } = parts
    this.#client = new DeviceClient({
      session,
      clock,
      events,
      random,
      describe,
      onRefused,
      say,
      connect: connectByWs,
      manifests: { newestEtag: () => book.newest()?.etag, take: book.take, beginFetch: alerts.mark },
      intervalSeconds: () => book.newest()?.manifest.settings.heartbeatSeconds ?? 60,
      onOpen: () => this.#downloads.wake(),
      onMessage: message => this.#follow(message),
      onAlerts: notices => this.#hearAlerts(notices),
      onUnknown: line =>
        log.debug('warning', 'protocol-unknown', `Version ${release.version} does not know: ${line}`),
    })
    this.#downloads = new Downloads({
      session,
      media,
      book,
      log,
      random,
      clock,
      onUnauthorized: refused => this.#client.reopenSession(refused),
    })
  }

  /** Begins; the server may come and go from then on. */
  async start(): Promise<void> {
    this.#downloading = this.#downloads.run()
    await this.#client.start()
  }

  /** Ends everything, after a last try to deliver what was logged. */
  async stop(): Promise<void> {
    this.#downloads.stop()
    await Promise.all([this.#client.stop(), firstOf([this.#downloading], MAX_EXIT_MS)])
  }

  /** What plays has changed. */
  sendSoon(): void {
    this.#client.sendSoon()
  }

  #follow(message: ServerMessage): void {
    const { events, onCommand, say } = this.#parts
    if (message.type === 'command') onCommand(message)
    if (message.type === 'alert') this.#hearAlert(message)
    if (message.type !== 'replaced') return
    say(
      'Another player reports for this device now; this one plays on and reports nothing until it is started again',
    )
    events.mute()
    void this.stop()
  }

  /** An answer named the open alerts. Returns whether the manifest names others. */
  #hearAlerts(notices: readonly AlertNotice[]): boolean {
    const { alerts, book } = this.#parts
    for (const { uid, kind } of alerts.hearAll(notices)) this.#noteReceived(uid, kind)
    const newest = book.newest()
    return newest === null || alertsDiffer(newest.manifest, notices)
  }

  /** It sounds at once; the manifest that follows adds what the message does not say. */
  #hearAlert({ alertUid, kind, step }: Extract<ServerMessage, { type: 'alert' }>): void {
    const { alerts, clock } = this.#parts
    const beganAt = new Date(clock.now()).toISOString()
    if (step === 'begin' && alerts.hearOne({ uid: alertUid, kind, beganAt }))
      this.#noteReceived(alertUid, kind)
  }

  #noteReceived(alertUid: string, alertKind: string): void {
    const at = new Date(this.#parts.clock.now()).toISOString()
    this.#parts.events.append({ kind: 'alert', alertUid, alertKind, step: 'received', at })
  }
}
