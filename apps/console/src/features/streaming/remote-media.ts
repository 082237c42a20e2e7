import { readListeningMedia } from '@floorcast/contract/listening.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { sleep } from '@floorcast/device-client/wait.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { readBytes } from '../../platform/download.ts'
import type { PlayerMedia } from './media-cache.ts'

/** The track that plays, the next one, and those of a short loop. */
const MAX_KEPT = 4
/** A file that cannot be fetched, or played, is asked for again after this time. */
const RETRY_MS = 3000

/** A device's files for a listener, each fetched when it is to be heard. Nothing is stored in the browser. */
export class RemoteMedia implements PlayerMedia {
  readonly #deviceUid: string
  readonly #reading = new Map<string, Promise<Blob | null>>()
  readonly #stopping = new AbortController()
  /** All files of the newest manifest: the device may hold them. */
  #held: ReadonlySet<string> = new Set()

  constructor(deviceUid: string, manifests: ManifestStore) {
    this.#deviceUid = deviceUid
    manifests.onChange(() => {
      const newest = manifests.newest()?.manifest
      this.#held = newest ? filesOf(newest) : new Set()
    })
  }

  get held(): ReadonlySet<string> {
    return this.#held
  }
  /** Its files change with the manifest only, whose listeners are told. */
  onChange(): void {}
  forgive(): void {}
  discard({ sha256 }: ManifestFile): void {
    this.#reading.delete(sha256)
  }

  read(file: ManifestFile): Promise<Blob | null> {
    const { sha256 } = file
    const reading = this.#reading.get(sha256) ?? this.#fetch(file)
    // The newest is the last one.
    this.#reading.delete(sha256)
    this.#reading.set(sha256, reading)
    for (const oldest of this.#reading.keys()) if (this.#reading.size > MAX_KEPT) this.#reading.delete(oldest)
    return reading
  }

  stop(): void {
    this.#stopping.abort()
    this.#reading.clear()
  }

  async #fetch({ mediaUid, sha256 }: ManifestFile): Promise<Blob | null> {
    const { signal } = this.#stopping
    const params = { uid: this.#deviceUid, mediaUid, sha256 }
    try {
      return await readBytes(readListeningMedia, { params, signal })
    } catch {
      if (!signal.aborted) await sleep(RETRY_MS)
      this.#reading.delete(sha256)
      return null
    }
  }
}
