import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeMediaStore } from './media-store.ts'
import { openStore } from './store.ts'

test('A file that the disk does not let go is not played again all the same', async () => {
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
  await media.discard({ sha256, sizeBytes: 5, name: 'Horn' }, { why: 'no sound in it', at: 0 })
  expect(media.held.has(sha256)).toBe(false)
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
  const file = { sha256, sizeBytes: 5, name: 'Horn' }
  expect(await media.discard(file, { why: 'loading failed', at: 0 })).toEqual({ kind: 'gone' })
  expect(media.held.has(sha256)).toBe(true)
  expect(readFileSync(media.pathOf(sha256), 'utf8')).toBe('sound')
  await media.heal()
  expect(media.pathOf(sha256)).toBe(join(dataDir, 'media', sha256))
  expect(readFileSync(media.pathOf(sha256), 'utf8')).toBe('sound')
})

test('A file that the disk damages again and again is fetched again, later each time; one that is as it was sent is quarantined', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-media-'))
  const store = openStore(dataDir)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const media = makeMediaStore(dataDir, store)
  const sha256 = createHash('sha256').update('noise').digest('hex')
  const file = { sha256, sizeBytes: 5, name: 'Horn' }
  const fetch = (bytes: string) => {
    writeFileSync(media.partPathOf(sha256), bytes)
    media.complete(sha256)
  }
  const MINUTE_MS = 60_000
  const waits = []
  for (const bytes of ['other', '', 'bytes', 'noise too long']) {
    fetch(bytes)
    const discarding = media.discard(file, { why: 'no sound in it', at: 0 })
    expect([media.held.has(sha256), media.isWanted(sha256, MINUTE_MS * 99)]).toEqual([false, false])
    expect(await discarding).toEqual({ kind: 'damaged' })
    waits.push([0, 1, 2, 4].find(minutes => media.isWanted(sha256, minutes * MINUTE_MS)))
  }
  expect(waits).toEqual([0, 1, 2, 4])
  expect(media.quarantine.list()).toEqual([])
  fetch('noise')
  media.forgive(sha256)
  expect(await media.discard(file, { why: 'no sound in it', at: 0 })).toEqual({
    kind: 'quarantined',
    failures: 1,
  })
  expect(media.isWanted(sha256, 0)).toBe(true)
  fetch('noise')
  expect(await media.discard(file, { why: 'no sound in it', at: 0 })).toEqual({
    kind: 'quarantined',
    failures: 2,
  })
  expect(media.isWanted(sha256, 0)).toBe(false)
})
