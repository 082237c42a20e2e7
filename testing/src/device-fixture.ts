import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { FormerPublication, ManifestFile } from '@floorcast/contract/manifest.ts'
import { test, vi } from 'vitest'
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

/** A server double and an agent's data folder, with methods for the steps that tests share. */
export class DeviceFixture {
  readonly server = new ServerDouble()
  readonly agent: AgentFixture
  #generation = 0

  private constructor(agent: AgentFixture) {
    this.agent = agent
  }
  /** The agent's data folder is a temporary one by default. */
  static async make(dataDir?: string): Promise<DeviceFixture> {
    const agent = dataDir === undefined ? await AgentFixture.make() : new AgentFixture(dataDir)
    const fixture = new DeviceFixture(agent)
    await fixture.server.start()
    return fixture
  }
  async tearDown(): Promise<void> {
    await this.agent.clear()
    await this.server.stop()
  }

  /**
   * Waits until `claim` does not throw. The timeout allows for the start of an agent and its mpv on a busy machine, but is
   * less than a minute, after which the next heartbeat would hide a fault of the first one.
   */
  until(claim: () => unknown): Promise<unknown> {
    return vi.waitFor(claim, { timeout: 45_000, interval: 50 })
  }
  /** Waits until the device has reported that it plays from a publication, which it does at the start of the first sound. */
  untilPlaying(uid = 600): Promise<unknown> {
    return this.until(() => {
      const last = this.server.events.findLast(event => event.kind === 'playlist')
      if (last?.status !== 'began' || last.publicationUid !== uidOf(uid))
        throw new Error(`The device reports that it plays ${last?.publicationUid ?? last?.why ?? 'nothing'}`)
    })
  }

  /** Waits until `count` further plays were heard, by the heartbeats. Returns their starts. */
  async hearPlays(count: number): Promise<Set<string>> {
    const from = this.server.heartbeats.length
    const heard = () =>
      new Set(this.server.heartbeats.slice(from).flatMap(({ nowPlaying }) => nowPlaying?.startedAt ?? []))
    // The first one may have begun before.
    await this.until(() => {
      if (heard().size <= count) throw new Error(`Heard ${heard().size} plays of ${count}`)
    })
    return heard()
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

  /** Publishes a manifest with one publication, activated now, of all the files. */
  publish(files: ManifestFile[], { uid = 600, crossfadeSeconds = 0 } = {}): void {
    const items = files.map((_, index) => makeItem(index))
    const playlist = makePlaylist(items, { crossfadeSeconds })
    const activatedAt = new Date().toISOString()
    this.publishAll(files, [makePublication(playlist, { uid: uidOf(uid), activatedAt })])
  }
  publishAll(
    files: ManifestFile[],
    publications: FormerPublication[],
    part: Omit<Parameters<typeof makeManifest>[0], 'files' | 'publications' | 'generation'> = {},
  ): void {
    this.#generation += 1
    this.server.publishSplit(makeManifest({ generation: this.#generation, files, publications, ...part }))
  }

  /** The plays that the server has received. */
  played(): PlayEvent[] {
    return this.server.events.filter(event => event.kind === 'playtrack')
  }
  ofResult(result: PlayEvent['result']): PlayEvent[] {
    return this.played().filter(play => play.result === result)
  }
  /** The current track's name in the last heartbeat. */
  nowPlaying(): string | undefined {
    return this.server.heartbeats.at(-1)?.nowPlaying?.name
  }
}

/** A test with a `device` fixture. Tests that mostly wait for playback run with `deviceTest.concurrent`. */
export const deviceTest = test.extend('device', async ({ onTestFinished }) => {
  const device = await DeviceFixture.make()
  onTestFinished(() => device.tearDown())
  return device
})
