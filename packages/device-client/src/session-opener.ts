import type { ReportedServer, SignedAddress } from '@floorcast/contract/server-address.ts'
import { describeError } from './describe-error.ts'
import type { DeviceClock } from './heartbeats.ts'
import { retryAfterOf, RetryTimer } from './retry-timer.ts'
import { type DeviceSession, LicenseRefused, SessionReplaced } from './session.ts'
import { type ChangeNotifier, firstOf } from './wait.ts'

/** Addresses of the answer to a heartbeat. */
export interface ToldAddresses {
  other?: string | undefined
  signed?: SignedAddress | undefined
}

/** The addresses at which a device's server may answer. */
export interface ServerAddresses {
  /**
   * Looks for another address than `current`, which does not answer, or, with `isRefused`, refuses the license key. @returns null to
   * stay: it answers again, or there is no other
   */
  find: (current: string, isRefused: boolean) => Promise<string | null>
  /** Whether there is another address than `current` to look at. */
  hasOther: (current: string) => boolean
  /** The server at this address has opened a session of a device of this client. */
  noteOpened: (origin: string, client: string | undefined) => void
  /** The server has answered, and told its other addresses, if it has any. */
  noteTold: (told: ToldAddresses) => void
  /** Whether the device was installed with this address, so that it may refuse the license key for good. */
  isInstalled: (origin: string) => boolean
  /** What heartbeats say of it. */
  report: () => ReportedServer
}

export interface SessionOpenerOptions {
  session: DeviceSession
  /** The addresses of a server that has several. */
  addresses?: ServerAddresses
  clock: DeviceClock
  random: () => number
  stopping: ChangeNotifier
  isStopped: () => boolean
  onRefused: (refused: LicenseRefused) => void
  onReplaced: () => void
  /** A session is open at another address. */
  onMoved: () => void
  print: (line: string) => void
}

/** Channels that did not open in a row, without an answer by HTTP meanwhile, after which another address is looked for. */
const FAILURES_BEFORE_SEARCH = 3
/** Within it a device begins to look, so that not all of a server that is gone come to another one at once. */
const SEARCH_SPREAD_MS = 10_000

/** Opens the sessions of a device until one is open, at another address of its server if the present one does not answer. */
export class SessionOpener {
  readonly #options: SessionOpenerOptions
  /** Channels that did not open since the server's last answer. */
  #unopened = 0
  #opening: Promise<void> | null = null
  /** Whether the next session is the first one at its address. */
  #hasMoved = false
  #search: Promise<boolean> | null = null

  constructor(options: SessionOpenerOptions) {
    this.#options = options
  }

  /** The attempt that is under way. */
  get opening(): Promise<void> | null {
    return this.#opening
  }

  /** Retries until the session is open or the key is refused. Concurrent callers share one attempt. */
  open(): Promise<void> {
    this.#opening ??= this.#openSession().finally(() => (this.#opening = null))
    return this.#opening
  }

  noteAnswer(): void {
    this.#unopened = 0
  }
  /** A channel has closed. Goes to another address after several that did not open, if one answers. */
  noteUnopened(): void {
    this.#unopened += 1
    if (this.#unopened >= FAILURES_BEFORE_SEARCH && !this.#opening) void this.#leaveSilentServer()
  }

  async #leaveSilentServer(): Promise<void> {
    if (await this.#findServer(false)) await this.open()
  }

  /** Concurrent callers share one search. @returns whether the next session is opened at another address */
  #findServer(isRefused: boolean): Promise<boolean> {
    const { addresses, session, isStopped } = this.#options
    if (!addresses?.hasOther(session.origin) || isStopped()) return Promise.resolve(false)
    this.#search ??= this.#lookAround(addresses, isRefused).finally(() => (this.#search = null))
    return this.#search
  }

  async #lookAround(addresses: ServerAddresses, isRefused: boolean): Promise<boolean> {
    const { session, isStopped, stopping, random } = this.#options
    if (!isRefused) await firstOf([stopping.after(stopping.count)], random() * SEARCH_SPREAD_MS)
    if (isStopped()) return false
    const found = await addresses.find(session.origin, isRefused)
    if (found === null || isStopped()) return false
    this.#unopened = 0
    session.moveTo(found)
    this.#hasMoved = true
    return true
  }

  async #openSession(): Promise<void> {
    const { session, addresses, print, onRefused, onReplaced, onMoved, clock, random } = this.#options
    const { stopping, isStopped } = this.#options
    const retry = new RetryTimer({ steady: () => clock.steady(), random })
    let printed = ''
    while (!isStopped()) {
      try {
        await session.open()
        addresses?.noteOpened(session.origin, session.clientUid)
        if (this.#hasMoved) onMoved()
        this.#hasMoved = false
        return
      } catch (error) {
        const isRefused = error instanceof LicenseRefused
        if (isRefused && !this.#isTemporary(error)) return onRefused(error)
        if (error instanceof SessionReplaced) return onReplaced()
        retry.fail(retryAfterOf(error))
        const why = describeError(error, clock)
        if (why !== printed) print(`No session at ${session.origin}: ${why}; trying again`)
        printed = why
        const hasMoved = retryAfterOf(error) === null && (await this.#findServer(isRefused))
        if (hasMoved && !isRefused) continue
        while (!isStopped() && retry.delayMs > 0)
          await firstOf([stopping.after(stopping.count)], retry.delayMs)
      }
    }
  }

  /**
   * A key that the server accepted before and does not know now may be known again, so a shop is not silenced. Nor is it by an address
   * with which it was not installed.
   */
  #isTemporary({ refusal }: LicenseRefused): boolean {
    const { session, addresses } = this.#options
    const isElsewhere = addresses?.isInstalled(session.origin) === false
    return isElsewhere || (refusal === 'license-unknown' && session.wasBound)
  }
}
