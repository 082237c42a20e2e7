import { makeManifest } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DownloadLimits } from './download-limits.ts'

const clock = { now: () => Date.now(), steady: () => performance.now() }

beforeEach(() => void vi.useFakeTimers({ now: Date.parse('2026-03-02T09:00:00Z') }))
afterEach(() => void vi.useRealTimers())

function makeLimits(settings: object) {
  const manifest = makeManifest({})
  Object.assign(manifest.settings, settings)
  return { limits: new DownloadLimits({ clock, manifest: () => manifest }), manifest }
}

/** The milliseconds that these reads take. */
async function timeOf(reads: Promise<void>[]): Promise<number> {
  const from = performance.now()
  const done = Promise.all(reads)
  await vi.runAllTimersAsync()
  await done
  return Math.round(performance.now() - from)
}

test('All downloads share the rate of the profile', async () => {
  const { limits, manifest } = makeLimits({ downloadKilobitsPerSecond: 800 })
  // 100 kB are 800 kilobits.
  expect(await timeOf([limits.pace(100_000)])).toBe(1000)
  expect(await timeOf([limits.pace(100_000), limits.pace(100_000)])).toBe(2000)
  Object.assign(manifest.settings, { downloadKilobitsPerSecond: 1600 })
  expect(await timeOf([limits.pace(100_000)])).toBe(500)
  delete manifest.settings.downloadKilobitsPerSecond
  expect(await timeOf([limits.pace(100_000_000)])).toBe(0)
})

test('Time without a download is not saved up', async () => {
  const { limits } = makeLimits({ downloadKilobitsPerSecond: 800 })
  expect(await timeOf([limits.pace(50_000)])).toBe(500)
  vi.advanceTimersByTime(60_000)
  expect(await timeOf([limits.pace(50_000)])).toBe(500)
})

test('Downloads that can wait run from the first hour of the profile on', () => {
  expect(makeLimits({}).limits.waitMs()).toBe(0)
  const { limits } = makeLimits({ downloadFrom: '10:30', downloadTo: '11:00' })
  expect(limits.waitMs()).toBe(90 * 60_000)
  vi.setSystemTime(Date.parse('2026-03-02T10:45:00Z'))
  expect(limits.waitMs()).toBe(0)
})
