const endings: (() => Promise<unknown>)[] = []
let isPrepared = false

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
}

export async function runEndings(): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end()
}
