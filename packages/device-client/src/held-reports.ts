import type { Held } from '@floorcast/contract/device-protocol.ts'
import type { Channel } from './channel.ts'

/** The held files are described once within this time, at a random moment of it, while files arrive one after another. */
const LOOK_MS = 2000
/** Files that arrive without completing a publication are reported at this interval. */
const PROGRESS_MS = 15_000

export interface HeldReportOptions {
  channel: Pick<Channel, 'isOpen' | 'sendHeld'>
  /** From 0 to 1. */
  random: () => number
  /** Milliseconds of a monotonic clock. */
  steady: () => number
  /** The held files of each publication now. */
  describe: () => Held[]
}

/** Whether a publication is new, has another revision, or has become complete. */
function isNews(held: readonly Held[], reported: readonly Held[]): boolean {
  if (held.length !== reported.length) return true
  return held.some(({ publicationUid, revision, missing }) => {
    const former = reported.find(each => each.publicationUid === publicationUid)
    return former?.revision !== revision || (missing === 0 && former.missing > 0)
  })
}

/**
 * Reports what the device holds when that changes, so that a publication's page follows within seconds. Each heartbeat has it
 * too, which is enough for a device without a channel.
 */
export class HeldReports {
  readonly #options: HeldReportOptions
  #look: ReturnType<typeof setTimeout> | undefined
  #progress: ReturnType<typeof setTimeout> | undefined
  #reported: readonly Held[] = []
  #sentAt = -Infinity

  constructor(options: HeldReportOptions) {
    this.#options = options
  }

  /** The device's files or manifest have changed. */
  change(): void {
    this.#look ??= setTimeout(() => {
      this.#look = undefined
      this.#report()
    }, this.#options.random() * LOOK_MS)
  }

  /** The server has this from a heartbeat. */
  noteReported(held: readonly Held[]): void {
    this.#reported = held
    this.#sentAt = this.#options.steady()
  }

  stop(): void {
    clearTimeout(this.#look)
    clearTimeout(this.#progress)
  }

  #report(): void {
    const { channel, describe } = this.#options
    const held = describe()
    if (!channel.isOpen || JSON.stringify(held) === JSON.stringify(this.#reported)) return
    const waitMs = this.#sentAt + PROGRESS_MS - this.#options.steady()
    if (waitMs > 0 && !isNews(held, this.#reported)) {
      this.#progress ??= setTimeout(() => {
        this.#progress = undefined
        this.#report()
      }, waitMs)
      return
    }
    this.noteReported(held)
    channel.sendHeld(held)
  }
}
