/** Lets a loop sleep until something wakes it. What wakes it while it works keeps it from sleeping next. */
export class Waker {
  #wake: () => void = () => undefined
  #isWoken = false

  wake(): void {
    this.#isWoken = true
    this.#wake()
  }

  /** Call it before looking for work. */
  begin(): void {
    this.#isWoken = false
  }

  /** Does not keep the process alive. */
  async sleep(ms: number): Promise<void> {
    if (this.#isWoken) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    timer.unref()
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }
}
