import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeMediaStore } from './media-store.ts'
import { openStore } from './store.ts'

test('A file that the disk does not let go is not played again all the same', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-media-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const sha256 = 'a'.repeat(64)
  // A folder, which is not deleted as a file is.
  mkdirSync(join(dataDir, 'media', sha256, 'kept'), { recursive: true })
  const media = makeMediaStore(dataDir, store)
  expect(media.held.has(sha256)).toBe(true)
  media.discard({ sha256, name: 'Horn' }, { why: 'no sound in it', at: 0 })
  expect(media.held.has(sha256)).toBe(false)
  expect(media.quarantine.list()).toMatchObject([{ name: 'Horn', failures: 1 }])
})

test('A deleted file that does not play by its name is kept, as its open file plays; heal restores it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-media-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const sha256 = 'a'.repeat(64)
  mkdirSync(join(dataDir, 'media'))
  writeFileSync(join(dataDir, 'media', sha256), 'sound')
  const media = makeMediaStore(dataDir, store)
  rmSync(join(dataDir, 'media'), { recursive: true })
  expect(media.discard({ sha256, name: 'Horn' }, { why: 'loading failed', at: 0 })).toMatchObject({
    failures: 0,
  })
  expect(media.held.has(sha256)).toBe(true)
  expect(readFileSync(media.pathOf(sha256), 'utf8')).toBe('sound')
  await media.heal()
  expect(media.pathOf(sha256)).toBe(join(dataDir, 'media', sha256))
  expect(readFileSync(media.pathOf(sha256), 'utf8')).toBe('sound')
})
