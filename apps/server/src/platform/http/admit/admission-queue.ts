import { ProblemError } from '../../lib/errors.ts'

export interface Level {
  /** Places of calls in work while the event loop is fast. One client has at most half of them, or one call. */
  places: number
  /** Places while the event loop is slow. */
  minPlaces: number
  /** A call takes one place, and one more for each such part of its body. Without it every call takes one. */
  bytesAPlace?: number
  /** Places that only clients without any may take: slow peers of others cannot hold all; none by default. */
  keptPlaces?: number
  maxWaiting: number
  /** Shorter than the time after which callers give up. */
  maxWaitMs: number
}

/** The weight of the newest interval in the measured rate of a queue. */
const NEWEST = 0.3
/** The longest time after which a caller is to come back: the server may be faster by then, and a refusal costs little. */
const MAX_RETRY_SECONDS = 30

/** A caller in a queue. */
export interface Caller {
  /** The client; empty while it is unknown. Clients take turns. */
  clientId: string
  /** The length of the body; 0 by default. */
  bodyBytes?: number
  /** Called if the caller has to wait: it calls `leave` when the caller hangs up. */
  onWait?: (leave: () => void) => void
}

interface Waiting {
  clientId: string
  places: number
  since: number
  enter: () => void
  leave: (reason: () => ProblemError) => void
}

export interface AdmissionParts {
  /** Milliseconds of a monotonic clock. */
  steady: () => number
  /** From 0 to 1. */
  random: () => number
}

/** The state of a queue, for operators. */
export interface QueueState {
  places: number
  /** Places that are taken. */
  inWork: number
  /** Calls. */
  waiting: number
  /** Calls since the start. */
  admitted: number
  refused: number
}

/** The calls of one priority: in work, waiting, and told to come back. */
export class AdmissionQueue {
  readonly #level: Level
  readonly #parts: AdmissionParts
  /** The waiting callers of each client. The first client has the next turn. */
  readonly #turns = new Map<string, Set<Waiting>>()
  /** The places that each client has. */
  readonly #inWorkOf = new Map<string, number>()
  #places: number
  /** Resolves when calls are let in again; null: they are. */
  #opening: PromiseWithResolvers<void> | null = null
  /** The authentications that run, with the number of their calls. */
  readonly #identifying = new Map<unknown, number>()
  #inWork = 0
  #waiting = 0
  #admitted = 0
  #refused = 0
  /** The measured rate while callers wait, in calls a second; at the start a guess. */
  #rate: number
  #isBusy = false
  #completed = 0
  #measuredAt: number
  /** The last moment at which a refused caller is to come back. */
  #returnsAt = 0

  constructor(level: Level, parts: AdmissionParts) {
    this.#level = level
    this.#parts = parts
    this.#places = level.places
    this.#rate = level.places * 5
    this.#measuredAt = parts.steady()
  }

