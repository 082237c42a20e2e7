import { Counter, Gauge, Histogram, Registry } from 'prom-client'

type Labels = Readonly<Record<string, string>>
type Samples = Iterable<readonly [labels: Labels, value: number]>

interface Described {
  help: string
  labels: readonly string[]
}

/**
 * The figures of one server for monitors, as Prometheus reads them; each name begins with `floorcast_`. A figure of a name that is there
 * is that one: two servers of a test may share them. Labels are of a fixed set, or bounded by whoever adds them.
 */
export class Metrics {
  readonly #registry = new Registry()

  /** Counts from now on. With labels, name those that begin with 0: an alarm does not see the first step of a series that was not there. */
  counter<Label extends string = never>(
    name: string,
    help: string,
    from: readonly Record<Label, string>[] = [],
  ): Counter<Label> {
    return this.#once(name, fullName => {
      const labelNames = Object.keys(from[0] ?? {}) as Label[]
      const counter = new Counter({ name: fullName, help, labelNames, registers: [this.#registry] })
      for (const labels of from) counter.inc(labels, 0)
      return counter
    })
  }

  /** Seconds, by buckets. */
  histogram<Label extends string>(
    name: string,
    help: string,
    { label, buckets }: { label: Label; buckets: readonly number[] },
  ): Histogram<Label> {
    return this.#once(
      name,
      fullName =>
        new Histogram({
          name: fullName,
          help,
          labelNames: [label],
          buckets: [...buckets],
          registers: [this.#registry],
        }),
    )
  }

  /** A figure that is read at each scrape; null: there is none now, and it is left out. */
  gauge(name: string, help: string, read: () => number | null): void {
    this.gauges(name, { help, labels: [] }, () => {
      const value = read()
      return value === null ? [] : [[{}, value]]
    })
  }

  /** The same, for each of some labels. */
  gauges(name: string, { help, labels: labelNames }: Described, read: () => Samples): void {
    this.#once(
      name,
      fullName =>
        new Gauge({
          name: fullName,
          help,
          labelNames,
          registers: [this.#registry],
          collect() {
            this.reset()
            if (labelNames.length === 0) this.remove()
            for (const [labels, value] of read()) this.set(labels, value)
          },
        }),
    )
  }

  /** What something else counts from its start on. */
  totals(name: string, { help, labels: labelNames }: Described, read: () => Samples): void {
    this.#once(
      name,
      fullName =>
        new Counter({
          name: fullName,
          help,
          labelNames,
          registers: [this.#registry],
          collect() {
            this.reset()
            for (const [labels, value] of read()) this.inc(labels, value)
          },
        }),
    )
  }

  /** In the text format of Prometheus. */
  text(): Promise<string> {
    return this.#registry.metrics()
  }

  #once<Metric extends Counter<never> | Gauge | Histogram<never>>(
    name: string,
    make: (fullName: string) => Metric,
  ): Metric {
    const fullName = `floorcast_${name}`
    return (this.#registry.getSingleMetric(fullName) as Metric | undefined) ?? make(fullName)
  }
}
