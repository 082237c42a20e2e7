import {
  type CommandResult,
  type DeviceFileType,
  sendDeviceFile,
} from '@floorcast/contract/device-commands.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import { Downloads, type DownloadsParts } from '@floorcast/device-client/downloads.ts'
import { DeviceClient, type ServerMessage } from '@floorcast/device-client/device-client.ts'
import type { ServerAddresses } from '@floorcast/device-client/session-opener.ts'
import type { MessageResult } from '@floorcast/device-client/channel.ts'
import type { DeviceSession, LicenseRefused } from '@floorcast/device-client/session.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { connectByWs } from '@floorcast/device-client/ws-socket.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { EventStore } from '../store/event-store.ts'
import {
  type AlertNotices,
  applyAlertAnswer,
  applyAlertMessage,
} from '@floorcast/device-client/alert-notices.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { describeHeld } from '../report/device-state.ts'
import { downloadFile } from './download.ts'
import { DownloadLimits } from './download-limits.ts'

export interface SyncParts {
  state: StateStore
  session: DeviceSession
  addresses: ServerAddresses
  clock: Clock
  manifests: ManifestStore
  alerts: AlertNotices
  media: MediaStore
  events: EventStore
  log: PlayLog
  random: () => number
  /** Seconds between heartbeats; null means the manifest's setting. */
  heartbeatSeconds: number | null
  describe: () => Promise<Heartbeat>
  /** The server refused the license key; the agent must end. */
  onRefused: (refused: LicenseRefused) => void
  onCommand: (command: Extract<ServerMessage, { type: 'command' }>) => Promise<CommandResult>
  /** Prints a line for the operator. */
  print: (line: string) => void
}

/** The downloads into the media folder. */
export const makeDownloads = ({
  limits,
  media,
  ...parts
}: Omit<DownloadsParts, 'storage' | 'fetch' | 'waitMs' | 'fullAdvice'> & {
  limits: DownloadLimits
  media: MediaStore
}): Downloads =>
  new Downloads({
    ...parts,
    storage: { ...media, remove: media.drop },
    fetch: file => downloadFile(parts.session, media, { file, pace: bytes => limits.pace(bytes) }),
    waitMs: () => limits.waitMs(),
    fullAdvice: 'Free some of it or use a larger one; the agent then continues',
  })

/** The longest wait for a running download at the end. */
const MAX_EXIT_MS = 12_000

/** The connection to the server: the device client and the downloads. The player works without it. */
export class Sync {
  readonly #parts: SyncParts
  readonly #client: DeviceClient
  readonly #downloads: Downloads
  /** The hours and the rate of all downloads. */
  readonly limits: DownloadLimits
  #downloading: Promise<void> = Promise.resolve()

  constructor(parts: SyncParts) {
    this.#parts = parts
    const { session, clock, manifests, alerts, media, events, log, random, describe, onRefused, print } =
      parts
    this.#client = new DeviceClient({
      session,
      addresses: parts.addresses,
      clock,
      events: {
        readUnsent: limit => (clock.isReportable ? events.readUnsent(limit) : []),
        markSent: (sent, receipt, at) => events.markSent(sent, receipt, at),
        onAppend: listener => events.onAppend(listener),
      },
      random,
      describe,
      onRefused,
      print,
      connect: connectByWs,
      manifests: {
        newestEtag: manifests.newestEtag,
        hasProgramme: manifests.hasProgramme,
        save: manifests.save,
        beginFetch: alerts.beginFetch,
      },
      intervalSeconds: () =>
        parts.heartbeatSeconds ?? manifests.newest()?.manifest.settings.heartbeatSeconds ?? 60,
      describeHeld: () => describeHeld(manifests, media),
      onOpen: () => {
        log.detail('channel-open', session.origin)
        this.#downloads.wake()
      },
      onMessage: message => this.#onMessage(message),
      onAlerts: notices => applyAlertAnswer(alerts, manifests.newest()?.manifest ?? null, notices),
      redelivery: parts,
      onUnknown: line =>
        log.debug('warning', 'protocol-unknown', `Version ${release.version} does not know: ${line}`),
    })
    // The server shows at once who has heard an alert; the log has the same.
    events.onAppend(event => {
      if (event.kind === 'alert') this.#client.sendReceipt(event.alertUid, event.step)
    })
    alerts.onMet(({ uid, kind }) => this.#recordReceived(uid, kind))
    for (const source of [manifests, media]) source.onChange(() => this.#client.changeHeld())
    this.limits = new DownloadLimits({ clock, manifest: () => manifests.newest()?.manifest })
    this.#downloads = makeDownloads({
      ...parts,
      limits: this.limits,
      onUnauthorized: refused => this.reopenSession(refused),
    })
  }

  /** Whether missing files are on their way. */
  get isDownloading(): boolean {
    return this.#downloads.isDownloading
  }

  /** Starts the connection, which survives any outage of the server. */
  async start(): Promise<void> {
    this.#downloading = this.#downloads.run()
    await this.#client.start()
  }

  /** Stops the connection after a final attempt to send the log. */
  async stop(): Promise<void> {
    this.#downloads.stop()
    await Promise.all([this.#client.stop(), firstOf([this.#downloading], MAX_EXIT_MS)])
  }

  /** Opens a session again, because the server refused this token. */
  reopenSession(refused: string | null): Promise<void> {
    return this.#client.reopenSession(refused)
  }

  /** Sends a heartbeat soon, because the current track has changed. */
  sendSoon(): void {
    this.#client.sendSoon()
  }

  /** Sends the file that a command asks for. @throws CallError */
  async sendFile(id: string, file: { contentType: DeviceFileType; content: Buffer }): Promise<void> {
    const { session } = this.#parts
    const params = { playpointid: session.playPointUid ?? '', id }
    const body = { contentType: file.contentType, content: file.content.toString('base64') }
    await session.call(sendDeviceFile, { params, body })
  }

  #onMessage(message: ServerMessage): MessageResult {
    const { events, onCommand, print } = this.#parts
    if (message.type === 'command') return onCommand(message)
    if (message.type === 'alert') applyAlertMessage(this.#parts.alerts, message)
    if (message.type !== 'replaced') return
    print(
      'Another player reports for this device now. This one continues to play, but reports nothing until it is restarted',
    )
    events.mute()
    void this.stop()
  }

  #recordReceived(alertUid: string, alertKind: string): void {
    const at = new Date(this.#parts.clock.now()).toISOString()
    this.#parts.events.append({ kind: 'alert', alertUid, alertKind, step: 'received', at })
  }
}
