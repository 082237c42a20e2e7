import { vi } from 'vitest'

/** Waits until `claim` raises nothing; half a minute, because a busy machine is slow, and only a hang takes as long. */
export const eventually = (claim: () => unknown): Promise<unknown> =>
  vi.waitFor(claim, { timeout: 30_000, interval: 20 })
