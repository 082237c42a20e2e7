import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mountDisk } from './small-disk.ts'

let atLoad: unknown = null
try {
  mountDisk(1_048_576)
} catch (error) {
  atLoad = error
}

test('a disk is mounted by a test, and refused while its file is loaded: nothing would unmount it', ({
  skip,
}) => {
  expect(atLoad).toEqual(new Error('Call this in a test or in beforeAll'))
  const disk = mountDisk(1_048_576) ?? skip()
  disk.fill('other', 0)
  expect([existsSync(`${disk.folder}/other`), disk.freeBytes()]).toEqual([true, 0])
})
