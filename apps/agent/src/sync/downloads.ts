import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { backoffOf } from '@floorcast/playback/event-rules.ts'
import { filesToDrop, filesToFetch } from '@floorcast/playback/sync-plan.ts'
import type { PlayLog } from '../report/play-log.ts'
import { Signal } from '../player/signal.ts'
import { firstOf } from '../player/wait.ts'
import type { ManifestBook } from '../store/manifest-book.ts'
import type { MediaStore } from '../store/media-store.ts'
import { downloadFile, DownloadFailed } from './download.ts'
import type { ServerLink } from './server-link.ts'

/** Bytes that downloads leave free, for the event log and the system. */
const RESERVE = 64 * 1024 * 1024

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

export interface DownloadsParts {
  link: ServerLink
  media: MediaStore
  book: ManifestBook
  log: PlayLog
  now: () => number
  random: () => number
  /** The server does not take the token that it was asked with. */
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** Fetches what the newest manifest names and the disk lacks, one file at a time, the most urgent first. */
export class Downloads {
  readonly #parts: DownloadsParts
  readonly #changed = new Signal()
  #isStopping = false
  #failures = 0
  /** What was last complained of, so that a failure that goes on is one line in the log. */
  #complaint = ''

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    parts.book.onChange(() => this.poke())
    parts.media.onChange(() => this.#changed.tell())
  }

  /** Something may have changed: look again now. */
  poke(): void {
    this.#failures = 0
    this.#changed.tell()
  }
  stop(): void {
    this.#isStopping = true
    this.#changed.tell()
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const changed = this.#changed.after(this.#changed.count)
      const next = this.#next()
      if (!next || this.#parts.link.token() === null) await firstOf([changed], next ? 5000 : null)
      else if (!(await this.#fetch(next)))
        await firstOf([changed], backoffOf(this.#failures, this.#parts.random()))
    }
  }

  #manifests(): DeviceManifest[] {
    const { book } = this.#parts
    return [book.newest()?.manifest, book.playing()?.manifest].flatMap(manifest => manifest ?? [])
  }

  #next(): ManifestFile | undefined {
    const { media, book, now } = this.#parts
    const newest = book.newest()?.manifest
    if (!newest) return undefined
    return filesToFetch(newest, media.held, now()).find(file => media.isWanted(file.sha256))
  }

  async #fetch(file: ManifestFile): Promise<boolean> {
    const { link, media, onUnauthorized } = this.#parts
    const token = link.token()
    try {
      this.#makeRoom(file.sizeBytes)
      await downloadFile(link, media, file)
      this.#failures = 0
      this.#complaint = ''
      return true
    } catch (error) {
      this.#failures += 1
      this.#complain(file, error)
      if (error instanceof DownloadFailed && error.status === 401) await onUnauthorized(token)
      return false
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
        0,
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
