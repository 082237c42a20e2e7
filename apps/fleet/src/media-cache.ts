import { createHash } from 'node:crypto'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import type { Metrics } from './metrics.ts'

const FETCH_TIMEOUT_MS = 300_000

/** Downloads each file once for the whole fleet and checks its hash. */
export class MediaCache {
  readonly #metrics: Metrics
  readonly #fetched = new Map<string, Promise<boolean>>()

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  /** Returns whether the file is held. The next call retries a failed download. */
  async fetchOnce(file: ManifestFile, session: DeviceSession): Promise<boolean> {
    const { sha256 } = file
    const known = this.#fetched.get(sha256)
    if (known) return known
    const fetching = this.#metrics.media
      .time(() => this.#fetch(file, session))
      .then(
        () => true,
        () => {
          this.#fetched.delete(sha256)
          return false
        },
      )
    this.#fetched.set(sha256, fetching)
    return fetching
  }

  async #fetch({ path, sha256 }: ManifestFile, session: DeviceSession): Promise<void> {
    const answer = await session.fetch(path, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`)
    const hash = createHash('sha256')
    for await (const part of answer.body as AsyncIterable<Uint8Array>) {
      hash.update(part)
      this.#metrics.bytes.media += part.length
    }
    if (hash.digest('hex') !== sha256) throw new Error(`${path} has another hash than in the manifest`)
  }
}

/** The hashes of the held files of a device that holds every file. */
export class EveryFile extends Set<string> {
  override has(): boolean {
    return true
  }
}
