import type { InstallationState } from '@floorcast/contract/installation.ts'
import type { Bus } from '../bus/bus.ts'
import type { AuthQueries, StoredState } from '../database/auth-queries.ts'
import type { Log } from '../log/log.ts'

const NOTHING: InstallationState = { notice: null, readOnly: null }
const RETRY_MS = 5000
/** The longest time of `setTimeout`. */
const MAX_TIMER_MS = 2 ** 31 - 1

interface StateParts {
  auth: Pick<AuthQueries, 'installationState'>
  bus: Bus
  log: Log
  now: () => Date
}

function toState(stored: StoredState | null): InstallationState {
  if (!stored) return NOTHING
  const { noticeUid: uid, noticeText: text, noticeLevel: level, noticeUntil: until } = stored
  const hasNotice = uid !== null && text !== null && level !== null && until !== null
  return {
    notice: hasNotice ? { uid, text, level, until } : null,
    readOnly:
      stored.readOnlySince === null ? null : { since: stored.readOnlySince, until: stored.readOnlyUntil },
  }
}

/**
 * What holds for all users at once, as this server knows it: the operator's notice, and 'read only'. A notice of the database's
 * trigger makes every server read it again, and so does a lost connection of the bus.
 */
export class InstallationWatch {
  readonly #parts: StateParts
  readonly #listeners = new Set<() => void>()
  readonly #stopListening: () => void
  #state = NOTHING
  #timer: NodeJS.Timeout | null = null
  #isClosed = false
  #reads = 0
  #newestRead = 0

  constructor(parts: StateParts) {
    this.#parts = parts
    const again = () => void this.#readUntilKnown()
    this.#stopListening = parts.bus.listen('installation', { heard: again, missed: again })
  }

  /** What holds now; what is over has gone. */
  current(): InstallationState {
    const now = this.#parts.now().getTime()
    const lasts = (until: string | null) => until === null || Date.parse(until) > now
    const { notice, readOnly } = this.#state
    return {
      notice: notice && lasts(notice.until) ? notice : null,
      readOnly: readOnly && lasts(readOnly.until) ? readOnly : null,
    }
  }

  /** Calls back when something has changed or is over. @returns a function that stops it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Reads the state from the database. */
  async read(): Promise<void> {
    const read = ++this.#reads
    const stored = await this.#parts.auth.installationState()
    // One that began later knows more.
    if (read < this.#newestRead || this.#isClosed) return
    this.#newestRead = read
    this.#state = toState(stored)
    this.#tell()
  }

  close(): void {
    this.#isClosed = true
    this.#stopListening()
    if (this.#timer) clearTimeout(this.#timer)
  }

  #tell(): void {
    this.#waitForEnd()
    for (const listener of this.#listeners) listener()
  }

  /** Tells the listeners when the notice or 'read only' is over. */
  #waitForEnd(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const { notice, readOnly } = this.current()
    const ends = [notice?.until, readOnly?.until].flatMap(until => (until ? [Date.parse(until)] : []))
    if (ends.length === 0) return
    const waitMs = Math.max(0, Math.min(...ends) - this.#parts.now().getTime())
    this.#timer = setTimeout(() => this.#tell(), Math.min(waitMs + 1, MAX_TIMER_MS)).unref()
  }

  async #readUntilKnown(): Promise<void> {
    try {
      await this.read()
    } catch (error) {
      if (this.#isClosed) return
      this.#parts.log.warn(
        { err: error },
        'the state of the installation could not be read; it is read again',
      )
      if (this.#timer) clearTimeout(this.#timer)
      this.#timer = setTimeout(() => void this.#readUntilKnown(), RETRY_MS).unref()
    }
  }
}

/** Reads what holds, and follows its changes. */
export async function watchInstallation(parts: StateParts): Promise<InstallationWatch> {
  const watch = new InstallationWatch(parts)
  await watch.read()
  return watch
}
