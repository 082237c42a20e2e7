import type { Context } from '../../context.ts'
import { Batcher } from '../../platform/lib/batcher.ts'
import { readSessionStates } from '../device-api/device-api.ts'
import { type Channel, CLOSE } from './channel.ts'
import type { ConnectedChannels } from './connected-channels.ts'

const RETRY_MS = 5000

/**
 * Closes the channels of sessions that have ended or that another session has replaced, on any server. After lost notices it
 * compares all channels, also the groups of their devices. A notice may come late: a player that
 * timed out and tried again has opened two sessions, and the channel of the second one may be open before the notice of the
 * first one comes. So each notice is compared with the database. A reset of the license key ends the session of the device's
 * token, and leaves that of a streamer.
 */
export class SessionWatch {
  readonly #context: Context
  readonly #channels: ConnectedChannels
  readonly #comparing: Batcher<Channel, void>
  readonly stop: () => void

  constructor(context: Context, channels: ConnectedChannels) {
    this.#context = context
    this.#channels = channels
    this.#comparing = new Batcher(compared => this.#compare(compared), {
      maxWaitMs: 0,
      maxBatch: 1000,
      concurrency: 1,
      mayBeItemsFault: () => false,
    })
    this.stop = context.bus.listen('reporter', {
      heard: ([deviceUid = '', reporterUid = '']) => {
        const channel = channels.get(deviceUid)
        if (channel && channel.peer.reporterUid !== reporterUid) this.check(channel)
      },
      missed: () => {
        for (const channel of channels.all()) this.check(channel)
      },
    })
  }

  /** Compares the sessions of channels with the active ones. It tries again until the database answers. */
  async #compare(channels: readonly Channel[]): Promise<void[]> {
    for (const [clientId, group] of Map.groupBy(channels, ({ peer }) => peer.device.clientId))
      await this.#compareOf(clientId, group).catch((error: unknown) => {
        this.#context.log.warn({ err: error }, 'sessions of devices were not compared')
        setTimeout(() => {
          for (const channel of group) this.check(channel)
        }, RETRY_MS).unref()
      })
    return []
  }

  async #compareOf(clientId: string, channels: readonly Channel[]): Promise<void> {
    const { reads } = this.#context.database.devices.forClient(clientId)
    const deviceUids = channels.map(({ peer }) => peer.device.deviceUid)
    const states = await readSessionStates(reads, deviceUids)
    for (const channel of channels) {
      const { device, reporterUid, userSession } = channel.peer
      const state = states.get(device.deviceUid)
      const isOther = state?.reporterUid && state.reporterUid !== reporterUid
      if (!state || isOther || (userSession === null && !state.hasToken)) this.#replace(channel)
      else this.#channels.move(device.deviceUid, state.groupUid)
    }
  }

  /** Compares a channel. Its session may also have ended between its authentication and its first notice. */
  check(channel: Channel): void {
    // A closed channel needs no comparison.
    if (this.#channels.get(channel.peer.device.deviceUid) === channel) void this.#comparing.add(channel)
  }

  #replace(channel: Channel): void {
    channel.send({ type: 'replaced' })
    channel.close(CLOSE.replaced, 'another session of this device began')
    this.#channels.remove(channel)
  }
}
