/** A day in minutes from its first instant, in milliseconds since 1970. */
export interface DayBounds {
  from: number
  until: number
}

export const MINUTE_MS = 60_000

/** A run of minutes with the same value. */
interface Run<Value> {
  from: number
  until: number
  value: Value
}

/** How many seconds of each minute of a day something took. */
export class DayMinutes {
  readonly #day: DayBounds
  readonly seconds: Float64Array

  constructor(day: DayBounds) {
    this.#day = day
    this.seconds = new Float64Array(Math.ceil((day.until - day.from) / MINUTE_MS))
  }

  /** Adds a span, or its part within the day. */
  add(from: number, until: number): void {
    const end = Math.min(until, this.#day.until)
    for (let at = Math.max(from, this.#day.from); at < end;) {
      const minute = Math.floor((at - this.#day.from) / MINUTE_MS)
      const next = Math.min(end, this.#day.from + (minute + 1) * MINUTE_MS)
      this.seconds[minute] = (this.seconds[minute] ?? 0) + (next - at) / 1000
      at = next
    }
  }
}

/** Joins minutes with the same value; those of which it is null are left out. @param key of a value, for the comparison */
export function runsOf<Value>(
  day: DayBounds,
  valueOf: (minute: number) => Value | null,
  key: (value: Value) => string,
): Run<Value>[] {
  const runs: Run<Value>[] = []
  const minutes = Math.ceil((day.until - day.from) / MINUTE_MS)
  for (let minute = 0; minute < minutes; minute += 1) {
    const value = valueOf(minute)
    if (value === null) continue
    const from = day.from + minute * MINUTE_MS
    const until = Math.min(day.until, from + MINUTE_MS)
    const last = runs.at(-1)
    if (last?.until === from && key(last.value) === key(value)) last.until = until
    else runs.push({ from, until, value })
  }
  return runs
}
