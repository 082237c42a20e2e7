import { type Fault, hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import {
  listSounds,
  manifestOf,
  mergeSettings,
} from '../../apps/server/src/features/manifests/manifest-body.ts'
import {
  headOf,
  type SourceFile,
  type SourceItem,
  type SourcePublication,
  writeDocument,
} from '../../apps/server/src/features/manifests/programme-body.ts'

/** Seconds of each song: short, so that plays end soon. */
export const SONG_SECONDS = 5
const HEARTBEAT_SECONDS = 10

const itemOf = (file: SourceFile, position: number): SourceItem => ({
  ...file,
  uid: uidOf(1000 + position),
  position,
  repeatCount: 1,
  replaySeconds: null,
  startTime: null,
})

/** A simple playlist of the songs, activated now. */
const publicationOf = (songs: readonly SourceFile[]): SourcePublication => ({
  uid: uidOf(600),
  name: 'Conformance',
  revision: 1,
  activatedAt: new Date().toISOString(),
  startsAt: null,
  startsAtWall: null,
  playlist: {
    uid: uidOf(500),
    name: 'Songs',
    kind: 'audio',
    crossfadeSeconds: 0,
    startDate: null,
    endDate: null,
  },
  items: songs.map(itemOf),
  day: null,
})

/**
 * The server that a player under test talks to: it publishes two songs and the sound of an alert, as the product's own functions
 * write the manifest and the programme.
 */
export class ReferenceServer extends ServerDouble {
  readonly files: SourceFile[] = []
  /** The addresses of media that a player asked for and that no file has. */
  readonly wrongPaths: string[] = []
  #generation = 0

  override readonly delayAnswer = async (path: string): Promise<void> => {
    const addresses = this.files.map(({ mediaUid, sha256 }) => `/api/v2/iplay/media/${mediaUid}/${sha256}`)
    if (path.startsWith('/api/v2/iplay/media/') && !addresses.includes(path)) this.wrongPaths.push(path)
  }

  /** Adds a song. `faults` are those of its first downloads. */
  addSong(faults: Fault[] = []): void {
    const number = this.files.length + 1
    const bytes = Buffer.from(makeSong({ notes: [number, number + 3], seconds: SONG_SECONDS }))
    const file: SourceFile = {
      mediaUid: uidOf(number),
      mediaName: `Conformance song ${number}`,
      contentType: 'melodies',
      sha256: hashOf(bytes),
      sizeBytes: bytes.length,
      durationSeconds: SONG_SECONDS,
      integratedLufs: null,
      truePeakDbtp: null,
    }
    this.addFile(file, bytes)
    this.faults.set(file.sha256, faults)
    this.files.push(file)
  }

  /** Publishes a loop of the songs but the last, which is the sound of alerts. `unknown` has parts of a later server. */
  async publishSongs(unknown: Record<string, unknown> = {}): Promise<void> {
    this.#generation += 1
    const publication = publicationOf(this.files.slice(0, -1))
    const { sha256, text } = await writeDocument(publication)
    this.addProgramme(sha256, text)
    const sound = this.files.at(-1)
    const profiles = [{ heartbeatSeconds: HEARTBEAT_SECONDS }, { airMedia: sound?.mediaUid }]
    const content = {
      device: { uid: this.playPoint, name: 'Player', kind: 'audio' as const, tagPolicy: null, tags: {} },
      client: { tagPolicy: 'device' as const, tags: {} },
      group: {
        tags: {},
        settings: mergeSettings(profiles),
        ...listSounds(profiles, new Map(sound && [[sound.mediaUid, sound]])),
        publications: [{ ...headOf(publication), programme: sha256 }],
        update: null,
      },
      alerts: [],
    }
    this.publish({ ...manifestOf(content, this.#generation), ...unknown })
  }
}
