import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { type Fault, hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'

/** Seconds of each song: short, so that plays end soon. */
export const SONG_SECONDS = 5
const HEARTBEAT_SECONDS = 10

/** The server that a player under test talks to: it publishes two songs and the sound of an alert. */
export class ReferenceServer extends ServerDouble {
  readonly files: ManifestFile[] = []
  #generation = 0

  /** Adds a song. `faults` are those of its first downloads. */
  addSong(faults: Fault[] = []): void {
    const number = this.files.length + 1
    const bytes = Buffer.from(makeSong({ notes: [number, number + 3], seconds: SONG_SECONDS }))
    const sha256 = hashOf(bytes)
    const file = makeFile(number, {
      sizeBytes: bytes.length,
      sha256,
      durationSeconds: SONG_SECONDS,
      name: `Conformance song ${number}`,
    })
    file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
    this.addFile(file, bytes)
    this.faults.set(sha256, faults)
    this.files.push(file)
  }

  /** Publishes a loop of the songs but the last, which is the sound of alerts. `unknown` has parts of a later server. */
  publishSongs(unknown: Record<string, unknown> = {}): void {
    this.#generation += 1
    const items = this.files.slice(0, -1).map((_, index) => makeItem(index))
    const publications = [
      makePublication(makePlaylist(items), { uid: uidOf(600), activatedAt: new Date().toISOString() }),
    ]
    const manifest = makeManifest({
      generation: this.#generation,
      files: this.files,
      publications,
      alertSounds: { air: this.files.length - 1 },
    })
    const settings = { ...manifest.settings, heartbeatSeconds: HEARTBEAT_SECONDS }
    this.publishSplit({ ...manifest, settings, ...unknown })
  }
}
