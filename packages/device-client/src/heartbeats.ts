import { CallError } from '@floorcast/contract/client.ts'
import { type DeviceHeartbeatAnswer, sendDeviceHeartbeat } from '@floorcast/contract/device-messages.ts'
import type { Heartbeat } from '@floorcast/contract/device-protocol.ts'
import { jitteredInterval } from '@floorcast/playback/event-rules.ts'
import type { Channel } from './channel.ts'
import { retryAfterOf } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'

/** The device's clocks. */
export interface DeviceClock {
  /** The best known time, in milliseconds since 1970. */
  now: () => number
  /** Milliseconds of a monotonic clock. */
  steady: () => number
  /** The time of the machine's own clock, where it may be another. */
  machineNow?: () => number
  /** Applies the server's time, in milliseconds since 1970. The other two are the steady clock at both ends of the call. */
  applyServerTime: (serverTime: number, askedAt: number, answeredAt: number) => void
  /** False while the server's time is not known to 0.2 s: an answer was slow, and the next one may not be. */
  readonly isReportable?: boolean
}

/** `later`: the server has said when to come again. */
export type HeartbeatEnd = 'answered' | 'later' | 'failed'

/** Counts a heartbeat when it is sent. The returned function is called when its answer arrives or is lost. */
export type TrackHeartbeat = () => (end: HeartbeatEnd) => void

export interface HeartbeatOptions {
  session: DeviceSession
  channel: Channel
  clock: DeviceClock
  random: () => number
  /** The interval of the manifest's settings. */
  intervalSeconds: () => number
  /** A heartbeat that reports a change of track waits a random part of it, as events do. */
  spreadMs?: () => number
  /** Reads the device's current state; `sentAt` is the machine's uncorrected clock. */
  describe: () => Promise<Heartbeat>
  track?: TrackHeartbeat | undefined
  onAnswer: (answer: DeviceHeartbeatAnswer) => void
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** The least interval between heartbeats that report a change of track. They are sent only on the channel. */
const MIN_INTERVAL_MS = 2000
/** A server may leave heartbeats unanswered. Beyond this number, the oldest count as lost. */
const MAX_UNANSWERED = 10
/** After an answer too slow to tell the time, the next heartbeat comes this much later, or up to twice as late. */
const ASK_AGAIN_MS = 2000

interface Unanswered {
  askedAt: number
  resolve: (end: HeartbeatEnd) => void
}

/** Sends the device's state at an interval: on the channel if it is open, else by an HTTP call. */
export class Heartbeats {
  readonly #options: HeartbeatOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #soonTimer: ReturnType<typeof setTimeout> | undefined
  #isStopped = false
  #sentAt = -Infinity
  #hasSent = false
  /** Heartbeats on the channel by their `sentAt`, oldest first. */
  readonly #unanswered = new Map<string, Unanswered>()

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** Sends a heartbeat now and then at each interval ± 10 %. Call it again when the channel has opened. */
  start(): void {
    void this.#send()
  }
  /** Sends the first heartbeat after this time, unless `start` comes before. */
  startIn(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms)
  }
  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    clearTimeout(this.#soonTimer)
  }

  /** Sends the state in which the device ends, by HTTP: a channel that closes at once may lose it. */
  async sendLast(): Promise<void> {
    if (this.#hasSent) await this.#post(await this.#options.describe())
  }

  /** Sends a heartbeat soon if the channel is open, because the current track has changed. */
  sendSoon(): void {
    const { channel, clock, random, spreadMs = () => 0 } = this.#options
    if (this.#isStopped || this.#soonTimer || !channel.isOpen) return
    const waitMs = Math.max(this.#sentAt + MIN_INTERVAL_MS - clock.steady(), random() * spreadMs())
    this.#soonTimer = setTimeout(
      () => {
        this.#soonTimer = undefined
        if (channel.isOpen) void this.#send()
      },
      Math.max(0, waitMs),
    )
  }

  /** Accepts an answer from the channel. Answers may arrive in another order than the heartbeats. */
  acceptAnswer({ sentAt, answer }: { sentAt: string; answer: DeviceHeartbeatAnswer }): void {
    const { onAnswer } = this.#options
    const sent = this.#unanswered.get(sentAt)
    if (sent) this.#applyTime(answer, sent.askedAt)
    this.#unanswered.delete(sentAt)
    sent?.resolve('answered')
    onAnswer(answer)
  }

  /** The channel has closed: no answer comes any more. */
  endUnanswered(end: Exclude<HeartbeatEnd, 'answered'>): void {
    for (const { resolve } of this.#unanswered.values()) resolve(end)
    this.#unanswered.clear()
  }

  async #send(): Promise<void> {
    const { channel, clock, describe, intervalSeconds, random } = this.#options
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    this.#timer = setTimeout(() => void this.#send(), jitteredInterval(intervalSeconds(), random()))
    this.#sentAt = clock.steady()
    this.#hasSent = true
    const heartbeat = await describe()
    if (!channel.isOpen) return this.#post(heartbeat)
    this.#addUnanswered(heartbeat.sentAt, this.#track())
    channel.sendHeartbeat(heartbeat)
  }

  #applyTime({ serverTime }: DeviceHeartbeatAnswer, askedAt: number): void {
    const { clock, random } = this.#options
    clock.applyServerTime(Date.parse(serverTime), askedAt, clock.steady())
    if (clock.isReportable === false && !this.#isStopped) this.startIn(ASK_AGAIN_MS * (1 + random()))
  }

  #track(): Unanswered {
    const { clock, track } = this.#options
    return { askedAt: clock.steady(), resolve: track?.() ?? (() => undefined) }
  }

  /** If two heartbeats were sent in one millisecond, the time of the first counts: it lies before both answers. */
  #addUnanswered(sentAt: string, sent: Unanswered): void {
    const first = this.#unanswered.get(sentAt)
    if (first) {
      const { resolve } = first
      first.resolve = end => [resolve, sent.resolve].forEach(each => each(end))
    } else this.#unanswered.set(sentAt, sent)
    for (const [oldest, { resolve }] of this.#unanswered) {
      if (this.#unanswered.size <= MAX_UNANSWERED) return
      this.#unanswered.delete(oldest)
      resolve('failed')
    }
  }

  async #post(heartbeat: Heartbeat): Promise<void> {
    const { session, onAnswer, onUnauthorized } = this.#options
    const { token } = session
    if (token === null) return
    const { askedAt, resolve } = this.#track()
    try {
      const answer = await session.call(sendDeviceHeartbeat, { body: heartbeat })
      this.#applyTime(answer, askedAt)
      resolve('answered')
      onAnswer(answer)
    } catch (error) {
      resolve(retryAfterOf(error) === null ? 'failed' : 'later')
      if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
    }
  }
}
