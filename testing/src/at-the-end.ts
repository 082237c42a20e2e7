import { afterAll } from 'vitest'

const endings: (() => Promise<unknown>)[] = []

/**
 * Runs after the tests of this file, last come first. Vitest forgets an `afterAll` that is called inside a hook or a
 * test; this is one for the file, there since it was imported.
 */
export function atTheEnd(end: () => Promise<unknown>): void {
  endings.push(end)
}

afterAll(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})
