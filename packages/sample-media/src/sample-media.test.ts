import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sampleFiles } from './sample-media.ts'

it.each(sampleFiles)('$name has the hash by which it is known', ({ url, hash }) => {
  expect(createHash('sha256').update(readFileSync(url)).digest('hex')).toBe(hash)
})

it('names every file of the package', () => {
  const files = readdirSync(new URL('../files/', import.meta.url))
  expect(sampleFiles.map(({ name }) => name).toSorted()).toEqual(files.toSorted())
})
