import type { Channel } from './channel.ts'

/** The devices that a message is for: those of a client, of one of its groups, or one. */
export interface ChannelTarget {
  clientId: string
  groupUid: string | null
  deviceUid: string | null
}

/** The channels that are open on this server, by device, group and client. */
export class ConnectedChannels {
  readonly #byDevice = new Map<string, Channel>()
  readonly #byGroup = new Map<string, Set<Channel>>()
  readonly #byClient = new Map<string, Set<Channel>>()

  /** Adds a channel. @returns the former channel of the same device */
  add(channel: Channel): Channel | undefined {
    const { deviceUid, clientId, groupUid } = channel.peer.device
    const former = this.#byDevice.get(deviceUid)
    if (former) this.remove(former)
    this.#byDevice.set(deviceUid, channel)
    addTo(this.#byClient, clientId, channel)
    addTo(this.#byGroup, groupUid, channel)
    return former
  }

  /** @returns whether it was the channel of its device */
  remove(channel: Channel): boolean {
    const { deviceUid, clientId, groupUid } = channel.peer.device
    if (this.#byDevice.get(deviceUid) !== channel) return false
    this.#byDevice.delete(deviceUid)
    removeFrom(this.#byClient, clientId, channel)
    removeFrom(this.#byGroup, groupUid, channel)
    return true
  }

  /** The device has moved to another group. */
  move(deviceUid: string, groupUid: string | null): void {
    const channel = this.#byDevice.get(deviceUid)
    if (!channel || channel.peer.device.groupUid === groupUid) return
    removeFrom(this.#byGroup, channel.peer.device.groupUid, channel)
    channel.peer.device = { ...channel.peer.device, groupUid }
    addTo(this.#byGroup, groupUid, channel)
  }

  get size(): number {
    return this.#byDevice.size
  }

  get(deviceUid: string): Channel | undefined {
    return this.#byDevice.get(deviceUid)
  }

  all(): Channel[] {
    return [...this.#byDevice.values()]
  }

  clients(): string[] {
    return [...this.#byClient.keys()]
  }

  of({ clientId, groupUid, deviceUid }: ChannelTarget): Channel[] {
    const one = deviceUid === null ? undefined : this.#byDevice.get(deviceUid)
    if (deviceUid !== null) return one ? [one] : []
    return [...((groupUid === null ? this.#byClient.get(clientId) : this.#byGroup.get(groupUid)) ?? [])]
  }
}

function addTo(sets: Map<string, Set<Channel>>, uid: string | null, channel: Channel): void {
  if (uid === null) return
  const set = sets.get(uid) ?? new Set()
  sets.set(uid, set.add(channel))
}

function removeFrom(sets: Map<string, Set<Channel>>, uid: string | null, channel: Channel): void {
  const set = uid === null ? undefined : sets.get(uid)
  set?.delete(channel)
  if (uid !== null && set?.size === 0) sets.delete(uid)
}
