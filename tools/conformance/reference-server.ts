import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { type Fault, hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import {
  listSounds,
  manifestOf,
  mergeSettings,
  type OpenAlertContent,
} from '../../apps/server/src/features/manifests/manifest-body.ts'
import {
  headOf,
  publicationOf,
  type SourceFile,
  type SourcePublication,
  writeDocument,
} from '../../apps/server/src/features/manifests/programme-body.ts'

/** Seconds of each song: short, so that plays end soon. */
export const SONG_SECONDS = 2
const HEARTBEAT_SECONDS = 10
const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000]
/** The server's clock is ahead of the machine's: a player that does not take it reports other dates. */
const AHEAD_MS = HOUR

/** The parts of a manifest beside its files. */
interface Publishing {
  publications?: readonly SourcePublication[]
  tags?: Record<string, string>
  alerts?: readonly OpenAlertContent[]
  update?: ManifestUpdate | null
  /** Parts of a later server. */
  unknown?: Record<string, unknown>
}

/**
 * The server that a player under test talks to: it publishes short songs and the sound of an alert, as the product's own functions
 * write the manifest and the programme.
 */
export class ReferenceServer extends ServerDouble {
  readonly files: SourceFile[] = []
  /** The manifests as the cue reads them, the newest last. */
  readonly manifests: DeviceManifest[] = []
  /** The addresses of media that a player asked for and that no file has. */
  readonly wrongPaths: string[] = []
  /** The tokens that came to another server, to which a file was redirected. */
  readonly stolen: string[] = []
  /** The zone in which it is noon, so that no day ends meanwhile. */
  readonly timeZone: string
  readonly startedAt = Date.now() + AHEAD_MS
  /** When the player held all files: before, it leaves items out of its loop. */
  heldAt = 0
  /** The calls but those for a session, with their times on the machine's clock. */
  readonly calls: { path: string; at: number }[] = []
  #content: Publishing = {}
  #generation = 0
  #isAligned = false
  #thief: Server | null = null

  /** Players start slowly, and wait before they try again. */
  readonly patienceSeconds: number
  readonly #firstSecond: number

  /** `firstSecond` is that of the minute at the first heartbeat: in the next minute a shop opens. */
  constructor({ patienceSeconds = 60, firstSecond = 24 } = {}) {
    super()
    this.patienceSeconds = patienceSeconds
    this.#firstSecond = firstSecond
    this.clockShift = AHEAD_MS
    const hours = 12 - new Date(this.startedAt).getUTCHours()
    // The signs of these names are those of POSIX. Another zone than UTC, so that a player has to read it.
    this.timeZone = `Etc/GMT${hours === 0 ? '-2' : hours > 0 ? `-${hours}` : `+${-hours}`}`
  }

  override readonly delayAnswer = async (path: string): Promise<void> => {
    const addresses = this.files.map(({ mediaUid, sha256 }) => `/api/v2/iplay/media/${mediaUid}/${sha256}`)
    this.calls.push({ path, at: Date.now() })
    if (path.startsWith('/api/v2/iplay/media/') && !addresses.includes(path)) this.wrongPaths.push(path)
  }
  override readonly changeAnswer = (answer: HeartbeatAnswer): object => {
    if (!this.#isAligned) {
      this.#isAligned = true
      const past = this.now() % MINUTE
      this.clockShift += (this.#firstSecond * SECOND - past + MINUTE) % MINUTE
    }
    const alerts = this.#content.alerts ?? []
    return { ...answer, serverTime: new Date(this.now()).toISOString(), alerts }
  }

  /** Its time, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.clockShift
  }
  /** The device's wall time of an instant, as milliseconds since the midnight of 1970. */
  wallOf(at: number): number {
    const [, sign, hours] = /GMT([+-])(\d+)/.exec(this.timeZone) ?? []
    return at + (sign === '-' ? 1 : -1) * Number(hours) * HOUR
  }

  override async start(): Promise<void> {
    this.#thief = createServer((request, response) => {
      this.stolen.push(request.headers.authorization ?? '')
      response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(this.#thief, 'listening')
    this.redirectTo = `http://localhost:${(this.#thief.address() as AddressInfo).port}/file`
    await super.start()
  }
  override async stop(): Promise<void> {
    this.#thief?.close()
    await super.stop()
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

  /** Publishes what changes; the rest stays. The last song is the sound of alerts. */
  async publishContent(changes: Publishing): Promise<void> {
    this.#content = { ...this.#content, ...changes }
    const { publications = [], tags, alerts = [], update = null, unknown } = this.#content
    this.#generation += 1
    const heads = []
    for (const publication of publications) {
      const { sha256, text } = await writeDocument(publication)
      this.addProgramme(sha256, text)
      heads.push({ ...headOf(publication), programme: sha256 })
    }
    const sound = this.files.at(-1)
    const profiles = [{ heartbeatSeconds: HEARTBEAT_SECONDS }, { airMedia: sound?.mediaUid }]
    const content = {
      device: {
        uid: this.playPoint,
        name: 'Player',
        kind: 'audio' as const,
        tagPolicy: null,
        tags: { timeZone: this.timeZone, ...tags },
      },
      client: { tagPolicy: 'device' as const, tags: {} },
      group: {
        tags: {},
        settings: mergeSettings(profiles),
        ...listSounds(profiles, new Map(sound && [[sound.mediaUid, sound]])),
        publications: heads,
        update,
      },
      alerts,
    }
    const manifest = manifestOf(content, this.#generation)
    this.manifests.push({ ...manifest, publications: publications.map(publicationOf) })
    this.publish({ ...manifest, ...unknown })
  }
}
