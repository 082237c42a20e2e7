import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { makeFile, makeManifest } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeTone } from '@floorcast/testing/recorded-mpv.ts'
import { expect, onTestFinished, test } from 'vitest'
import { makeMediaStore } from '../store/media-store.ts'
import { openStore } from '../store/store.ts'
import { AlertChecker } from './alert-check.ts'

const HOUR = 3_600_000
const SECONDS = 4

/** A device whose manifest names sounds of alerts, with a clock that is moved by hand. */
function makeDevice() {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-check-'))
  const store = openStore(dataDir)
  const media = makeMediaStore(dataDir, store)
  onTestFinished(() => {
    store.close()
    rmSync(dataDir, { recursive: true })
  })
  const files: ManifestFile[] = []
  const device = { at: 10 * 60_000, isSirenReady: true, codes: [] as string[] }
  const soundsOf = (): Record<string, number> =>
    Object.fromEntries(files.map((_, n) => [['air', 'fire', 'chemical'][n] ?? '', n]))
  const checker = new AlertChecker({
    media,
    clock: { now: () => device.at, steady: () => device.at },
    log: { debug: (_, code) => void device.codes.push(code) },
    manifests: {
      newest: () => ({ manifest: makeManifest({ files, alertSounds: soundsOf() }) }),
    },
    checkSiren: async () => device.isSirenReady,
  })
  /** Puts a tone on the disk as the server sent it. */
  const add = (name: string, level: number) => {
    const bytes = readFileSync(
      makeTone(join(dataDir, 'tone.mp3'), { levels: [level], rate: 44_100, seconds: SECONDS }),
    )
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    files.push(makeFile(files.length, { name, sha256, sizeBytes: bytes.length, durationSeconds: SECONDS }))
    const put = () => {
      writeFileSync(media.partPathOf(sha256), bytes)
      media.complete(sha256)
    }
    put()
    return { path: media.pathOf(sha256), put, sha256 }
  }
  const check = async (hours = 0) => {
    device.at += hours * HOUR
    await checker.checkIfDue()
    return checker.last
  }
  return { device, media, add, check, files, dataDir }
}

test('Sounds that can be decoded have no fault, and are decoded again after a day or when others come', async () => {
  const { device, add, check } = makeDevice()
  const horn = add('Horn', 0.3)
  const checkedAt = new Date(device.at).toISOString()
  expect(await check()).toEqual({ checkedAt, faults: [] })
  writeFileSync(horn.path, 'no sound '.repeat(1000))
  expect(await check(23.9)).toEqual({ checkedAt, faults: [] })
  expect(await check(0.2)).toMatchObject({ faults: [{ name: 'Horn', why: 'damaged' }] })
  horn.put()
  expect(await check()).toMatchObject({ faults: [] })
  add('Nothing', 0)
  expect(await check()).toMatchObject({ faults: [{ name: 'Nothing', why: 'silent' }] })
})

test('A file that lost its end, is of another kind, or is gone is found, and fetched again', async () => {
  const { device, media, add, check, dataDir } = makeDevice()
  const [short, other, gone] = [add('Short', 0.3), add('Other', 0.2), add('Gone', 0.1)]
  truncateSync(short.path, 20_000)
  const picture = join(dataDir, 'picture')
  writeFileSync(picture, 'P6 1 1 255 abc')
  copyFileSync(picture, other.path)
  rmSync(gone.path)
  media.drop(gone.sha256)
  expect((await check(1))?.faults).toEqual([
    { name: 'Short', why: 'damaged' },
    { name: 'Other', why: 'damaged' },
    { name: 'Gone', why: 'missing' },
  ])
  expect(media.held.size).toBe(0)
  expect(device.codes).toEqual(['alert-sound-damaged', 'alert-sound-damaged'])
})

test('A siren that does not answer is a fault', async () => {
  const { device, check } = makeDevice()
  device.isSirenReady = false
  expect((await check())?.faults).toEqual([{ name: null, why: 'no-answer' }])
})
