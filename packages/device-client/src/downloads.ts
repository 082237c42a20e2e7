import { parseRetryAfter } from '@floorcast/contract/client.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { urgentFiles } from '@floorcast/playback/download-hours.ts'
import { filesToDrop, filesToFetch } from '@floorcast/playback/sync-plan.ts'
import type { Clock } from './clock.ts'
import type { ManifestStore } from './manifest-store.ts'
import type { PlayLog } from './play-log.ts'
import { RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'
import { ChangeNotifier } from './wait.ts'

type Code = 'no-answer' | 'refused' | 'too-short' | 'too-long' | 'wrong-hash' | 'disk'

function describeCause(cause: unknown): string {
  if (cause instanceof Error) return `: ${cause.message}`
  return typeof cause === 'string' ? `: ${cause}` : ''
}

/** A download that did not end in a held file. */
export class DownloadFailed extends Error {
  readonly code: Code
  /** The HTTP status; 0 without an answer or after a broken connection. */
  readonly status: number
  readonly retryAfterSeconds: number | null
  constructor(code: Code, cause?: unknown, answer?: Response) {
    super(`${code}${answer ? ` (HTTP ${answer.status})` : ''}${describeCause(cause)}`, { cause })
    this.name = 'DownloadFailed'
    this.code = code
    this.status = answer?.status ?? 0
    this.retryAfterSeconds = parseRetryAfter(answer?.headers.get('retry-after'))
  }
}

/** The storage of a device's files. */
export interface FileStorage {
  /** The hashes of the files that can be played. */
  readonly held: ReadonlySet<string>
  onChange: (listener: () => void) => void
  /** Whether a file may be fetched at a time, after what became of it before. */
  isWanted: (sha256: string, at: number) => boolean
  freeBytes: () => number | Promise<number>
  remove: (sha256: string) => unknown
  /** Removes unfinished files, except those whose hashes are named. */
  dropParts?: (named: ReadonlySet<string>) => void
}

export interface DownloadsParts {
  session: DeviceSession
  storage: FileStorage
  manifests: ManifestStore
  log: PlayLog
  clock: Clock
  random: () => number
  /** Fetches a file into the storage. @throws DownloadFailed */
  fetch: (file: ManifestFile) => Promise<void>
  /** Milliseconds until files that can wait may be fetched; 0: now. */
  waitMs?: () => number
  /** The advice when the storage is full. */
  fullAdvice: string
  /** The server refused this token. */
  onUnauthorized: (refused: string | null) => Promise<void>
}

/** Bytes that downloads leave free, for the event log and the system. */
const RESERVED_BYTES = 64 * 1024 * 1024
/** The interval between checks for a session while there is none. */
const NO_SESSION_PAUSE_MS = 5000
/** The longest pause without a missing file: a quarantined one may be due again. */
const IDLE_PAUSE_MS = 600_000
/** Outside the hours of downloads: how often it looks for files that are to be heard soon. */
const URGENT_PAUSE_MS = 60_000

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/**
 * Downloads the newest manifest's missing files, one at a time, the most urgent first. Outside the hours of the profile it fetches only
 * files that cannot wait.
 */
export class Downloads {
  readonly #parts: DownloadsParts
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false
  /** The last logged failure: a failure that repeats is one line in the log. */
  #lastFailure = ''

  constructor(parts: DownloadsParts) {
    this.#parts = parts
    this.#retry = new RetryTimer({ steady: () => parts.clock.steady(), random: parts.random })
    parts.manifests.onChange(() => this.wake())
    parts.storage.onChange(() => this.#changes.notify())
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
  /** The files that are missing and wanted, the most urgent first. */
  missing(): ManifestFile[] {
    const { storage, manifests, clock } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) return []
    const now = clock.now()
    return filesToFetch(newest, storage.held, now).filter(({ sha256 }) => storage.isWanted(sha256, now))
  }
  stop(): void {
    this.#isStopping = true
    this.#changes.notify()
  }

  async run(): Promise<void> {
    const { session } = this.#parts
    while (!this.#isStopping) {
      const seen = this.#changes.count
      const { next, pauseMs } = this.#nextFile()
      if (!next || session.token === null)
        await this.#changes.first(seen, [], next ? NO_SESSION_PAUSE_MS : pauseMs)
      else if (this.#retry.delayMs > 0) await this.#changes.first(seen, [], this.#retry.delayMs)
      else await this.#fetch(next)
      if (this.#changes.count !== seen) this.#retry.skipBackoff()
    }
  }

  /** The next file to fetch, or the time after which to look again. */
  #nextFile(): { next?: ManifestFile; pauseMs: number } {
    const { manifests, clock, waitMs: readWait } = this.#parts
    const wanted = this.missing()
    const newest = manifests.newest()?.manifest
    const waitMs = readWait?.() ?? 0
    const [next] = wanted
    if (!next || !newest || waitMs === 0) return { ...(next && { next }), pauseMs: IDLE_PAUSE_MS }
    const urgent = urgentFiles(newest, clock.now())
    const first = wanted.find(({ sha256 }) => urgent.has(sha256))
    return { ...(first && { next: first }), pauseMs: Math.min(waitMs, URGENT_PAUSE_MS) }
  }

  async #fetch(file: ManifestFile): Promise<void> {
    const { session, log, fetch, onUnauthorized } = this.#parts
    const { token } = session
    try {
      await this.#freeSpace(file.sizeBytes)
      await fetch(file)
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
  async #freeSpace(bytes: number): Promise<void> {
    const { storage, manifests, fullAdvice } = this.#parts
    const needed = bytes + RESERVED_BYTES
    if ((await storage.freeBytes()) >= needed) return
    const named = [manifests.newest(), manifests.playing()].flatMap((stored): DeviceManifest[] =>
      stored ? [stored.manifest] : [],
    )
    storage.dropParts?.(new Set(named.flatMap(manifest => [...filesOf(manifest)])))
    for (const sha256 of filesToDrop(named, storage.held)) {
      if ((await storage.freeBytes()) >= needed) return
      await storage.remove(sha256)
    }
    const free = await storage.freeBytes()
    if (free >= needed) return
    const left = `it needs ${inMegabytes(bytes)} and ${inMegabytes(RESERVED_BYTES)} stay free, but the disk has ${inMegabytes(free)} left`
    throw new DownloadFailed('disk', `${left}. ${fullAdvice}`)
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
