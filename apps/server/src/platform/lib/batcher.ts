/** Works on a batch as one and answers for each item, in order. Rejects: nothing of the batch was done. */
type WorkBatch<Item, Answer> = (items: Item[]) => Promise<readonly Answer[]>

export interface BatcherOptions {
  /** How long the first of a batch waits for others, in milliseconds; 0: for what has arrived already, no longer. */
  maxWaitMs: number
  /** A batch that has so many leaves at once. */
  maxBatch: number
  /** Batches under way at the same time; what arrives meanwhile makes the next batch. */
  concurrency: number
  /** Whether an item may be the cause of a failure: the batch is then worked on item by item, so that one stops no other. */
  mayBeItemsFault: (error: unknown) => boolean
}

interface Waiting<Item, Answer> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Gathers what arrives within a few milliseconds and does it as one: one commit, or one query, for what would be many.
 * Nobody is answered before it is done.
 */
export class Batcher<Item, Answer> {
  readonly #workOn: WorkBatch<Item, Answer>
  readonly #options: BatcherOptions
  #waiting: Waiting<Item, Answer>[] = []
  #cancelLeave: (() => void) | null = null
  readonly #underWay = new Set<Promise<void>>()

  constructor(work: WorkBatch<Item, Answer>, options: BatcherOptions) {
    this.#workOn = work
    this.#options = options
  }

  /** Resolves once the item's batch is done; rejects when it is not. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#waiting.length >= this.#options.maxBatch) this.#leave()
      else this.#cancelLeave ??= this.#leaveLater()
    })
  }

  /** Waits until all that was added is done or refused. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#leave()
      await Promise.race(this.#underWay)
    }
  }

  #leaveLater(): () => void {
    const { maxWaitMs } = this.#options
    if (maxWaitMs === 0) {
      const soon = setImmediate(() => this.#leave())
      return () => clearImmediate(soon)
    }
    const timer = setTimeout(() => this.#leave(), maxWaitMs)
    return () => clearTimeout(timer)
  }

  #leave(): void {
    this.#cancelLeave?.()
    this.#cancelLeave = null
    while (this.#waiting.length > 0 && this.#underWay.size < this.#options.concurrency) {
      const batch = this.#waiting.splice(0, this.#options.maxBatch)
      const work = this.#work(batch).finally(() => {
        this.#underWay.delete(work)
        // Not at once: what has arrived meanwhile but is not read yet comes along (docs/decisions/0135).
        if (this.#waiting.length > 0) this.#cancelLeave ??= this.#leaveLater()
      })
      this.#underWay.add(work)
    }
  }

  async #work(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#workOn(batch.map(({ item }) => item))
      for (const [index, waiting] of batch.entries()) waiting.resolve(answers[index] as Answer)
    } catch (error) {
      if (batch.length > 1 && this.#options.mayBeItemsFault(error)) {
        for (const waiting of batch) await this.#work([waiting])
        return
      }
      for (const waiting of batch) waiting.reject(error)
    }
  }
}
