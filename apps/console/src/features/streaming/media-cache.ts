import { DownloadFailed, type FileStorage } from '@floorcast/device-client/downloads.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { mediaCacheName } from '../../platform/browser-data.ts'

const DAY_MS = 86_400_000
/** A file that cannot be played is fetched again once, then after a day. */
const MAX_FAILURES = 2

const FILES = '/player-media/'
const addressOf = (sha256: string) => FILES + sha256

async function hashOf(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, byte => byte.toString(16).padStart(2, '0')).join('')
}

/** The files that a player of this browser plays. */
export interface PlayerMedia {
  /** The hashes of the files that can be played. */
  readonly held: ReadonlySet<string>
  onChange: (listener: () => void) => void
  /** The bytes of a held file; null if they are gone. */
  read: (file: ManifestFile) => Promise<Blob | null>
  /** A file cannot be played. */
  discard: (file: ManifestFile, at: number) => void
  /** A file was played to its end. */
  forgive: (sha256: string) => void
}

/** The media files that this browser holds, by their hash. */
export class MediaCache implements PlayerMedia, FileStorage {
  readonly #cache: Cache
  readonly #held: Set<string>
  readonly #failures = new Map<string, { count: number; at: number; name: string }>()
  readonly #listeners: (() => void)[] = []
  /** What came of the download that broke last. */
  #part: { sha256: string; bytes: Blob } | null = null

  private constructor(cache: Cache, held: Set<string>) {
    this.#cache = cache
    this.#held = held
  }

  static async open(): Promise<MediaCache> {
    const cache = await caches.open(mediaCacheName)
    const paths = (await cache.keys()).map(({ url }) => new URL(url).pathname)
    const files = paths.filter(path => path.startsWith(FILES))
    return new MediaCache(cache, new Set(files.map(path => path.slice(FILES.length))))
  }

  get held(): ReadonlySet<string> {
    return this.#held
  }
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** The bytes of a held file; null if the browser has removed them. */
  async read({ sha256 }: ManifestFile): Promise<Blob | null> {
    const answer = await this.#cache.match(addressOf(sha256))
    if (answer) return answer.blob()
    this.#forget(sha256)
    return null
  }

  /** Keeps a file. @returns whether its bytes are those of its hash @throws DOMException if there is no space */
  async keep(file: ManifestFile, bytes: ArrayBuffer): Promise<boolean> {
    if ((await hashOf(bytes)) !== file.sha256) return false
    const type = file.contentType.startsWith('videos') ? 'video/mp4' : 'audio/mpeg'
    await this.#cache.put(addressOf(file.sha256), new Response(bytes, { headers: { 'content-type': type } }))
    this.#held.add(file.sha256)
    this.#notify()
    return true
  }

  /** The bytes that came of a file before its download broke. */
  partOf(sha256: string): Blob | null {
    return this.#part?.sha256 === sha256 ? this.#part.bytes : null
  }
  keepPart(sha256: string, bytes: Blob): void {
    this.#part = { sha256, bytes }
  }
  dropPart(): void {
    this.#part = null
  }

  /** The bytes that this page may still store; Infinity if the browser does not say. */
  async freeBytes(): Promise<number> {
    const { quota, usage } = await navigator.storage.estimate()
    return quota === undefined || usage === undefined ? Infinity : quota - usage
  }

  async remove(sha256: string): Promise<void> {
    await this.#cache.delete(addressOf(sha256))
    this.#forget(sha256)
  }

  /** Removes a file that cannot be played. */
  discard({ sha256, name }: ManifestFile, at: number): void {
    const count = (this.#failures.get(sha256)?.count ?? 0) + 1
    this.#failures.set(sha256, { count, at, name })
    void this.remove(sha256)
  }
  /** A file was played to its end. */
  forgive(sha256: string): void {
    this.#failures.delete(sha256)
  }
  isWanted(sha256: string, now: number): boolean {
    const failed = this.#failures.get(sha256)
    return !failed || failed.count < MAX_FAILURES || now - failed.at >= DAY_MS
  }
  get quarantined(): { sha256: string; name: string }[] {
    return [...this.#failures]
      .map(([sha256, { name }]) => ({ sha256, name: name.slice(0, 200) }))
      .slice(0, 100)
  }

  #forget(sha256: string): void {
    if (this.#held.delete(sha256)) this.#notify()
  }
  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

/** A file on a slow line takes its time; a stalled one ends after this time, and the next attempt goes on with it. */
const FILE_TIMEOUT_MS = 600_000

/** The bytes of a file, behind the part that an earlier attempt has left. @throws DownloadFailed, which leaves a part */
async function download(
  session: DeviceSession,
  media: MediaCache,
  file: ManifestFile,
): Promise<{ answer: Response; bytes: ArrayBuffer }> {
  const begun = media.partOf(file.sha256)
  const answer = await session
    .fetchFile(file.path, {
      signal: AbortSignal.timeout(FILE_TIMEOUT_MS),
      headers: begun ? { range: `bytes=${begun.size}-` } : {},
    })
    .catch((cause: unknown) => {
      throw new DownloadFailed('no-answer', cause)
    })
  // No file is longer than the part: another one was sent.
  if (answer.status === 416) media.dropPart()
  if (!answer.ok || !answer.body) throw new DownloadFailed('refused', undefined, answer)
  // A store may hide the header from pages, and sends no other part than the one asked for. The hash tells.
  const range = answer.headers.get('content-range')
  const isRest = answer.status === 206 && (range?.startsWith(`bytes ${begun?.size}-`) ?? true)
  const chunks: BlobPart[] = begun && isRest ? [begun] : []
  try {
    const reader = answer.body.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value)
  } catch (cause) {
    const part = new Blob(chunks)
    if (part.size > 0) media.keepPart(file.sha256, part)
    session.noteFile(answer, cause)
    throw new DownloadFailed('no-answer', cause)
  }
  media.dropPart()
  return { answer, bytes: await new Blob(chunks).arrayBuffer() }
}

/** Downloads one file into the browser's cache. @throws DownloadFailed, or DOMException if there is no space */
export async function downloadToCache(
  session: DeviceSession,
  media: MediaCache,
  file: ManifestFile,
): Promise<void> {
  const { answer, bytes } = await download(session, media, file)
  const failed = (await media.keep(file, bytes)) ? null : new DownloadFailed('wrong-hash')
  session.noteFile(answer, failed)
  if (failed) throw failed
}
