import { setImmediate as nextTurn } from 'node:timers/promises'
import { toRestartReason } from '@floorcast/contract/device-messages.ts'
import type { ChannelMessage } from '@floorcast/contract/device-protocol.ts'
import type { Context } from '../../context.ts'
import type { Admission } from '../../platform/http/admit/admission.ts'
import { closeInSlices, pickReturnMs } from '../../platform/http/shutdown.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { type OpenAlerts, parseAlertNotice } from '../alerts/alerts.ts'
import { type CommandAck, listWaiting, noteSent, storeAcks } from '../device-commands/device-commands.ts'
import type { Ingest } from '../ingest/ingest.ts'
import { type Manifests, waveSeconds } from '../manifests/manifests.ts'
import { AlertSender } from './alert-sender.ts'
import { type AckReply, type Channel, CLOSE } from './channel.ts'
import { type ChannelTarget, ConnectedChannels } from './connected-channels.ts'
import { SessionWatch } from './session-watch.ts'

const PING_INTERVAL_MS = 30_000
/** Devices whose outboxes one statement reads. */
const DEVICES_A_READ = 100
/** Messages and pings are sent for so long before other work runs. */
const TURN_MS = 8
/** The least time between two notices of one group's or client's manifests. Changes meanwhile are one notice. */
const WAVE_INTERVAL_MS = 1000

type Ack = CommandAck & { clientId: string }

interface ChannelHubParts {
  manifests: Manifests
  alerts: OpenAlerts
  ingest: Ingest
  admission: Admission
}

/**
 * The devices that are connected to this server. The bus reports changes, also of other servers:
 *
 * - `alert`: the notice holds the whole alert, so the hub sends it at once, without the database.
 * - `manifest`: one notice for a group, a client or some devices. The hub first has the group's part made, then tells the
 *   channels, which fetch within a time that grows with the group. Notices of one group within a second are one.
 * - `command`: the outbox of a device has a new command. A command is sent once on each connection until it is acknowledged, in
 *   the order of the outbox. The hub remembers sent commands by id, not by the highest position: positions are given before
 *   the commit, so a lower one may appear later.
 *
 * After a lost LISTEN connection the hub tells all of its devices to fetch their manifests, which have the open alerts, and
 * reads outboxes again.
 *
 * A second channel of the same session closes the first with 4002, without the message `replaced`: a dead connection
 * must not silence a device that came back. The channel of a streamer whose session has ended closes with 4003. A server
 * that stops closes its channels with 1012 a slice at a time, and tells each device when to connect again.
 */
export class ChannelHub {
  readonly #context: Context
  readonly #manifests: Manifests
  readonly #alerts: OpenAlerts
  readonly #reports: Ingest['reports']
  readonly #channels = new ConnectedChannels()
  readonly #alertSender: AlertSender
  readonly #acks: Batcher<Ack, void>
  readonly #stopListening: (() => void)[]
  readonly #sessions: SessionWatch
  readonly #pinging: NodeJS.Timeout
  /** Waves that are sent, by group or client, with the devices that the next one concerns; null: none follows. */
  readonly #waves = new Map<string, number | null>()
  #due = new Set<string>()
  #delivering: Promise<void> | null = null
  /** Channels are being closed. Their devices are shown as connected, since they come back at once. */
  #isLeaving = false
  #isClosed = false

