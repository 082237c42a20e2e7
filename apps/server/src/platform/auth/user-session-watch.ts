import type { Bus } from '../bus/bus.ts'
import type { AuthQueries, SessionState } from '../database/auth-queries.ts'
import { Batcher } from '../lib/batcher.ts'
import type { Log } from '../log/log.ts'
import type { Session } from './session.ts'

const RETRY_MS = 5000
/** No notice says that a session has expired. */
export const EXPIRY_INTERVAL_MS = 60_000

/** A connection that lasts and stands on a user's session. */
interface StandingConnection {
  session: Session
  /** Called once, when the session has ended or its user has another role, other rights or another linked device. */
  onEnd: () => void
}

interface WatchParts {
  auth: Pick<AuthQueries, 'sessionStates'>
  bus: Bus
  log: Log
  now: () => Date
}

const isSame = (session: Session, state: SessionState | undefined) =>
  state !== undefined &&
  state.role === session.role &&
  state.rights === session.rights &&
  state.linkedDeviceUid === session.linkedDeviceUid

/**
 * Ends the connections of sessions that have ended, on any server. A notice names the user; the connections of this user are
 * compared with the database, and so are all of them after lost notices and once a minute. A connection is compared when it
 * is added, too: its session may have ended after its authentication.
 */
export class UserSessionWatch {
  readonly #parts: WatchParts
  readonly #byUser = new Map<string, Set<StandingConnection>>()
  readonly #comparing: Batcher<StandingConnection, void>
  readonly #stopListening: () => void
  readonly #checking: NodeJS.Timeout

  constructor(parts: WatchParts) {
    this.#parts = parts
    this.#comparing = new Batcher(compared => this.#compare(compared), {
      maxWaitMs: 0,
      maxBatch: 1000,
      concurrency: 1,
      mayBeItemsFault: () => false,
    })
    this.#stopListening = parts.bus.listen('user', {
      heard: ([userUid = '']) => this.#check(this.#byUser.get(userUid) ?? []),
      missed: () => this.#checkAll(),
    })
    this.#checking = setInterval(() => this.#checkAll(), EXPIRY_INTERVAL_MS).unref()
  }

  /** Watches a connection. @returns a function to call when the connection has closed */
  watch(connection: StandingConnection): () => void {
    const { userUid } = connection.session
    const connections = this.#byUser.get(userUid) ?? new Set()
    this.#byUser.set(userUid, connections.add(connection))
    this.#check([connection])
    return () => this.#remove(connection)
  }

  close(): void {
    clearInterval(this.#checking)
    this.#stopListening()
  }

  #checkAll(): void {
    for (const connections of this.#byUser.values()) this.#check(connections)
  }

  #check(connections: Iterable<StandingConnection>): void {
    for (const connection of connections) void this.#comparing.add(connection)
  }

  /** Compares sessions with the database. It tries again until the database answers. */
  async #compare(connections: readonly StandingConnection[]): Promise<void[]> {
    const { auth, now, log } = this.#parts
    try {
      const uids = new Set(connections.map(({ session }) => session.sessionUid))
      const valid = await auth.sessionStates([...uids], now())
      const states = new Map(valid.map(state => [state.sessionUid, state]))
      for (const connection of connections)
        if (!isSame(connection.session, states.get(connection.session.sessionUid))) this.#end(connection)
    } catch (error) {
      log.warn({ err: error }, 'sessions of users were not compared')
      setTimeout(() => this.#check(connections.filter(connection => this.#has(connection))), RETRY_MS).unref()
    }
    return []
  }

  #end(connection: StandingConnection): void {
    if (!this.#has(connection)) return
    this.#remove(connection)
    connection.onEnd()
  }

  #has(connection: StandingConnection): boolean {
    return this.#byUser.get(connection.session.userUid)?.has(connection) === true
  }

  #remove(connection: StandingConnection): void {
    const { userUid } = connection.session
    const connections = this.#byUser.get(userUid)
    connections?.delete(connection)
    if (connections?.size === 0) this.#byUser.delete(userUid)
  }
}
