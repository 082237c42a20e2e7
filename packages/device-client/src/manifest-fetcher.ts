import { buildPath, CallError, toCallError } from '@floorcast/contract/client.ts'
import type { ManifestReading } from '@floorcast/contract/device-manifest.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { z } from 'zod'
import { retryAfterOf, type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'
import { ChangeNotifier, firstOf } from './wait.ts'

const Answer = z.object({ data: z.unknown().optional() })
const FETCH_TIMEOUT_MS = 60_000

/** A manifest as the server sent it. */
export interface SentManifest {
  etag: string
  manifest?: unknown
}

export interface ManifestStorage {
  /** The ETag of the newest held manifest. */
  newestEtag: () => string | undefined
  /** Saves a manifest. Returns null, and keeps the held one, if it is no manifest. */
  save: (sent: SentManifest, at: number) => ManifestReading | null
  /** Called before a fetch. `complete` is called when the server has answered with its newest manifest or with 304. */
  beginFetch?: () => { complete: () => void }
}

export interface ManifestFetcherOptions extends RetryParts {
  session: DeviceSession
  manifests: ManifestStorage
  now: () => number
  onUnknown: (line: string) => void
  onUnauthorized: (refused: string | null) => Promise<void>
  /** Called for the first of several failures in a row. */
  onFailure: (error: unknown) => void
}

/** Fetches the manifest when it may have changed, and retries until the server answers. */
export class ManifestFetcher {
  readonly #options: ManifestFetcherOptions
  readonly #retry: RetryTimer
  readonly #changes = new ChangeNotifier()
  #fetching: Promise<void> | null = null
  /** Whether the manifest may have changed since the last request. */
  #isStale = false
  #isStopped = false

  constructor(options: ManifestFetcherOptions) {
    this.#options = options
    this.#retry = new RetryTimer(options)
  }

  /** Fetches the manifest, which may have changed. Concurrent calls share one fetch. */
  refresh(): Promise<void> {
    this.#isStale = true
    this.#retry.skipBackoff()
    this.#changes.notify()
    this.#fetching ??= this.#fetchWhileStale().finally(() => (this.#fetching = null))
    return this.#fetching
  }
  stop(): void {
    this.#isStopped = true
    this.#changes.notify()
  }

  async #fetchWhileStale(): Promise<void> {
    const { session, onUnauthorized, onFailure } = this.#options
    while (this.#isStale && !this.#isStopped) {
      const { token, playPointUid } = session
      if (playPointUid === null || token === null) return
      this.#isStale = false
      const seen = this.#changes.count
      try {
        await this.#fetch(playPointUid)
        this.#retry.reset()
      } catch (error) {
        this.#isStale = true
        this.#retry.fail(retryAfterOf(error))
        if (this.#changes.count !== seen) this.#retry.skipBackoff()
        if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
        else if (this.#retry.failures === 1) onFailure(error)
        await this.#waitToRetry()
      }
    }
  }

  async #waitToRetry(): Promise<void> {
    while (!this.#isStopped && this.#retry.delayMs > 0)
      await firstOf([this.#changes.after(this.#changes.count)], this.#retry.delayMs)
  }

  /** @throws CallError, also for an answer that is no manifest */
  async #fetch(playpointid: string): Promise<void> {
    const { session, manifests, now, onUnknown } = this.#options
    const held = manifests.newestEtag()
    const headers: Record<string, string> = held ? { 'if-none-match': held } : {}
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    const fetched = manifests.beginFetch?.()
    const path = buildPath(readManifest.path, { playpointid })
    const response = await session.fetch(path, { headers, signal }).catch((cause: unknown) => {
      throw new CallError(0, null, { cause })
    })
    if (response.status === 304) return fetched?.complete()
    if (!response.ok) throw await toCallError(response)
    const body: unknown = await response.json().catch(() => null)
    const etag = response.headers.get('etag')
    const reading = etag && manifests.save({ etag, manifest: Answer.safeParse(body).data?.data }, now())
    if (!reading) throw new CallError(response.status, null, { cause: etag ? 'no manifest' : 'no ETag' })
    fetched?.complete()
    for (const line of reading.unknown) onUnknown(line)
  }
}
