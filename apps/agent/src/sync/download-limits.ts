import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { sleep } from '@floorcast/device-client/wait.ts'
import { downloadsOpenAt } from '@floorcast/playback/download-hours.ts'

interface DownloadLimitsParts {
  manifest: () => Pick<DeviceManifest, 'device' | 'settings'> | undefined
  clock: { now: () => number; steady: () => number }
}

/** A connection that waits longer between two reads may be taken for a dead one. The next reads make up for it. */
const MAX_WAIT_MS = 10_000

/** The hours and the rate of downloads, as the device's profile says. All downloads share the rate. */
export class DownloadLimits {
  readonly #parts: DownloadLimitsParts
  /** When the bytes that were read have used up their time. */
  #usedUntil = -Infinity

  constructor(parts: DownloadLimitsParts) {
    this.#parts = parts
  }

  /** The milliseconds until downloads that can wait may run; 0: now. */
  waitMs(): number {
    const manifest = this.#parts.manifest()
    const now = this.#parts.clock.now()
    return manifest ? Math.max(0, downloadsOpenAt(manifest, now) - now) : 0
  }

  /** Resolves when more may be read after these bytes. */
  async pace(bytes: number): Promise<void> {
    const kilobitsPerSecond = this.#parts.manifest()?.settings.downloadKilobitsPerSecond
    if (kilobitsPerSecond === undefined) return
    const now = this.#parts.clock.steady()
    // A kilobit a second is a bit a millisecond.
    this.#usedUntil = Math.max(now, this.#usedUntil) + (bytes * 8) / kilobitsPerSecond
    await sleep(Math.min(this.#usedUntil - now, MAX_WAIT_MS))
  }
}
