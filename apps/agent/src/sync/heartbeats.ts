import { CallError } from '@floorcast/contract/client.ts'
import { type DeviceHeartbeatAnswer, sendDeviceHeartbeat } from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { jitteredInterval } from '@floorcast/playback/event-rules.ts'
import type { Clock, Steady } from '../clock/clock.ts'
import type { Channel } from './channel.ts'
import type { ServerLink } from './server-link.ts'

export interface HeartbeatParts {
  link: ServerLink
  channel: Channel
  clock: Clock
  random: () => number
  /** From the manifest's settings. */
  intervalSeconds: () => number
  /** The box's state now; `sentAt` is the machine's clock, uncorrected. */
  describe: () => Promise<Heartbeat>
  onAnswer: (answer: DeviceHeartbeatAnswer) => void
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** A change of track is told at most this often, and only on the channel. */
const LEAST_BETWEEN = 2000
/** A server may leave a question unanswered; more than these are not waited for. */
const MOST_OPEN = 10

/** Says each minute or so that the device lives: on the channel when there is one, else by a call. */
export class Heartbeats {
  readonly #parts: HeartbeatParts
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined
  #isStopped = false
  #sentAt: Steady = -Infinity
  /** When the questions that are open on the channel were asked, by their `sentAt`; the oldest first. */
  readonly #askedAt = new Map<string, Steady>()

  constructor(parts: HeartbeatParts) {
    this.#parts = parts
  }

  /** Sends one now, and from then on each interval ± 10 %; to be called again when a line was opened. */
  start(): void {
    void this.#beat()
  }
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearTimeout(this.#soon)
  }

  /** What plays has changed: tell it soon, if the channel is open. */
  hurry(): void {
    if (this.#isStopped || this.#soon || !this.#parts.channel.isOpen) return
    const wait = this.#sentAt + LEAST_BETWEEN - this.#parts.clock.steady()
    this.#soon = setTimeout(
      () => {
        this.#soon = undefined
        if (this.#parts.channel.isOpen) void this.#beat()
      },
      Math.max(0, wait),
    )
  }

  /** An answer came on the channel. */
  hearAnswer({ sentAt, answer }: { sentAt: string; answer: DeviceHeartbeatAnswer }): void {
    const { clock, onAnswer } = this.#parts
    const askedAt = this.#askedAt.get(sentAt)
    if (askedAt !== undefined) clock.hearServer(Date.parse(answer.serverTime), askedAt, clock.steady())
    this.#askedAt.delete(sentAt)
    onAnswer(answer)
  }

  async #beat(): Promise<void> {
    const { channel, clock, describe, intervalSeconds, random } = this.#parts
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#beat(), jitteredInterval(intervalSeconds(), random()))
    this.#sentAt = clock.steady()
    const heartbeat = await describe()
    const askedAt = clock.steady()
    if (channel.sendHeartbeat(heartbeat)) this.#noteAsked(heartbeat.sentAt, askedAt)
    else await this.#post(heartbeat)
  }

  /** Of two in one millisecond the first counts: it lies before the answers to both. */
  #noteAsked(sentAt: string, askedAt: Steady): void {
    if (!this.#askedAt.has(sentAt)) this.#askedAt.set(sentAt, askedAt)
    for (const oldest of this.#askedAt.keys()) {
      if (this.#askedAt.size <= MOST_OPEN) return
      this.#askedAt.delete(oldest)
    }
  }

  async #post(heartbeat: Heartbeat): Promise<void> {
    const { link, clock, onAnswer, onUnauthorized } = this.#parts
    const token = link.token()
    if (token === null) return
    const asked = clock.steady()
    try {
      const answer = await link.call(sendDeviceHeartbeat, { body: heartbeat })
      clock.hearServer(Date.parse(answer.serverTime), asked, clock.steady())
      onAnswer(answer)
    } catch (error) {
      if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
    }
  }
}
