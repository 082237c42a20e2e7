import { makeTicket, readSession } from '@floorcast/contract/auth.ts'
import { CallError, type Client, makeClient } from '@floorcast/contract/client.ts'
import { type Heartbeat, type Held, openStreamingSession } from '@floorcast/contract/device-protocol.ts'
import { release } from '@floorcast/contract/release.ts'
import {
  type AlertNotices,
  applyAlertAnswer,
  applyAlertMessage,
} from '@floorcast/device-client/alert-notices.ts'
import type { Connect, MessageResult } from '@floorcast/device-client/channel.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { CommandFollower } from '@floorcast/device-client/command-follower.ts'
import { describeError } from '@floorcast/device-client/describe-error.ts'
import { DeviceClient, type ServerMessage } from '@floorcast/device-client/device-client.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { DeviceSession } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { connectByTicket } from './ticket-socket.ts'
import { heldReport } from '@floorcast/playback/sync-plan.ts'
import { sessionStore } from '../../platform/session.ts'
import type { EventLog } from './event-log.ts'
import type { MediaCache } from './media-cache.ts'
import type { Player } from './player.ts'

/** The server pings, which a browser hides: the answers to heartbeats show that the channel lives. */
const MAX_HEARTBEAT_SECONDS = 60
const MAX_HELD = 20
/** The user's session ends after hours without a call, and a closed shop makes none. */
const KEEP_SESSION_MS = 30 * 60_000

/** How the page stands with the server. */
export type Link = 'connecting' | 'online' | 'offline' | 'replaced' | 'no-device' | 'signed-out'

interface ConnectionParts {
  /** The address of the server, without a slash at its end; empty for the page's own origin. */
  apiBase: string
  clock: Clock
  manifests: ManifestStore
  alerts: AlertNotices
  media: MediaCache
  events: EventLog
  state: StateStore
  log: PlayLog
  player: Player
  /** The audible volume of tracks, from 0 to 100. */
  volume: () => number
  commands: CommandFollower
  onLink: (link: Link) => void
  /** The server has taken events. */
  onSent: () => void
}

const linkOf = ({ status }: CallError): Link =>
  status === 401 ? 'signed-out' : status === 404 ? 'no-device' : 'offline'

