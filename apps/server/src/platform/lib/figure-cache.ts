import { LRUCache } from 'lru-cache'

interface Measured<Figures> {
  at: number
  maxAgeMs: number
  figures: Promise<Figures>
}

/** Measuring takes at most a tenth of the time: figures that took a second are kept for ten. */
const DEARNESS = 10

/**
 * Keeps figures for some seconds, so that they are measured once however many consoles ask. Figures that were asked for
 * longest ago make room for others.
 */
export class FigureCache<Figures> {
  readonly #measured: LRUCache<string, Measured<Figures>>

  constructor(maxEntries: number) {
    this.#measured = new LRUCache({ max: maxEntries })
  }

  /**
   * Figures that are younger than `minAgeMs`, or than ten times what measuring them took. Older ones, but not older than `maxLagMs`,
   * are returned too while newer ones are measured for later calls.
   */
  read(
    key: string,
    { now, minAgeMs, maxLagMs = 0 }: { now: Date; minAgeMs: number; maxLagMs?: number },
    measure: () => Promise<Figures>,
  ): Promise<Figures> {
    const at = now.getTime()
    const known = this.#measured.get(key)
    const age = known ? Math.abs(at - known.at) : Number.POSITIVE_INFINITY
    if (known && age < known.maxAgeMs) return known.figures
    const newer = this.#measure(key, { at, minAgeMs }, measure)
    if (!known || age > maxLagMs) return newer
    newer.catch(() => {})
    return known.figures
  }

  #measure(
    key: string,
    { at, minAgeMs }: { at: number; minAgeMs: number },
    measure: () => Promise<Figures>,
  ): Promise<Figures> {
    const begun = performance.now()
    const measured = { at, maxAgeMs: minAgeMs, figures: measure() }
    this.#measured.set(key, measured)
    measured.figures.then(
      () => {
        measured.maxAgeMs = Math.max(minAgeMs, DEARNESS * (performance.now() - begun))
      },
      // A failed measurement is not kept: the next call measures again.
      () => {
        if (this.#measured.peek(key) === measured) this.#measured.delete(key)
      },
    )
    return measured.figures
  }
}
