import { createHash, type Hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { RetryTimer } from '@floorcast/device-client/retry-timer.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import type { Metrics } from './metrics.ts'

const FETCH_TIMEOUT_MS = 300_000

/** The received part of a file. The fleet keeps no bytes. */
interface Part {
  hash: Hash
  bytes: number
}

/** Downloads each file once for the whole fleet and checks its hash. */
export class MediaCache {
  readonly #metrics: Metrics
  readonly #fetched = new Map<string, Promise<boolean>>()
  /** The parts of files whose download has broken. */
  readonly #parts = new Map<string, Part>()

  constructor(metrics: Metrics) {
    this.#metrics = metrics
  }

  /** Returns whether the file is held. The next call goes on with a broken download. */
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
    const begun = this.#parts.get(sha256)
    const answer = await session.fetchFile(path, {
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
      headers: begun ? { range: `bytes=${begun.bytes}-` } : {},
    })
    // A busy server leaves the part as it is; one that has no such range has another file.
    if (answer.ok || answer.status === 416) this.#parts.delete(sha256)
    if (!answer.ok || !answer.body) throw new Error(`HTTP ${answer.status}`)
    const isRest = begun !== undefined && answer.status === 206
    const part = isRest ? begun : { hash: createHash('sha256'), bytes: 0 }
    try {
      for await (const bytes of answer.body as AsyncIterable<Uint8Array>) {
        part.hash.update(bytes)
        part.bytes += bytes.length
        this.#metrics.bytes.media += bytes.length
      }
    } catch (error) {
      if (part.bytes > 0) this.#parts.set(sha256, part)
      session.noteFile(answer, error)
      throw error
    }
    const isRight = part.hash.digest('hex') === sha256
    const fault = isRight ? null : new Error(`${path} has another hash than in the manifest`)
    session.noteFile(answer, fault)
    if (fault) throw fault
  }
}

/** Does `work` that has failed again, as late as a device does, until it says that it is done. */
export async function tryAgain(work: () => Promise<boolean>): Promise<void> {
  const retry = new RetryTimer({ steady: () => performance.now(), random: Math.random })
  do {
    retry.fail(null)
    await pause(retry.delayMs, undefined, { ref: false })
  } while (!(await work()))
}

/** The hashes of the held files of a device that holds every file. */
export class EveryFile extends Set<string> {
  override has(): boolean {
    return true
  }
}