/** The device client of a streamer's page. */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #call: Client
  readonly session: DeviceSession
  readonly client: DeviceClient
  readonly #keeping: number

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#call = makeClient({ base: parts.apiBase, token: () => sessionStore.get().token })
    this.session = this.#makeSession()
    this.client = this.#makeClient()
    parts.alerts.onMet(({ uid, kind }) => this.#logReceived(uid, kind))
    for (const source of [parts.manifests, parts.media]) source.onChange(() => this.client.changeHeld())
    // The server shows at once who has heard an alert; the log has the same.
    parts.events.onLogged(event => {
      if (event.kind === 'alert') this.client.sendReceipt(event.alertUid, event.step)
    })
    this.#keeping = window.setInterval(
      () => void this.#call(readSession, {}).catch(() => undefined),
      KEEP_SESSION_MS,
    )
  }

  /** Stops after a final attempt to send the log. */
  async stop(): Promise<void> {
    clearInterval(this.#keeping)
    await this.client.stop()
  }

  #makeSession(): DeviceSession {
    return new DeviceSession({
      server: new URL(this.#parts.apiBase, location.origin).href,
      fetch: (input, init) => fetch(input, init),
      filesBy: 'address',
      onStoreFault: (store, cause) => this.#logStoreFault(store, cause),
      opening: {
        wasBound: true,
        onOpened: () => undefined,
        open: async (_, former) => {
          const { events, clock } = this.#parts
          try {
            const session = await this.#call(openStreamingSession, {
              body: { runId: events.bootId, ...former },
            })
            const openedAt = clock.steady()
            events.noteFormerRun(session.formerRun, () => clock.instantOf(openedAt))
            return session
          } catch (error) {
            if (error instanceof CallError) this.#parts.onLink(linkOf(error))
            throw error
          }
        },
      },
    })
  }

  #logStoreFault(store: string, cause: unknown): void {
    const { clock, log } = this.#parts
    const why = `${describeError(cause, clock)}; does its CORS let ${location.origin} read?`
    log.debug('warning', 'store-not-reached', `Files come from the server, not from ${store}: ${why}`)
  }

  /** A browser shows no status of a refused WebSocket, but one of the ticket that it needs. */
  #connect(): Connect {
    // A ticket is for the path that the server sees; a proxy takes the address's own path away.
    const before = new URL(this.session.origin).pathname.replace(/\/$/, '').length
    const connect = connectByTicket({
      makeTicket: async path => (await this.#call(makeTicket, { body: { path: path.slice(before) } })).ticket,
      sessionUid: () => this.session.sessionUid,
      describeRefusal: error =>
        error instanceof CallError
          ? { status: error.status || null, retryAfterSeconds: error.retryAfterSeconds }
          : {},
    })
    return (url, token, handlers) =>
      connect(url, token, {
        ...handlers,
        onClose: end => {
          this.#parts.onLink('offline')
          handlers.onClose(end)
        },
      })
  }

  #makeClient(): DeviceClient {
    const { clock, events, state, manifests, alerts, log, onLink, onSent } = this.#parts
    return new DeviceClient({
      session: this.session,
      clock,
      random: Math.random,
      connect: this.#connect(),
      events: {
        readUnsent: limit => (clock.isReportable ? events.readUnsent(limit) : []),
        markSent: (...receipt) => {
          events.markSent(...receipt)
          onSent()
        },
        onAppend: listener => events.onAppend(listener),
      },
      redelivery: {
        state,
        events: {
          resendSince: (at, remember) => events.resendSince(at, remember),
          hasUnsentUpTo: place => !clock.isReportable || events.hasUnsentUpTo(place),
          oldestAt: () => events.oldestAt(),
          isPartial: () => events.isPartial(),
        },
      },
      manifests: {
        newestEtag: manifests.newestEtag,
        hasProgramme: manifests.hasProgramme,
        save: manifests.save,
        beginFetch: alerts.beginFetch,
      },
      intervalSeconds: () =>
        Math.min(
          MAX_HEARTBEAT_SECONDS,
          manifests.newest()?.manifest.settings.heartbeatSeconds ?? MAX_HEARTBEAT_SECONDS,
        ),
      describe: () => this.#describe(),
      describeHeld: () => this.#describeHeld(),
      onRefused: () => undefined,
      onOpen: () => onLink('online'),
      onMessage: message => this.#onMessage(message),
      onAlerts: notices => applyAlertAnswer(alerts, manifests.newest()?.manifest ?? null, notices),
      onUnknown: line =>
        log.debug('warning', 'protocol-unknown', `Version ${release.version} does not know: ${line}`),
      print: () => undefined,
    })
  }

  #describeHeld(): Held[] {
    const newest = this.#parts.manifests.newest()?.manifest
    return newest ? heldReport(newest, this.#parts.media.held).slice(0, MAX_HELD) : []
  }

  async #describe(): Promise<Heartbeat> {
    const { quota, usage } = await navigator.storage.estimate()
    return {
      sentAt: new Date().toISOString(),
      bootId: this.#parts.events.bootId,
      programVersion: `${release.version} browser`,
      temperatureCelsius: null,
      memorySizeBytes: quota ?? null,
      freeMemoryBytes: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
      ipAddress: null,
      macAddress: null,
      volume: this.#parts.volume(),
      nowPlaying: this.#parts.player.nowPlaying(),
      silence: this.#parts.player.silence(),
      manifestEtag: this.#parts.manifests.playing()?.etag ?? null,
      held: this.#describeHeld(),
      quarantined: this.#parts.media.quarantined,
      alertCheck: null,
    }
  }

  #onMessage(message: ServerMessage): MessageResult {
    if (message.type === 'command') return this.#parts.commands.follow(message)
    if (message.type === 'alert') applyAlertMessage(this.#parts.alerts, message)
    if (message.type !== 'replaced') return
    this.#parts.events.mute()
    this.#parts.onLink('replaced')
  }

  #logReceived(alertUid: string, alertKind: string): void {
    const at = new Date(this.#parts.clock.now()).toISOString()
    this.#parts.events.append({ kind: 'alert', alertUid, alertKind, step: 'received', at })
  }
}
