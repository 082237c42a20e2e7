import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { RetryTimer } from '@floorcast/device-client/retry-timer.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { urgentFiles } from '@floorcast/playback/download-hours.ts'
import { filesToDrop, filesToFetch } from '@floorcast/playback/sync-plan.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { downloadFile, DownloadFailed } from './download.ts'
import type { DownloadLimits } from './download-limits.ts'

/** Bytes that downloads leave free, for the event log and the system. */
const RESERVED_BYTES = 64 * 1024 * 1024

/** The interval between checks for a session while there is none. */
const NO_SESSION_PAUSE_MS = 5000
/** The longest pause without a missing file: a quarantined one may be due again. */
const IDLE_PAUSE_MS = 600_000
/** Outside the hours of downloads: how often it looks for files that are to be heard soon. */
const URGENT_PAUSE_MS = 60_000

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export interface DownloadQueueParts {
  session: DeviceSession
  media: MediaStore
  manifests: ManifestStore
  log: PlayLog
  clock: Clock
  limits: DownloadLimits
  random: () => number
  /** The server refused this token. */
  onUnauthorized: (refused: string | null) => Promise<void>
}

/**
 * Downloads the newest manifest's missing files, one at a time, the most urgent first. Outside the hours of the profile it fetches only
 * files that cannot wait.
 */
export class DownloadQueue {
  readonly #parts: DownloadQueueParts
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false
  /** The last logged failure: a failure that repeats is one line in the log. */
  #lastFailure = ''

  constructor(parts: DownloadQueueParts) {
    this.#parts = parts
    this.#retry = new RetryTimer({ steady: () => parts.clock.steady(), random: parts.random })
    parts.manifests.onChange(() => this.wake())
    parts.media.onChange(() => this.#changes.notify())
  }

  /** Retries now, because something may have changed. */
  wake(): void {
    this.#retry.reset()
    this.#changes.notify()
  }
  /** Whether it has a file to fetch now, and the last one did not fail. */
  get isDownloading(): boolean {
    return this.#lastFailure === '' && this.#nextFile().next !== undefined
  }
  stop(): void {
    this.#isStopping = true
    this.#changes.notify()
  }

  async run(): Promise<void> {
    const { session } = this.#parts
    while (!this.#isStopping) {
      const seen = this.#changes.count
      const changed = this.#changes.after(seen)
      const { next, pauseMs } = this.#nextFile()
      if (!next || session.token === null) await firstOf([changed], next ? NO_SESSION_PAUSE_MS : pauseMs)
      else if (this.#retry.delayMs > 0) await firstOf([changed], this.#retry.delayMs)
      else await this.#fetch(next)
      if (this.#changes.count !== seen) this.#retry.skipBackoff()
    }
  }

  #manifests(): DeviceManifest[] {
    const { manifests } = this.#parts
    return [manifests.newest()?.manifest, manifests.playing()?.manifest].flatMap(manifest => manifest ?? [])
  }

  /** The next file to fetch, or the time after which to look again. */
  #nextFile(): { next?: ManifestFile; pauseMs: number } {
    const { media, manifests, clock, limits } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) return { pauseMs: IDLE_PAUSE_MS }
    const now = clock.now()
    const wanted = filesToFetch(newest, media.held, now).filter(file => media.isWanted(file.sha256, now))
    const [next] = wanted
    const waitMs = limits.waitMs()
    if (!next || waitMs === 0) return { ...(next && { next }), pauseMs: IDLE_PAUSE_MS }
    const urgent = urgentFiles(newest, now)
    const first = wanted.find(({ sha256 }) => urgent.has(sha256))
    return { ...(first && { next: first }), pauseMs: Math.min(waitMs, URGENT_PAUSE_MS) }
  }

  async #fetch(file: ManifestFile): Promise<void> {
    const { session, media, limits, log, onUnauthorized } = this.#parts
    const { token } = session
    try {
      this.#freeSpace(file.sizeBytes)
      await downloadFile(session, media, { file, pace: bytes => limits.pace(bytes) })
      log.detail('download-done', `${file.name}: ${inMegabytes(file.sizeBytes)}`)
      this.#retry.reset()
      this.#lastFailure = ''
    } catch (error) {
      this.#retry.fail(error instanceof DownloadFailed ? error.retryAfterSeconds : null)
      this.#reportFailure(file, error)
      if (error instanceof DownloadFailed && error.status === 401) await onUnauthorized(token)
    }
  }

  /** Deletes files that no manifest names, unfinished ones first, but only if their space is needed. */
  #freeSpace(bytes: number): void {
    const { media } = this.#parts
    if (media.freeBytes() >= bytes + RESERVED_BYTES) return
    media.dropParts(new Set(this.#manifests().flatMap(manifest => [...filesOf(manifest)])))
    for (const sha256 of filesToDrop(this.#manifests(), media.held)) {
      if (media.freeBytes() >= bytes + RESERVED_BYTES) return
      media.drop(sha256)
    }
    if (media.freeBytes() < bytes + RESERVED_BYTES)
      throw new DownloadFailed(
        'disk',
        `it needs ${inMegabytes(bytes)} and ${inMegabytes(RESERVED_BYTES)} stay free, but the disk has ${inMegabytes(media.freeBytes())} left. Free some of it or use a larger one; the agent then continues`,
      )
  }

  #reportFailure(file: ManifestFile, error: unknown): void {
    const { log } = this.#parts
    const code = error instanceof DownloadFailed ? error.code : 'disk'
    // A server that does not answer needs no log line for each file.
    if (code === 'no-answer') return
    const failure = `${code} ${file.sha256}`
    if (failure === this.#lastFailure) return
    this.#lastFailure = failure
    const message = error instanceof Error ? error.message : String(error)
    log.debug('error', `download-${code}`, `${file.name}: ${message}`)
  }
}
