import { afterAll } from 'vitest'
import { prepareEndings, runEndings } from './at-the-end.ts'

// Test files of one worker share their modules: Vitest runs this one again for each file.
prepareEndings()
afterAll(runEndings)
