interface Measured<Figures> {
  at: number
  maxAgeMs: number
  figures: Promise<Figures>
}

/** Measuring takes at most a tenth of the time: figures that took a second are kept for ten. */
const DEARNESS = 10

/**
 * Keeps figures for some seconds, so that they are measured once however many consoles ask. The figures that were measured the
 * longest ago make room for others.
 */
export class FigureCache<Figures> {
  readonly #measured = new Map<string, Measured<Figures>>()
  readonly #maxEntries: number

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  /** Figures that are younger than `minAgeMs`, or than ten times what measuring them took. */
  read(
    key: string,
    { now, minAgeMs }: { now: Date; minAgeMs: number },
    measure: () => Promise<Figures>,
  ): Promise<Figures> {
    const at = now.getTime()
    const known = this.#measured.get(key)
    if (known && Math.abs(at - known.at) < known.maxAgeMs) return known.figures
    const begun = performance.now()
    const measured = { at, maxAgeMs: minAgeMs, figures: measure() }
    this.#keep(key, measured)
    measured.figures.then(
      () => {
        measured.maxAgeMs = Math.max(minAgeMs, DEARNESS * (performance.now() - begun))
      },
      // A failed measurement is not kept: the next call measures again.
      () => {
        if (this.#measured.get(key) === measured) this.#measured.delete(key)
      },
    )
    return measured.figures
  }

  #keep(key: string, measured: Measured<Figures>): void {
    this.#measured.delete(key)
    this.#measured.set(key, measured)
    for (const oldest of this.#measured.keys()) {
      if (this.#measured.size <= this.#maxEntries) return
      this.#measured.delete(oldest)
    }
  }
}