  constructor(context: Context, { manifests, alerts, ingest, admission }: ChannelHubParts) {
    this.#context = context
    this.#alertSender = new AlertSender({ channels: this.#channels, manifests, admission })
    this.#manifests = manifests
    this.#alerts = alerts
    this.#reports = ingest.reports
    this.#acks = new Batcher(acks => this.#storeAcks(acks), {
      maxWaitMs: 2,
      maxBatch: 500,
      concurrency: 1,
      mayBeItemsFault: () => false,
    })
    const { bus } = context
    this.#sessions = new SessionWatch(context, this.#channels)
    this.#stopListening = [
      bus.listen('alert', {
        heard: words => this.#hearAlert(words),
        missed: () => this.#inBackground(this.#sendOpenAlerts(), 'open alerts were not sent'),
      }),
      bus.listen('manifest', {
        heard: words => this.#hearManifest(words),
        missed: () => {
          const { size } = this.#channels
          for (const clientId of this.#channels.clients()) this.#beginWave({ clientId, groupUid: null }, size)
        },
      }),
      bus.listen('command', {
        heard: ([uid = '']) => this.deliver(uid),
        missed: () => this.#channels.all().forEach(({ peer }) => this.deliver(peer.device.deviceUid)),
      }),
      this.#sessions.stop,
    ]
    this.#pinging = setInterval(
      () => this.#inBackground(this.#pingAll(), 'channels were not pinged'),
      PING_INTERVAL_MS,
    )
  }

  /** The channels that are open. */
  get size(): number {
    return this.#channels.size
  }

  /** Adds a channel, sends its device the commands that it has not acknowledged, and closes a former channel. */
  add(channel: Channel): void {
    // It waited for its turn while the server stopped.
    if (this.#isClosed) return channel.terminate()
    if (this.#isLeaving) return this.#closeForRestart(channel)
    this.#channels.add(channel)?.close(CLOSE.reconnected, 'connected again')
    this.deliver(channel.peer.device.deviceUid)
    this.#sessions.check(channel)
  }

  /** Closes the channel of a streamer whose session has ended. */
  end(channel: Channel): void {
    channel.close(CLOSE.sessionEnded, 'the session of the user has ended')
    this.#channels.remove(channel)
  }

  /** The channel has closed. Without another one its device is shown as disconnected until it reports. */
  remove(channel: Channel): void {
    const { reportedAt, peer } = channel
    if (!this.#channels.remove(channel) || this.#isLeaving || reportedAt === null) return
    this.#inBackground(this.#reports.receiveLostChannel(peer.device, reportedAt), 'its end was not stored')
  }

  async acknowledge(channel: Channel, { id, ok, why }: AckReply): Promise<void> {
    const { clientId, deviceUid } = channel.peer.device
    const outcome = ok === undefined ? 'received' : ok ? 'followed' : 'failed'
    await this.#acks
      .add({ clientId, deviceUid, messageUid: id, outcome, why: why ?? null })
      .catch((error: unknown) => {
        // The message is sent and acknowledged again after a reconnect.
        this.#context.log.warn({ err: error, deviceUid }, 'an acknowledgement was not stored')
      })
  }

  /** Sends a connected device the commands in its outbox. */
  deliver(deviceUid: string): void {
    if (!this.#channels.get(deviceUid)) return
    this.#due.add(deviceUid)
    this.#delivering ??= this.#deliverDue().finally(() => {
      this.#delivering = null
    })
  }

  /** Closes the channels in slices. The devices reconnect, to another server or to this one after its start. */
  async leave(hurry: AbortSignal): Promise<void> {
    this.#isLeaving = true
    await closeInSlices(this.#channels.all(), channel => this.#closeForRestart(channel), hurry)
  }

  #closeForRestart(channel: Channel): void {
    channel.close(CLOSE.restart, toRestartReason(pickReturnMs() / 1000))
  }

  /** Ends what `leave` has closed. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#pinging)
    for (const stop of this.#stopListening) stop()
    this.#due.clear()
    await this.#delivering
    await this.#acks.drain()
    for (const channel of this.#channels.all()) channel.terminate()
  }

  #inBackground(work: Promise<void>, failure: string): void {
    work.catch((error: unknown) => this.#context.log.warn({ err: error }, failure))
  }

  async #pingAll(): Promise<void> {
    await this.#eachOf(this.#channels.all(), TURN_MS, channel => channel.ping())
  }

  /** Calls `send` for each channel; other work runs after each turn. */
  async #eachOf(
    channels: readonly Channel[],
    turnMs: number,
    send: (channel: Channel) => void,
  ): Promise<void> {
    let endsAt = performance.now() + turnMs
    for (const channel of channels) {
      if (performance.now() > endsAt) {
        await nextTurn()
        endsAt = performance.now() + turnMs
      }
      send(channel)
    }
  }

  #hearAlert(words: readonly string[]): void {
    const notice = parseAlertNotice(words)
    if (!notice) return
    this.#inBackground(this.#alertSender.send(notice, notice), 'an alert was not sent to all')
  }

  /** After lost notices: devices ignore an alert that they know. */
  async #sendOpenAlerts(): Promise<void> {
    for (const clientId of this.#channels.clients())
      for (const { uid, kind, beganAt, isDrill, target } of await this.#alerts.list(clientId)) {
        const deviceUid = target.kind === 'device' ? target.uid : null
        const groupUid = target.kind === 'group' ? target.uid : null
        const to = { clientId, deviceUid, groupUid }
        await this.#alertSender.send({ ...to, alertUid: uid, kind, step: 'begin', beganAt, isDrill }, to)
      }
  }

  #hearManifest([of, clientId = '', ...words]: readonly string[]): void {
    if (of === 'group') return this.#beginWave({ clientId, groupUid: words[0] ?? '' }, Number(words[1] ?? 0))
    if (of === 'client') return this.#beginWave({ clientId, groupUid: null })
    const [total, ...devices] = words
    const withinSeconds = waveSeconds(Number(total))
    for (const word of devices) {
      const [deviceUid = '', groupUid = ''] = word.split('/')
      this.#channels.move(deviceUid, groupUid === '' ? null : groupUid)
      this.#channels.get(deviceUid)?.sendManifestNotice(withinSeconds)
    }
  }

  /** @param concerned the devices that the change concerns, if the target's are not all of them */
  #beginWave(target: { clientId: string; groupUid: string | null }, concerned = 0): void {
    const key = target.groupUid ?? target.clientId
    const isRunning = this.#waves.has(key)
    this.#waves.set(key, Math.max(this.#waves.get(key) ?? 0, concerned))
    if (!isRunning) this.#inBackground(this.#sendWaves(key, target), 'devices were not told of new manifests')
  }

  async #sendWaves(key: string, target: { clientId: string; groupUid: string | null }): Promise<void> {
    try {
      for (let next = this.#waves.get(key); typeof next === 'number'; next = this.#waves.get(key)) {
        this.#waves.set(key, null)
        await this.#sendWave({ ...target, deviceUid: null }, next)
        await new Promise(resolve => setTimeout(resolve, WAVE_INTERVAL_MS).unref())
        if (this.#isClosed) return
      }
    } finally {
      this.#waves.delete(key)
    }
  }

  async #sendWave(target: ChannelTarget, concerned: number): Promise<void> {
    const { clientId, groupUid } = target
    const channels = this.#channels.of(target)
    if (channels.length === 0) return
    const withinSeconds =
      groupUid === null
        ? waveSeconds(Math.max(channels.length, concerned))
        : await this.#manifests.prepareGroup(clientId, groupUid, concerned).catch((error: unknown) => {
            // The devices' own requests make the part again.
            this.#context.log.warn({ err: error, groupUid }, 'the manifest of a group was not made ready')
            return waveSeconds(Math.max(channels.length, concerned))
          })
    await this.#eachOf(channels, TURN_MS, channel => channel.sendManifestNotice(withinSeconds))
  }

  async #deliverDue(): Promise<void> {
    while (this.#due.size > 0) {
      const due = this.#due
      this.#due = new Set()
      const channels = [...due].flatMap(deviceUid => this.#channels.get(deviceUid) ?? [])
      for (const [clientId, group] of Map.groupBy(channels, ({ peer }) => peer.device.clientId))
        for (let from = 0; from < group.length; from += DEVICES_A_READ)
          await this.#deliverTo(clientId, group.slice(from, from + DEVICES_A_READ)).catch(
            (error: unknown) => {
              this.#context.log.error({ err: error, clientId }, 'commands to devices wait for the next word')
            },
          )
    }
  }

  async #deliverTo(clientId: string, channels: readonly Channel[]): Promise<void> {
    const scope = this.#context.database.devices.forClient(clientId)
    const byDevice = new Map(channels.map(channel => [channel.peer.device.deviceUid, channel]))
    const waiting = await listWaiting(scope.reads, [...byDevice.keys()], this.#context.now())
    for (const { uid, deviceUid, body } of waiting)
      byDevice
        .get(deviceUid)
        ?.sendOnce({ ...body, type: 'command', id: uid } as Extract<ChannelMessage, { type: 'command' }>)
    const unsent = waiting.flatMap(({ uid, isSent }) => (isSent ? [] : [uid]))
    await noteSent(scope, unsent, this.#context.now())
  }

  async #storeAcks(acks: readonly Ack[]): Promise<void[]> {
    for (const [clientId, group] of Map.groupBy(acks, ack => ack.clientId)) {
      const scope = this.#context.database.devices.forClient(clientId)
      await storeAcks(scope, group, this.#context.now())
    }
    return []
  }
}
