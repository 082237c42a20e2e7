import { vi } from 'vitest'

/** Waits until `claim` does not throw, for at most 30 s: a busy machine is slow, and only a hang takes that long. */
export const eventually = (claim: () => unknown): Promise<unknown> =>
  vi.waitFor(claim, { timeout: 30_000, interval: 20 })
