import type { ChannelMessage } from '@floorcast/contract/device-protocol.ts'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import type { Channel } from './channel.ts'
import { CLOSE } from './channel.ts'
import { readReporter } from '../device-api/device-api.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { acknowledge, listWaiting, makeManifests, type WaitingMessage } from '../manifests/manifests.ts'

const PING_INTERVAL_MS = 30_000
/** Devices whose outboxes one statement reads. */
const DEVICES_A_READ = 100

interface Ack {
  clientId: string
  deviceUid: string
  messageUid: string
}

/**
 * The devices that are connected to this server. The bus reports new messages in outboxes, also of other servers.
 *
 * A message is sent once on each connection until it is acknowledged, in the order of the outbox. The hub remembers sent
 * messages by id, not by the highest position: positions are given before the commit, so a lower one may appear later.
 * After a lost LISTEN connection the hub reads the outboxes and the active sessions of all connected devices.
 *
 * A second channel of the same session closes the first with 4002, without the message `replaced`: a dead connection
 * must not silence a device that came back. A server that stops closes its channels with 1012, and devices reconnect
 * with jitter.
 */
export class ChannelHub {
  readonly #context: Context
  readonly #channels = new Map<string, Channel>()
  readonly #acks: Batcher<Ack, void>
  readonly #stopListening: (() => void)[]
  readonly #pinging: NodeJS.Timeout
  #due = new Set<string>()
  #delivering: Promise<void> | null = null

  constructor(context: Context) {
    this.#context = context
    this.#acks = new Batcher(acks => this.#storeAcks(acks), {
      maxWaitMs: 2,
      maxBatch: 500,
      concurrency: 1,
      mayBeItemsFault: () => false,
    })
    const { bus } = context
    const news = { heard: ([uid = '']: string[]) => this.deliver(uid), missed: () => this.#deliverAll() }
    this.#stopListening = [
      bus.listen('manifest', news),
      bus.listen('reporter', {
        heard: ([deviceUid = '', reporterUid = '']) => this.#replace(deviceUid, reporterUid),
        missed: () => {
          this.#checkReporters().catch((error: unknown) => {
            // The next call of a device whose token has ended is refused.
            context.log.warn({ err: error }, 'sessions of connected devices were not compared')
          })
        },
      }),
    ]
    this.#pinging = setInterval(() => {
      for (const channel of this.#channels.values()) channel.ping()
    }, PING_INTERVAL_MS)
  }

  /** Adds a channel, sends its device the messages that it has not acknowledged, and closes a former channel. */
  add(channel: Channel): void {
    const { deviceUid } = channel.peer.device
    this.#channels.get(deviceUid)?.close(CLOSE.reconnected, 'connected again')
    this.#channels.set(deviceUid, channel)
    this.deliver(deviceUid)
  }

  remove(channel: Channel): void {
    const { deviceUid } = channel.peer.device
    if (this.#channels.get(deviceUid) === channel) this.#channels.delete(deviceUid)
  }

  async acknowledge(channel: Channel, messageUid: string): Promise<void> {
    const { clientId, deviceUid } = channel.peer.device
    const uid = z.uuid().safeParse(messageUid)
    if (!uid.success) return
    await this.#acks.add({ clientId, deviceUid, messageUid }).catch((error: unknown) => {
      // The message is sent and acknowledged again after a reconnect.
      this.#context.log.warn({ err: error, deviceUid }, 'an acknowledgement was not stored')
    })
  }

  /** Sends a connected device the messages in its outbox. */
  deliver(deviceUid: string): void {
    if (!this.#channels.has(deviceUid)) return
    this.#due.add(deviceUid)
    this.#delivering ??= this.#deliverDue().finally(() => {
      this.#delivering = null
    })
  }

  /** Closes every channel. The devices reconnect, to another server or to this one after its start. */
  async close(): Promise<void> {
    clearInterval(this.#pinging)
    for (const stop of this.#stopListening) stop()
    for (const channel of this.#channels.values()) channel.close(CLOSE.restart, 'server stops')
    this.#due.clear()
    await this.#delivering
    await this.#acks.drain()
    for (const channel of this.#channels.values()) channel.terminate()
  }

  #deliverAll(): void {
    for (const deviceUid of this.#channels.keys()) this.deliver(deviceUid)
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
              this.#context.log.error({ err: error, clientId }, 'messages to devices wait for the next word')
            },
          )
    }
  }

  async #deliverTo(clientId: string, channels: readonly Channel[]): Promise<void> {
    const scope = this.#context.database.devices.forClient(clientId)
    const byDevice = new Map(channels.map(channel => [channel.peer.device.deviceUid, channel]))
    const waiting = await listWaiting(scope.reads, [...byDevice.keys()])
    const toMake = waiting.filter(({ type }) => type === 'manifest').map(({ deviceUid }) => deviceUid)
    const manifests =
      toMake.length > 0 ? await makeManifests(scope, toMake, this.#context.now()) : new Map<string, never>()
    for (const message of waiting) {
      const etag = manifests.get(message.deviceUid)?.etag ?? ''
      byDevice.get(message.deviceUid)?.sendOnce(messageOf(message, etag))
    }
  }

  async #storeAcks(acks: readonly Ack[]): Promise<void[]> {
    for (const [clientId, group] of Map.groupBy(acks, ack => ack.clientId)) {
      const scope = this.#context.database.devices.forClient(clientId)
      await scope.write(writes => acknowledge(writes, group, this.#context.now()))
    }
    return []
  }

  #replace(deviceUid: string, reporterUid: string): void {
    const channel = this.#channels.get(deviceUid)
    if (!channel || channel.peer.reporterUid === reporterUid) return
    channel.send({ type: 'replaced' })
    channel.close(CLOSE.replaced, 'another session of this device began')
    this.remove(channel)
  }

  async #checkReporters(): Promise<void> {
    for (const { peer } of this.#channels.values()) {
      const { clientId, deviceUid } = peer.device
      const reporterUid = await readReporter(
        this.#context.database.devices.forClient(clientId).reads,
        deviceUid,
      )
      if (reporterUid) this.#replace(deviceUid, reporterUid)
    }
  }
}

function messageOf(message: WaitingMessage, etag: string): Extract<ChannelMessage, { id: string }> {
  const { uid, type, body } = message
  if (type === 'manifest') return { type, id: uid, etag }
  return { ...body, type, id: uid } as Extract<ChannelMessage, { id: string }>
}