  get state(): QueueState {
    const [places, inWork, waiting] = [this.#places, this.#inWork, this.#waiting]
    return { places, inWork, waiting, admitted: this.#admitted, refused: this.#refused }
  }
  get mayShrink(): boolean {
    return this.#places > this.#level.minPlaces && (this.#inWork > 0 || this.#waiting > 0)
  }
  get mayGrow(): boolean {
    return this.#places < this.#level.places
  }

  /** Lets no call in until `release`. Those in work go on. */
  hold(): void {
    this.#opening ??= Promise.withResolvers()
  }
  release(): void {
    this.#opening?.resolve()
    this.#opening = null
    this.#admitWaiting()
  }

  shrink(): void {
    this.#places = Math.max(this.#level.minPlaces, Math.floor(this.#places / 2))
  }
  grow(): void {
    this.#places = Math.min(this.#level.places, Math.ceil(this.#places * 1.25))
    this.#admitWaiting()
  }

  async identify<T>(token: string | null, authenticate: () => Promise<T>): Promise<T> {
    const { places, maxWaiting } = this.#level
    const caller = token ?? Symbol('caller')
    const calls = this.#identifying.get(caller) ?? 0
    if (calls === 0 && this.#identifying.size >= places + maxWaiting) throw this.#refusal()
    this.#identifying.set(caller, calls + 1)
    try {
      await this.#opening?.promise
      return await authenticate()
    } finally {
      const left = (this.#identifying.get(caller) ?? 1) - 1
      if (left > 0) this.#identifying.set(caller, left)
      else this.#identifying.delete(caller)
    }
  }

  checkRoom(clientId: string): void {
    const own = this.#turns.get(clientId)?.size ?? 0
    if (this.#waiting >= this.#level.maxWaiting && own >= this.#longestTurn().size) throw this.#refusal()
    if (this.#waiting < this.#places) return
    const before = Math.min(this.#waiting, own * this.#turns.size)
    if (before / this.#rate > this.#level.maxWaitMs / 1000) throw this.#refusal()
  }

  enter(caller: Caller): Promise<void> {
    const { clientId, onWait } = caller
    const places = this.#placesOf(caller)
    if (this.#waiting === 0 && this.#hasPlaces(places) && this.#mayHave({ clientId, places })) {
      this.#take({ clientId, places })
      return Promise.resolve()
    }
    this.checkRoom(clientId)
    if (this.#waiting >= this.#level.maxWaiting) [...this.#longestTurn()].at(-1)?.leave(() => this.#refusal())
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        clientId,
        places,
        since: this.#parts.steady(),
        enter: () => {
          this.#forget(waiting)
          this.#take(waiting)
          resolve()
        },
        leave: reason => {
          if (this.#forget(waiting)) reject(reason())
        },
      }
      const turn = this.#turns.get(clientId) ?? new Set()
      this.#turns.set(clientId, turn.add(waiting))
      this.#waiting += 1
      this.#isBusy = true
      onWait?.(() => waiting.leave(callerIsGone))
      // Others may wait although there are places: their client has half of them.
      this.#admitWaiting()
    })
  }

  /** Frees the places of a call. */
  leave(caller: Caller): void {
    const { clientId } = caller
    const places = this.#placesOf(caller)
    this.#inWork -= places
    this.#completed += 1
    const rest = (this.#inWorkOf.get(clientId) ?? places) - places
    if (rest > 0) this.#inWorkOf.set(clientId, rest)
    else this.#inWorkOf.delete(clientId)
    this.#admitWaiting()
  }

  /** Refuses who has waited too long, and measures the rate. */
  measure(): void {
    const now = this.#parts.steady()
    for (const turn of this.#turns.values())
      for (const waiting of turn) {
        if (now - waiting.since < this.#level.maxWaitMs) break
        waiting.leave(() => this.#refusal())
      }
    const seconds = (now - this.#measuredAt) / 1000
    if (this.#isBusy && seconds > 0)
      this.#rate = Math.max(1, this.#rate * (1 - NEWEST) + (this.#completed / seconds) * NEWEST)
    this.#completed = 0
    this.#measuredAt = now
    this.#isBusy = this.#waiting > 0
  }

  #placesOf({ bodyBytes = 0 }: Caller): number {
    const { bytesAPlace } = this.#level
    return bytesAPlace === undefined ? 1 : 1 + Math.floor(bodyBytes / bytesAPlace)
  }

  /** A call that needs more places than there are waits until it is alone. */
  #hasPlaces(places: number): boolean {
    if (this.#opening) return false
    return this.#inWork === 0 || this.#inWork + places <= this.#places
  }

  #mayHave({ clientId, places }: Pick<Waiting, 'clientId' | 'places'>): boolean {
    const own = this.#inWorkOf.get(clientId) ?? 0
    if (own === 0) return true
    const { keptPlaces = 0 } = this.#level
    return own + places <= Math.ceil(this.#places / 2) && this.#inWork + places <= this.#places - keptPlaces
  }

  #take({ clientId, places }: Pick<Waiting, 'clientId' | 'places'>): void {
    this.#inWork += places
    this.#admitted += 1
    this.#inWorkOf.set(clientId, (this.#inWorkOf.get(clientId) ?? 0) + places)
  }

  #admitWaiting(): void {
    while (this.#inWork < this.#places) {
      const next = this.#nextTurn()
      if (!next) return
      const { clientId } = next
      const turn = this.#turns.get(clientId)
      next.enter()
      // The client's next turn comes after those of the others.
      if (turn && this.#turns.delete(clientId)) this.#turns.set(clientId, turn)
    }
  }

  #nextTurn(): Waiting | undefined {
    for (const [waiting] of this.#turns.values())
      // A large call waits for its places, and nobody passes it.
      if (waiting && this.#mayHave(waiting)) return this.#hasPlaces(waiting.places) ? waiting : undefined
    return undefined
  }

  /** Takes a caller out of the queue. Returns whether it was in it. */
  #forget(waiting: Waiting): boolean {
    const turn = this.#turns.get(waiting.clientId)
    if (!turn?.delete(waiting)) return false
    if (turn.size === 0) this.#turns.delete(waiting.clientId)
    this.#waiting -= 1
    return true
  }

  /** The waiting callers of the client that has the most. */
  #longestTurn(): ReadonlySet<Waiting> {
    let longest: ReadonlySet<Waiting> = new Set()
    for (const turn of this.#turns.values()) if (turn.size > longest.size) longest = turn
    return longest
  }

  /** Refused callers are to come back one after another, at the measured rate, after those that wait. */
  #refusal(): ProblemError {
    const { steady, random } = this.#parts
    const now = steady()
    const next = Math.max(this.#returnsAt, now + (this.#waiting / this.#rate) * 1000) + 1000 / this.#rate
    this.#returnsAt = Math.min(next, now + MAX_RETRY_SECONDS * 1000)
    this.#refused += 1
    this.#isBusy = true
    const seconds = (this.#returnsAt - now) / 1000
    return new ProblemError('busy', {
      detail: 'The server is busy. Come back after the time of Retry-After.',
      retryAfterSeconds: Math.ceil(seconds + random() * Math.max(1, seconds / 4)),
    })
  }
}

/** Nobody reads this answer. */
export const callerIsGone = () => new ProblemError('busy')
