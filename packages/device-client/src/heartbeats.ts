import { CallError } from '@floorcast/contract/client.ts'
import { type DeviceHeartbeatAnswer, sendDeviceHeartbeat } from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { jitteredInterval } from '@floorcast/playback/event-rules.ts'
import type { Channel } from './channel.ts'
import type { DeviceSession } from './session.ts'

/** The device's clocks. */
export interface DeviceClock {
  /** Milliseconds since 1970, as well as known. */
  now: () => number
  /** Milliseconds of a clock that neither jumps nor stops while the machine is awake. */
  steady: () => number
  /** The server's time (milliseconds since 1970) came in an answer; both ends of the call by the steady clock. */
  applyServerTime: (serverTime: number, askedAt: number, answeredAt: number) => void
}

/** Counts one heartbeat as it is sent; what it returns is called when the answer comes or is lost. */
export type TrackHeartbeat = () => (isAnswered: boolean) => void

export interface HeartbeatOptions {
  session: DeviceSession
  channel: Channel
  clock: DeviceClock
  random: () => number
  /** From the manifest's settings. */
  intervalSeconds: () => number
  /** The device's state now; `sentAt` is the machine's clock, uncorrected. */
  describe: () => Promise<Heartbeat>
  track?: TrackHeartbeat | undefined
  onAnswer: (answer: DeviceHeartbeatAnswer) => void
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** A change of track is told at most this often, and only on the channel. */
const MIN_INTERVAL_MS = 2000
/** A server may leave a heartbeat unanswered; of more than these the oldest count as lost. */
const MAX_UNANSWERED = 10

interface Unanswered {
  askedAt: number
  settle: (isAnswered: boolean) => void
}

/** Tells the server about each minute that the device lives: on the channel when it is open, else by a call. */
export class Heartbeats {
  readonly #options: HeartbeatOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #soon: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #sentAt = -Infinity
  /** On the channel, by their `sentAt`; the oldest first. */
  readonly #unanswered = new Map<string, Unanswered>()

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** Sends one now, and from then on each interval ± 10 %; call it again when the channel was opened. */
  start(): void {
    void this.#beat()
  }
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearTimeout(this.#soon)
  }

  /** What plays has changed: tells it soon, if the channel is open. */
  sendSoon(): void {
    const { channel, clock } = this.#options
    if (this.#isStopped || this.#soon || !channel.isOpen) return
    const waitMs = this.#sentAt + MIN_INTERVAL_MS - clock.steady()
    this.#soon = setTimeout(
      () => {
        this.#soon = undefined
        if (channel.isOpen) void this.#beat()
      },
      Math.max(0, waitMs),
    )
  }

  /** An answer came on the channel; answers may come in another order than the heartbeats. */
  acceptAnswer({ sentAt, answer }: { sentAt: string; answer: DeviceHeartbeatAnswer }): void {
    const { clock, onAnswer } = this.#options
    const sent = this.#unanswered.get(sentAt)
    if (sent) clock.applyServerTime(Date.parse(answer.serverTime), sent.askedAt, clock.steady())
    this.#unanswered.delete(sentAt)
    sent?.settle(true)
    onAnswer(answer)
  }

  /** The channel closed: what it has not answered it will not answer. */
  loseUnanswered(): void {
    for (const { settle } of this.#unanswered.values()) settle(false)
    this.#unanswered.clear()
  }

  async #beat(): Promise<void> {
    const { channel, clock, describe, intervalSeconds, random } = this.#options
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#beat(), jitteredInterval(intervalSeconds(), random()))
    this.#sentAt = clock.steady()
    const heartbeat = await describe()
    if (!channel.isOpen) return this.#post(heartbeat)
    this.#noteUnanswered(heartbeat.sentAt, this.#begin())
    channel.sendHeartbeat(heartbeat)
  }

  #begin(): Unanswered {
    const { clock, track } = this.#options
    return { askedAt: clock.steady(), settle: track?.() ?? (() => undefined) }
  }

  /** Of two in one millisecond the first counts: it lies before the answers to both. */
  #noteUnanswered(sentAt: string, sent: Unanswered): void {
    const first = this.#unanswered.get(sentAt)
    if (first) {
      const { settle } = first
      first.settle = isAnswered => [settle, sent.settle].forEach(each => each(isAnswered))
    } else this.#unanswered.set(sentAt, sent)
    for (const [oldest, { settle }] of this.#unanswered) {
      if (this.#unanswered.size <= MAX_UNANSWERED) return
      this.#unanswered.delete(oldest)
      settle(false)
    }
  }

  async #post(heartbeat: Heartbeat): Promise<void> {
    const { session, clock, onAnswer, onUnauthorized } = this.#options
    const { token } = session
    if (token === null) return
    const { askedAt, settle } = this.#begin()
    try {
      const answer = await session.call(sendDeviceHeartbeat, { body: heartbeat })
      clock.applyServerTime(Date.parse(answer.serverTime), askedAt, clock.steady())
      settle(true)
      onAnswer(answer)
    } catch (error) {
      settle(false)
      if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
    }
  }
}
