const endings: (() => Promise<unknown>)[] = []
let isPrepared = false
let haveTestsBegun = false

/**
 * Runs after the tests of this file, last come first. Vitest forgets an `afterAll` that is called inside a hook or a
 * test; `each-file-setup.ts` registers one for each file.
 */
export function atTheEnd(end: () => Promise<unknown>): void {
  if (!isPrepared) throw new Error('This project of vitest.config.ts lacks each-file-setup.ts')
  endings.push(end)
}

export function prepareEndings(): void {
  isPrepared = true
  haveTestsBegun = false
}

/** A hook or a test of the file runs. */
export function noteBegin(): void {
  haveTestsBegun = true
}

/**
 * For what outlives the process. Vitest loads a file also when it runs none of its tests, and then no hook ends what the file has begun.
 * @throws Error while the file is loaded
 */
export function requireTests(): void {
  if (!haveTestsBegun) throw new Error('Call this in a test or in beforeAll')
}

/** Runs all of them, also after one that failed: a cluster that stays would outlive the run. @throws what the first failure threw */
export async function runEndings(): Promise<void> {
  const failures: unknown[] = []
  for (const end of endings.splice(0).toReversed())
    await end().catch((error: unknown) => void failures.push(error))
  if (failures.length > 0) throw failures[0]
}
