/** Something happened: whoever waits is woken, and whoever has looked before it happened does not miss it. */
export class Signal {
  /** How often it was told; to be read before looking at what it tells of. */
  count = 0
  #waiting = Promise.withResolvers<void>()

  /** Settles once it has been told more than `count` times. */
  after(count: number): Promise<void> {
    return count < this.count ? Promise.resolve() : this.#waiting.promise
  }
  tell(): void {
    this.count += 1
    const { resolve } = this.#waiting
    this.#waiting = Promise.withResolvers()
    resolve()
  }
}
