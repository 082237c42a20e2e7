/**
 * Callers of one key who come while a read of it runs share the next one. It begins after they came, so that nobody is told
 * what was true before.
 */
export class SharedReads<Answer> {
  readonly #reads = new Map<string, { running: Promise<Answer>; next: Promise<Answer> | null }>()

  read(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const own = this.#reads.get(key)
    if (!own) return this.#start(key, work)
    const start = () => this.#start(key, work)
    return (own.next ??= own.running.then(start, start))
  }

  #start(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const read = { running: work(), next: null }
    this.#reads.set(key, read)
    const end = () => {
      if (!read.next) this.#reads.delete(key)
    }
    read.running.then(end, end)
    return read.running
  }
}
