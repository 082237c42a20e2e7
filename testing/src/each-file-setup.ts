import { afterAll, beforeAll, expect } from 'vitest'
import { noteBegin, prepareEndings, runEndings } from './at-the-end.ts'

// Test files of one worker share their modules: Vitest runs this one again for each file.

/** Components run in a browser, which has no files to write to. */
const isBrowser = 'document' in globalThis
const times = isBrowser ? null : await import('./test-times.ts')
const uses = isBrowser ? null : await import('./test-uses.ts')
times?.beginTimes()
uses?.beginUses()
prepareEndings()
beforeAll(noteBegin)
afterAll(async () => {
  await runEndings()
  const { testPath = '' } = expect.getState()
  times?.keepTimes(testPath)
  uses?.keepUses(testPath)
})
