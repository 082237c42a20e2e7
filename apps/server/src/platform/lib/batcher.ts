/** Processes a batch and returns an answer for each item, in order. If it rejects, nothing of the batch was done. */
type WorkBatch<Item, Answer> = (items: Item[]) => Promise<readonly Answer[]>

export interface BatcherOptions<Item> {
  /** The time that the first item of a batch waits for others; 0: only items that have arrived join the batch. */
  maxWaitMs: number
  /** A batch of this size starts at once. */
  maxBatch: number
  /** The size of an item; 1 by default. An item that is larger than a batch is a batch alone. */
  sizeOf?: (item: Item) => number
  /** The number of batches that run at the same time. Items that arrive meanwhile form the next batch. */
  concurrency: number
  /** A batch starts beside others from this size on; 1 by default. Smaller ones wait, since many items cost less together. */
  minBeside?: number
  /** Whether an item may have caused a failure. If so, the items of the batch are processed one by one. */
  mayBeItemsFault: (error: unknown) => boolean
}

interface Waiting<Item, Answer> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Collects items that arrive within a few milliseconds and processes them together, by one commit or one query. Callers get
 * their answers when their batch is done.
 */
export class Batcher<Item, Answer> {
  readonly #workOn: WorkBatch<Item, Answer>
  readonly #options: BatcherOptions<Item>
  #waiting: Waiting<Item, Answer>[] = []
  #waitingSize = 0
  #cancelLeave: (() => void) | null = null
  readonly #underWay = new Set<Promise<void>>()

  constructor(work: WorkBatch<Item, Answer>, options: BatcherOptions<Item>) {
    this.#workOn = work
    this.#options = options
  }

  /** Adds an item. Resolves when its batch is done; rejects if it fails. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#waitingSize += this.#sizeOf(item)
      if (this.#waitingSize >= this.#options.maxBatch) this.#leave()
      else this.#cancelLeave ??= this.#leaveLater()
    })
  }

  /** Waits until every added item is done or has failed. */
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
    while (this.#mayStart()) {
      const batch = this.#takeBatch()
      const work = this.#work(batch).finally(() => {
        this.#underWay.delete(work)
        // The batch waits a moment, so that items that have arrived but are not read yet join it (docs/decisions/0135).
        if (this.#waiting.length > 0) this.#cancelLeave ??= this.#leaveLater()
      })
      this.#underWay.add(work)
    }
  }

  #mayStart(): boolean {
    const { concurrency, minBeside = 1 } = this.#options
    if (this.#waiting.length === 0 || this.#underWay.size >= concurrency) return false
    return this.#underWay.size === 0 || this.#waitingSize >= minBeside
  }

  #takeBatch(): Waiting<Item, Answer>[] {
    let [count, size] = [0, 0]
    for (const { item } of this.#waiting) {
      const itemSize = this.#sizeOf(item)
      if (count > 0 && size + itemSize > this.#options.maxBatch) break
      count += 1
      size += itemSize
    }
    this.#waitingSize -= size
    return this.#waiting.splice(0, count)
  }

  #sizeOf(item: Item): number {
    return this.#options.sizeOf?.(item) ?? 1
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
