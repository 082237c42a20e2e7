import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { RetryTimer } from '@floorcast/device-client/retry-timer.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import { filesToDrop, filesToFetch } from '@floorcast/playback/sync-plan.ts'
import type { Clock } from '../clock/clock.ts'
import type { PlayLog } from '../report/play-log.ts'
import type { ManifestBook } from '../store/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { downloadFile, DownloadFailed } from './download.ts'

/** Bytes that downloads leave free, for the event log and the system. */
const RESERVE = 64 * 1024 * 1024

/** Without a session there is nothing to wait for but the next look. */
const NO_SESSION_PAUSE_MS = 5000

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export interface DownloadsParts {
  session: DeviceSession
  media: MediaStore
  book: ManifestBook
  log: PlayLog
  clock: Clock
  random: () => number
  /** The server does not take the token that it was asked with. */
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** Fetches what the newest manifest names and the disk lacks, one file at a time, the most urgent first. */
export class Downloads {
  readonly #parts: DownloadsParts
  readonly #changed = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false
  /** What was last complained of, so that a failure that goes on is one line in the log. */
  #complaint = ''

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    this.#retry = new RetryTimer({ steady: () => parts.clock.steady(), random: parts.random })
    parts.book.onChange(() => this.wake())
    parts.media.onChange(() => this.#changed.notify())
  }

  /** Something may have changed: look again now. */
  wake(): void {
    this.#retry.reset()
    this.#changed.notify()
  }
  stop(): void {
    this.#isStopping = true
    this.#changed.notify()
  }

  async run(): Promise<void> {
    const { session } = this.#parts
    while (!this.#isStopping) {
      const seen = this.#changed.count
      const changed = this.#changed.after(seen)
      const next = this.#next()
      if (!next || session.token === null) await firstOf([changed], next ? NO_SESSION_PAUSE_MS : null)
      else if (this.#retry.delayMs > 0) await firstOf([changed], this.#retry.delayMs)
      else await this.#fetch(next)
      if (this.#changed.count !== seen) this.#retry.skipBackoff()
    }
  }

  #manifests(): DeviceManifest[] {
    const { book } = this.#parts
    return [book.newest()?.manifest, book.playing()?.manifest].flatMap(manifest => manifest ?? [])
  }

  #next(): ManifestFile | undefined {
    const { media, book, clock } = this.#parts
    const newest = book.newest()?.manifest
    if (!newest) return undefined
    return filesToFetch(newest, media.held, clock.now()).find(file => media.isWanted(file.sha256))
  }

  async #fetch(file: ManifestFile): Promise<void> {
    const { session, media, onUnauthorized } = this.#parts
    const { token } = session
    try {
      this.#makeRoom(file.sizeBytes)
      await downloadFile(session, media, file)
      this.#retry.reset()
      this.#complaint = ''
    } catch (error) {
      this.#retry.fail(error instanceof DownloadFailed ? error.retryAfterSeconds : null)
      this.#complain(file, error)
      if (error instanceof DownloadFailed && error.status === 401) await onUnauthorized(token)
    }
  }

  /** Removes files that no manifest names, but only when their space is needed. */
  #makeRoom(bytes: number): void {
    const { media } = this.#parts
    for (const sha256 of filesToDrop(this.#manifests(), media.held)) {
      if (media.freeBytes() >= bytes + RESERVE) return
      media.drop(sha256)
    }
    if (media.freeBytes() < bytes + RESERVE)
      throw new DownloadFailed(
        'disk',
        `it needs ${inMegabytes(bytes)} and ${inMegabytes(RESERVE)} stay free, but the disk has ${inMegabytes(media.freeBytes())} left. Free some of it or use a larger one; the agent goes on by itself`,
      )
  }

  #complain(file: ManifestFile, error: unknown): void {
    const { log } = this.#parts
    const code = error instanceof DownloadFailed ? error.code : 'disk'
    // A server that is away is seen by its silence; it needs no line for each file.
    if (code === 'no-answer') return
    const complaint = `${code} ${file.sha256}`
    if (complaint === this.#complaint) return
    this.#complaint = complaint
    const words = error instanceof Error ? error.message : String(error)
    log.debug('error', `download-${code}`, `${file.name}: ${words}`)
  }
}
