import { TEST_NOW } from './factories.ts'

/** A clock that stands until it is moved. */
export interface FakeClock {
  /** The moment it shows; a new Date each time. */
  now: () => Date
  advance(seconds: number): void
}

export function fakeClock(start: Date = TEST_NOW): FakeClock {
  let millis = start.getTime()
  return {
    now: () => new Date(millis),
    advance: seconds => {
      millis += seconds * 1000
    },
  }
}
