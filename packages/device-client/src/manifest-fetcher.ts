import { buildPath, CallError, toCallError } from '@floorcast/contract/client.ts'
import { type ManifestReading, namedProgrammes } from '@floorcast/contract/device-manifest.ts'
import { readManifest, readProgramme } from '@floorcast/contract/device-protocol.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import { z } from 'zod'
import { boundAnswer, MAX_DOCUMENT_BYTES } from './bounded-answers.ts'
import { retryAfterOf, type RetryParts, RetryTimer } from './retry-timer.ts'
import type { DeviceSession } from './session.ts'
import { ChangeNotifier, firstOf } from './wait.ts'

const Answer = z.object({ data: z.unknown().optional() })
const FETCH_TIMEOUT_MS = 60_000

/** The text of a programme; null if its bytes have another SHA-256 than this, in lower-case hex. */
export type ReadProgramme = (bytes: ArrayBuffer, sha256: string) => Promise<string | null>

export const readChecked: ReadProgramme = async (bytes, sha256) =>
  (await hashOf(bytes)) === sha256 ? new TextDecoder().decode(bytes) : null

/** Uses Web Crypto, which browsers have too. */
async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** A manifest as the server sent it, and those of its programmes that the device did not hold, as text by their hash. */
export interface SentManifest {
  etag: string
  manifest?: unknown
  programmes: ReadonlyMap<string, string>
}

export interface ManifestStorage {
  /** The ETag of the newest held manifest. */
  newestEtag: () => string | undefined
  /** Whether the device holds a programme, so that it is not fetched again. */
  hasProgramme: (sha256: string) => boolean
  /** Checks and decodes a programme, instead of the fetcher: many devices in one process check shared bytes once. */
  readProgramme?: ReadProgramme
  /** Saves a manifest. Returns null, and keeps the held one, if it is not a manifest. */
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

/**
 * Fetches the manifest when it may have changed, and retries until the server answers. It fetches the manifest's programmes
 * before it saves both.
 */
export class ManifestFetcher {
  readonly #options: ManifestFetcherOptions
  readonly #retry: RetryTimer
  readonly #changes = new ChangeNotifier()
  /** The programmes of a manifest that is not saved yet, because another of its programmes could not be fetched. */
  readonly #fetched = new Map<string, string>()
  #fetching: Promise<void> | null = null
  /** Whether the manifest may have changed since the last request. */
  #isStale = false
  /** The ETag of the manifest that has to be held; null: any newer one. */
  #wantedEtag: string | null = null
  /** Whether a fetch is planned, and its moment on the steady clock; null: at once. */
  #isPlanned = false
  #dueAt: number | null = null
  #isStopped = false

  constructor(options: ManifestFetcherOptions) {
    this.#options = options
    this.#retry = new RetryTimer(options)
  }

  /**
   * Fetches the manifest, which may have changed, at a random moment within some seconds. A fetch that is already planned
   * stays, so that repeated notices do not bring it forward. Concurrent calls share one fetch. With the ETag of the server's
   * manifest, a fetch that is running may be enough.
   */
  refresh(withinSeconds = 0, etag: string | null = null): Promise<void> {
    const { steady, random } = this.#options
    this.#wantedEtag = this.#isStale && this.#wantedEtag === null ? null : etag
    this.#isStale = true
    if (withinSeconds === 0) this.#dueAt = null
    else if (!this.#isPlanned) this.#dueAt = steady() + random() * withinSeconds * 1000
    this.#isPlanned = true
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
      await this.#waitUntilDue()
      const { token, playPointUid } = session
      if (playPointUid === null || token === null) return
      this.#settle()
      const seen = this.#changes.count
      try {
        await this.#fetch(playPointUid)
        this.#retry.reset()
        if (this.#wantedEtag !== null && this.#wantedEtag === this.#options.manifests.newestEtag())
          this.#settle()
      } catch (error) {
        this.#isStale = true
        this.#wantedEtag = null
        this.#retry.fail(retryAfterOf(error))
        if (this.#changes.count !== seen) this.#retry.skipBackoff()
        if (error instanceof CallError && error.status === 401) await onUnauthorized(token)
        else if (this.#retry.failures === 1) onFailure(error)
      }
    }
  }

  /** Nothing is to be fetched, until the next `refresh`. */
  #settle(): void {
    this.#isStale = false
    this.#isPlanned = false
    this.#dueAt = null
    this.#wantedEtag = null
  }

  get #delayMs(): number {
    const { steady } = this.#options
    return Math.max(this.#retry.delayMs, this.#dueAt === null ? 0 : this.#dueAt - steady())
  }

  async #waitUntilDue(): Promise<void> {
    while (!this.#isStopped && this.#delayMs > 0)
      await firstOf([this.#changes.after(this.#changes.count)], this.#delayMs)
  }

  /** @throws CallError, also for an answer that is not a manifest */
  async #fetch(playpointid: string): Promise<void> {
    const { manifests, now, onUnknown } = this.#options
    const held = manifests.newestEtag()
    const fetched = manifests.beginFetch?.()
    const path = buildPath(readManifest.path, { playpointid }, { protocol: PROTOCOL })
    const response = await this.#get(path, held ? { 'if-none-match': held } : {})
    if (response.status === 304) return fetched?.complete()
    const body: unknown = await response.json().catch(() => null)
    const etag = response.headers.get('etag')
    const manifest = Answer.safeParse(body).data?.data
    await this.#fetchProgrammes(namedProgrammes(manifest))
    const reading = etag && manifests.save({ etag, manifest, programmes: new Map(this.#fetched) }, now())
    if (!reading) throw new CallError(response.status, null, { cause: etag ? 'no manifest' : 'no ETag' })
    this.#fetched.clear()
    fetched?.complete()
    for (const line of reading.unknown) onUnknown(line)
  }

  /** @throws CallError if there is no answer, or one other than 2xx and 304 */
  async #get(path: string, headers: Record<string, string>): Promise<Response> {
    const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS)
    const response = await this.#options.session
      .fetch(path, { headers, signal })
      .then(answer => boundAnswer(answer, MAX_DOCUMENT_BYTES))
      .catch((cause: unknown) => {
        throw new CallError(0, null, { cause })
      })
    if (!response.ok && response.status !== 304) throw await toCallError(response)
    return response
  }

  /**
   * Fetches the programmes that a manifest names and the device does not hold. A programme that the server no longer has belongs to a
   * former manifest, so the manifest is fetched again. @throws CallError
   */
  async #fetchProgrammes(named: readonly string[]): Promise<void> {
    for (const former of this.#fetched.keys()) if (!named.includes(former)) this.#fetched.delete(former)
    for (const sha256 of named) {
      if (this.#fetched.has(sha256) || this.#options.manifests.hasProgramme(sha256)) continue
      const response = await this.#get(buildPath(readProgramme.path, { sha256 }), {})
      const bytes = await response.arrayBuffer().catch((cause: unknown) => {
        throw new CallError(0, null, { cause })
      })
      const text = await (this.#options.manifests.readProgramme ?? readChecked)(bytes, sha256)
      if (text === null) throw new CallError(response.status, null, { cause: 'a programme with other bytes' })
      this.#fetched.set(sha256, text)
    }
  }
}
