export interface FairQueueLimits {
  /** Jobs in work. */
  places: number
  /** Jobs of one client in work; 1 by default. */
  placesAClient?: number
  /** Places that long jobs may have, so that short ones never wait for long ones only; all by default. */
  longPlaces?: number
  /** Jobs that wait; no bound by default. */
  maxWaiting?: number
  /** Jobs of one client that wait; no bound by default. */
  maxWaitingAClient?: number
}

/** A job's claim to a place. */
export interface Turn {
  clientId: string
  isLong?: boolean
  /** Aborted: the job leaves the queue, and `enter` rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

interface Waiting {
  turn: Turn
  start: (leave: () => void) => void
}

/** Thrown by a queue that has its maximum of waiting jobs. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError'
}

/** Lets a bounded number of jobs work at once. Clients take turns, so that a client's jobs delay mostly its own. */
export class FairQueue {
  readonly #limits: Required<FairQueueLimits>
  /** The waiting jobs of each client. The first client has the next turn. */
  readonly #turns = new Map<string, Waiting[]>()
  readonly #inWorkOf = new Map<string, number>()
  #inWork = 0
  #longInWork = 0
  #waiting = 0

  constructor(limits: FairQueueLimits) {
    const unbounded = { maxWaiting: Infinity, maxWaitingAClient: Infinity }
    this.#limits = { placesAClient: 1, longPlaces: limits.places, ...unbounded, ...limits }
  }

  get state(): { inWork: number; waiting: number } {
    return { inWork: this.#inWork, waiting: this.#waiting }
  }

  /** Works when the job has a place. @throws QueueFullError, the signal's reason, errors of the work */
  async run<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
    const leave = this.tryEnter(turn) ?? (await this.enter(turn))
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Takes a place if one is free now. @returns what frees it, or null */
  tryEnter(turn: Turn): (() => void) | null {
    // A client with waiting jobs keeps their order.
    return this.#mayStart(turn) && !this.#turns.has(turn.clientId) ? this.#take(turn) : null
  }

  /** Waits for a place. @returns what frees it @throws QueueFullError, or the signal's reason */
  async enter(turn: Turn): Promise<() => void> {
    turn.signal?.throwIfAborted()
    const free = this.tryEnter(turn)
    if (free) return free
    const own = this.#turns.get(turn.clientId) ?? []
    if (this.#waiting >= this.#limits.maxWaiting || own.length >= this.#limits.maxWaitingAClient)
      throw new QueueFullError('The queue is full')
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const waiting: Waiting = { turn, start: resolve }
    const abort = () => {
      if (this.#forget(waiting)) reject(turn.signal?.reason)
    }
    turn.signal?.addEventListener('abort', abort, { once: true })
    this.#turns.set(turn.clientId, [...own, waiting])
    this.#waiting += 1
    try {
      return await promise
    } finally {
      turn.signal?.removeEventListener('abort', abort)
    }
  }

  #mayStart({ clientId, isLong = false }: Turn): boolean {
    const { places, placesAClient, longPlaces } = this.#limits
    if (this.#inWork >= places || (this.#inWorkOf.get(clientId) ?? 0) >= placesAClient) return false
    return !isLong || this.#longInWork < longPlaces
  }

  #take({ clientId, isLong = false }: Turn): () => void {
    this.#inWork += 1
    if (isLong) this.#longInWork += 1
    this.#inWorkOf.set(clientId, (this.#inWorkOf.get(clientId) ?? 0) + 1)
    let isFree = false
    return () => {
      if (isFree) return
      isFree = true
      this.#inWork -= 1
      if (isLong) this.#longInWork -= 1
      const rest = (this.#inWorkOf.get(clientId) ?? 1) - 1
      if (rest > 0) this.#inWorkOf.set(clientId, rest)
      else this.#inWorkOf.delete(clientId)
      this.#endTurn(clientId)
      this.#startWaiting()
    }
  }

  #startWaiting(): void {
    for (let next = this.#nextJob(); next; next = this.#nextJob()) {
      const { clientId } = next.turn
      this.#forget(next)
      this.#endTurn(clientId)
      next.start(this.#take(next.turn))
    }
  }

  /** Puts the client's next turn after those of the others. */
  #endTurn(clientId: string): void {
    const jobs = this.#turns.get(clientId)
    if (jobs && this.#turns.delete(clientId)) this.#turns.set(clientId, jobs)
  }

  /** The first job, in the order of turns, that may start. A client's short job passes its long one. */
  #nextJob(): Waiting | undefined {
    if (this.#waiting === 0 || this.#inWork >= this.#limits.places) return undefined
    for (const jobs of this.#turns.values()) {
      const job = jobs.find(({ turn }) => this.#mayStart(turn))
      if (job) return job
    }
    return undefined
  }

  /** Takes a job out of the queue. Returns whether it was in it. */
  #forget(waiting: Waiting): boolean {
    const { clientId } = waiting.turn
    const jobs = this.#turns.get(clientId)
    if (!jobs?.includes(waiting)) return false
    const rest = jobs.filter(job => job !== waiting)
    if (rest.length > 0) this.#turns.set(clientId, rest)
    else this.#turns.delete(clientId)
    this.#waiting -= 1
    return true
  }
}
