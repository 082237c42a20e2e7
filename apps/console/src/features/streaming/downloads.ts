import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { parseRetryAfter } from '@floorcast/contract/client.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import { RetryTimer } from '@floorcast/device-client/retry-timer.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import { filesToDrop, filesToFetch } from '@floorcast/playback/sync-plan.ts'
import type { MediaCache } from './media-cache.ts'

/** Left free of the browser's quota, for events and the console itself. */
const RESERVED_BYTES = 64 * 1024 * 1024
const IDLE_MS = 600_000
/** A file of a slow line takes its time; a stalled one ends after so long. */
const FILE_TIMEOUT_MS = 600_000

interface DownloadParts {
  session: DeviceSession
  media: MediaCache
  manifests: ManifestStore
  log: PlayLog
  clock: Clock
  onUnauthorized: (refused: string | null) => Promise<void>
}

class DownloadFailed extends Error {
  readonly code: 'no-answer' | 'refused' | 'damaged' | 'disk'
  readonly retryAfterSeconds: number | null
  constructor(code: DownloadFailed['code'], message: string, retryAfterSeconds: number | null = null) {
    super(message)
    this.name = 'DownloadFailed'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Downloads the newest manifest's missing files, one at a time, the most urgent first. */
export class Downloads {
  readonly #parts: DownloadParts
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopped = false
  #lastFailure = ''

  constructor(parts: DownloadParts) {
    this.#parts = parts
    this.#retry = new RetryTimer({ steady: () => parts.clock.steady(), random: Math.random })
    parts.manifests.onChange(() => this.wake())
    parts.media.onChange(() => this.#changes.notify())
  }

  wake(): void {
    this.#retry.reset()
    this.#changes.notify()
  }
  stop(): void {
    this.#isStopped = true
    this.#changes.notify()
  }

  /** The files that are missing and wanted. */
  missing(): ManifestFile[] {
    const { manifests, media, clock } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) return []
    return filesToFetch(newest, media.held, clock.now()).filter(({ sha256 }) =>
      media.isWanted(sha256, clock.now()),
    )
  }

  async run(): Promise<void> {
    while (!this.#isStopped) {
      const changed = this.#changes.after(this.#changes.count)
      const [next] = this.missing()
      if (!next || this.#parts.session.token === null) await firstOf([changed], next ? 2000 : IDLE_MS)
      else if (this.#retry.delayMs > 0) await firstOf([changed], this.#retry.delayMs)
      else await this.#fetch(next)
    }
  }

  async #fetch(file: ManifestFile): Promise<void> {
    try {
      await this.#freeSpace(file.sizeBytes)
      await this.#download(file)
      this.#retry.reset()
      this.#lastFailure = ''
    } catch (error) {
      const failed = error instanceof DownloadFailed ? error : new DownloadFailed('disk', String(error))
      this.#retry.fail(failed.retryAfterSeconds)
      this.#report(file, failed)
    }
  }

  async #download(file: ManifestFile): Promise<void> {
    const { session, media, onUnauthorized } = this.#parts
    const { token } = session
    const signal = AbortSignal.timeout(FILE_TIMEOUT_MS)
    const answer = await session.fetch(file.path, { signal }).catch(() => null)
    if (!answer) throw new DownloadFailed('no-answer', 'no answer')
    if (answer.status === 401) await onUnauthorized(token)
    if (!answer.ok) {
      const retryAfter = parseRetryAfter(answer.headers.get('retry-after'))
      throw new DownloadFailed('refused', `HTTP ${answer.status}`, retryAfter)
    }
    const bytes = await answer.arrayBuffer().catch(() => null)
    if (!bytes) throw new DownloadFailed('no-answer', 'the download broke off')
    if (!(await media.keep(file, bytes))) throw new DownloadFailed('damaged', 'it came with other bytes')
  }

  /** Removes files that no manifest names, but only if their space is needed. */
  async #freeSpace(bytes: number): Promise<void> {
    const { manifests, media } = this.#parts
    const held = [manifests.newest()?.manifest, manifests.playing()?.manifest]
    const unnamed = filesToDrop(
      held.flatMap((manifest): DeviceManifest[] => (manifest ? [manifest] : [])),
      media.held,
    )
    while ((await freeBytes()) < bytes + RESERVED_BYTES) {
      const sha256 = unnamed.shift()
      if (sha256 === undefined)
        throw new DownloadFailed('disk', `this browser has no space for its ${bytes} bytes`)
      await media.remove(sha256)
    }
  }

  #report(file: ManifestFile, { code, message }: DownloadFailed): void {
    const failure = `${code} ${file.sha256}`
    if (code === 'no-answer' || failure === this.#lastFailure) return
    this.#lastFailure = failure
    this.#parts.log.debug('error', `download-${code}`, `${file.name}: ${message}`)
  }
}

/** What this page may still store. A browser that does not say has room. */
export async function freeBytes(): Promise<number> {
  const { quota, usage } = await navigator.storage.estimate()
  return quota === undefined || usage === undefined ? Infinity : quota - usage
}
