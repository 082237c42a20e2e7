import { expect } from 'vitest'

/** Waits until what is read is as expected, as long as a page is waited for elsewhere. */
export const poll = <T>(read: () => T) => expect.poll(read, { timeout: 15_000 })
