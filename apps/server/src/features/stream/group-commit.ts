/** Stores a batch in one transaction and answers for each item, in order. Rejects: nothing of the batch was kept. */
type StoreBatch<Item, Answer> = (items: Item[]) => Promise<readonly Answer[]>

export interface GroupCommitOptions {
  /** How long the first of a batch waits for others, in milliseconds. */
  windowMillis: number
  /** A batch that has so many leaves at once. */
  most: number
  /** Batches under way at the same time; what arrives meanwhile makes the next batch. */
  atOnce: number
  /** Whether an item may be the cause of a failure: the batch is then stored item by item, so that one stops no other. */
  mayBeItemsFault: (error: unknown) => boolean
}

interface Waiting<Item, Answer> {
  item: Item
  resolve: (answer: Answer) => void
  reject: (error: unknown) => void
}

/**
 * Gathers what arrives within a few milliseconds and commits it as one: at 64 senders a fraction of the commits that one
 * each would take. Nobody is answered before the commit.
 */
export class GroupCommit<Item, Answer> {
  readonly #store: StoreBatch<Item, Answer>
  readonly #options: GroupCommitOptions
  #waiting: Waiting<Item, Answer>[] = []
  #timer: NodeJS.Timeout | null = null
  readonly #underWay = new Set<Promise<void>>()

  constructor(store: StoreBatch<Item, Answer>, options: GroupCommitOptions) {
    this.#store = store
    this.#options = options
  }

  /** Resolves once the item is committed; rejects when it is not. */
  add(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (this.#waiting.length >= this.#options.most) this.#leave()
      else this.#timer ??= setTimeout(() => this.#leave(), this.#options.windowMillis)
    })
  }

  /** Waits until all that was added is stored or refused. */
  async drain(): Promise<void> {
    while (this.#waiting.length > 0 || this.#underWay.size > 0) {
      this.#leave()
      await Promise.race(this.#underWay)
    }
  }

  #leave(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    while (this.#waiting.length > 0 && this.#underWay.size < this.#options.atOnce) {
      const batch = this.#waiting.splice(0, this.#options.most)
      const work = this.#storeBatch(batch).finally(() => {
        this.#underWay.delete(work)
        if (this.#waiting.length > 0) this.#leave()
      })
      this.#underWay.add(work)
    }
  }

  async #storeBatch(batch: Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#store(batch.map(({ item }) => item))
      for (const [index, waiting] of batch.entries()) waiting.resolve(answers[index] as Answer)
    } catch (error) {
      if (batch.length > 1 && this.#options.mayBeItemsFault(error)) {
        for (const waiting of batch) await this.#storeBatch([waiting])
        return
      }
      for (const waiting of batch) waiting.reject(error)
    }
  }
}
