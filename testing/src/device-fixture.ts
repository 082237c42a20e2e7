import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { Manifest, ManifestFile, ManifestPublication } from '@floorcast/contract/manifest.ts'
import { afterEach, beforeEach, vi } from 'vitest'
import { AgentFixture } from './agent-process.ts'
import { hashOf, ServerDouble } from './device-server.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from './manifest-arbitrary.ts'
import { makeSong } from './media-song.ts'

/** A server double and an agent's folder for each test, and short words for what tests do with them. */
export class DeviceFixture {
  server = new ServerDouble()
  agent = new AgentFixture('')
  #generation = 0

  async setUp(): Promise<void> {
    this.server = new ServerDouble()
    this.agent = await AgentFixture.make()
    await this.server.start()
  }
  async tearDown(): Promise<void> {
    await this.agent.clear()
    await this.server.stop()
  }

  /**
   * Waits until `claim` raises nothing; patient, because an agent and its mpv have to start, and machines are busy, but for
   * less than the minute after which the next heartbeat hides what the first one missed.
   */
  until(claim: () => unknown): Promise<unknown> {
    return vi.waitFor(claim, { timeout: 45_000, interval: 50 })
  }
  /** Waits until the device has told that it plays from a publication, which it does with the first sound of it. */
  untilPlaying(uid = 600): Promise<unknown> {
    return this.until(() => {
      const told = this.server.events.findLast(event => event.kind === 'playlist')
      if (told?.status !== 'began' || told.publicationUid !== uidOf(uid))
        throw new Error(`It tells that it plays from ${told?.publicationUid ?? told?.why ?? 'nothing'}`)
    })
  }

  addFile(number: number, bytes: Buffer, part: Partial<ManifestFile> = {}): ManifestFile {
    const sha256 = hashOf(bytes)
    const file = makeFile(number, { sizeBytes: bytes.length, sha256, ...part })
    file.path = `/api/v2/iplay/media/${file.mediaUid}/${sha256}`
    this.server.addFile(file, bytes)
    return file
  }
  /** `Song NUMBER`, a real MP3 of exactly `seconds`. */
  addSong(number: number, seconds: number): ManifestFile {
    const bytes = Buffer.from(makeSong({ notes: [number % 8, (number + 3) % 8], seconds }))
    return this.addFile(number, bytes, { name: `Song ${number}`, durationSeconds: seconds })
  }

  /** A new manifest whose one publication, turned on now, plays all the files. */
  publish(files: ManifestFile[], { uid = 600, crossfadeSeconds = 0 } = {}): void {
    const items = files.map((_, index) => makeItem(index))
    const playlist = makePlaylist(items, { crossfadeSeconds })
    const activatedAt = new Date().toISOString()
    this.publishAll(files, [makePublication(playlist, { uid: uidOf(uid), activatedAt })])
  }
  publishAll(
    files: ManifestFile[],
    publications: ManifestPublication[],
    part: Partial<Pick<Manifest, 'alerts' | 'alertSounds' | 'settings'>> = {},
  ): void {
    this.#generation += 1
    this.server.publish(makeManifest({ generation: this.#generation, files, publications, ...part }))
  }

  /** Plays that the server has. */
  played(): PlayEvent[] {
    return this.server.events.filter(event => event.kind === 'playtrack')
  }
  ofResult(result: PlayEvent['result']): PlayEvent[] {
    return this.played().filter(play => play.result === result)
  }
  /** The name of what plays now, as the last heartbeat told it. */
  nowPlaying(): string | undefined {
    return this.server.heartbeats.at(-1)?.nowPlaying?.name
  }
}

/** A stage that is raised before each test of the file and cleared after it. */
export function useDeviceFixture(): DeviceFixture {
  const stage = new DeviceFixture()
  beforeEach(() => stage.setUp())
  afterEach(() => stage.tearDown())
  return stage
}
