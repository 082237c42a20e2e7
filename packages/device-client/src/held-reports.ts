import type { Held } from '@floorcast/contract/device-protocol.ts'
import type { Channel } from './channel.ts'

/** The least interval between reports while files arrive one after another. A report waits a random part of it. */
const INTERVAL_MS = 2000

export interface HeldReportOptions {
  channel: Pick<Channel, 'isOpen' | 'sendHeld'>
  /** From 0 to 1. */
  random: () => number
  /** What the device holds of each publication now. */
  describe: () => Held[]
}

/**
 * Reports what the device holds when that changes, so that a publication's page follows within seconds. Each heartbeat has it
 * too, which is enough for a device without a channel.
 */
export class HeldReports {
  readonly #options: HeldReportOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #reported = '[]'

  constructor(options: HeldReportOptions) {
    this.#options = options
  }

  /** The device's files or manifest have changed. */
  change(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#report()
    }, this.#options.random() * INTERVAL_MS)
  }

  /** A heartbeat has reported this. */
  noteReported(held: Held[]): void {
    this.#reported = JSON.stringify(held)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #report(): void {
    const { channel, describe } = this.#options
    const held = describe()
    if (!channel.isOpen || JSON.stringify(held) === this.#reported) return
    this.noteReported(held)
    channel.sendHeld(held)
  }
}
