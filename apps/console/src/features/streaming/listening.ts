import { CallError } from '@floorcast/contract/client.ts'
import type { NowPlaying } from '@floorcast/contract/devices.ts'
import { readMedia, readMediaPreview } from '@floorcast/contract/media.ts'
import { type ListeningState, readListening } from '@floorcast/contract/listening.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { type Clock, openClock } from '@floorcast/device-client/clock.ts'
import { makeManifestStore, type ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import type { Cue } from '@floorcast/playback/cue-types.ts'
import {
  cueOfDevice,
  placeOf,
  type PublishedFile,
  type ReportedPlay,
} from '@floorcast/playback/device-timeline.ts'
import { call } from '../../platform/client.ts'
import { readBytes } from '../../platform/download.ts'
import { createStore } from '../../platform/store.ts'
import { activityOf, type DeviceActivity } from './device-activity.ts'
import { browserClock, type PagePlayer, readPageVolume, storePageVolume } from './page-player.ts'
import { Pictures } from './pictures.ts'
import { Player, type Scene } from './player.ts'
import { RemoteMedia } from './remote-media.ts'
import { Sound } from './sound.ts'

/** The value of the default profile, until the manifest is here. */
const HEARTBEAT_SECONDS = 60

/** Why nothing is heard any more. */
export type ListeningEnd = 'not-allowed' | 'no-device'

export interface ListeningStatus {
  scene: Scene
  pageVolume: number
  /** Null until it is known. */
  activity: DeviceActivity | null
  /** The server does not answer. */
  isOffline: boolean
  end: ListeningEnd | null
}

function toReportedPlay(nowPlaying: NowPlaying | null): ReportedPlay | null {
  if (!nowPlaying) return null
  const { mediaUid, startedAt, offsetSeconds, durationSeconds } = nowPlaying
  if (mediaUid === null || durationSeconds === null) return null
  return { mediaUid, startedAt: Date.parse(startedAt) - offsetSeconds * 1000, durationSeconds }
}

/** The state of a listener, for as long as the page is open. */
function makeMemory(): StateStore {
  const values = new Map<string, unknown>()
  return {
    atomically: work => work(),
    read: name => values.get(name) ?? null,
    write(name, value) {
      values.set(name, value)
      return true
    },
    remove: name => void values.delete(name),
    names: beginning => [...values.keys()].filter(name => name.startsWith(beginning)),
  }
}

/** A listener's player logs nothing: its plays belong to no device. */
const noEvents = {
  bootId: '',
  append: () => undefined,
  isStored: () => true,
  recordLost: () => undefined,
  shiftDates: () => undefined,
}

/** Plays what a device plays, at the device's own place in its timeline, and reports nothing. */
export class Listening implements PagePlayer {
  readonly status = createStore<ListeningStatus>({
    scene: { kind: 'connecting' },
    pageVolume: readPageVolume(),
    activity: null,
    isOffline: false,
    end: null,
  })
  readonly clock: Clock
  readonly player: Player
  readonly sound = new Sound()
  readonly pictures = new Pictures(file => this.#fetchPicture(file))
  readonly #deviceUid: string
  readonly #manifests: ManifestStore
  readonly #media: RemoteMedia
  readonly #stopClock: () => void
  readonly #stopping = new AbortController()
  /** The files by their media, also those of former manifests: the device may play a last track of them. */
  readonly #files = new Map<string, PublishedFile>()
  #report: ReportedPlay | null = null

  constructor(deviceUid: string) {
    this.#deviceUid = deviceUid
    const memory = makeMemory()
    const { clock, stop } = openClock(memory, browserClock)
    const manifests = makeManifestStore(memory)
    manifests.onChange(() => this.#rememberFiles())
    this.clock = clock
    this.#stopClock = stop
    this.#manifests = manifests
    this.#media = new RemoteMedia(deviceUid, manifests)
    const pageVolume = () => this.status.get().pageVolume
    this.player = new Player({
      clock,
      manifests,
      media: this.#media,
      alerts: makeAlertNotices(memory, manifests),
      events: noEvents,
      // Without a secure origin a browser makes no UUIDs, and none is needed.
      newEventId: () => '',
      log: new PlayLog(noEvents, memory, () => clock.now()),
      sound: this.sound,
      // A quiet shop is heard well too, and an alert not louder than music.
      volume: {
        get tracks() {
          return pageVolume()
        },
        alerts: pageVolume,
        followManifest: () => undefined,
      },
      follow: (at, scheduled) => this.#follow(at, scheduled),
      onScene: scene => this.#update({ scene }),
    })
  }

  /** Undefined until the first answer. */
  get deviceName(): string | undefined {
    return this.#manifests.newest()?.manifest.device.name
  }

  start(): void {
    this.sound.setVolume(this.status.get().pageVolume)
    void this.player.run()
  }

  stop(): void {
    this.#stopping.abort()
    this.#media.stop()
    this.player.stop()
    this.#stopClock()
  }

  allow(): void {
    void this.sound.context.resume().then(() => this.player.allow())
  }

  setPageVolume(pageVolume: number): void {
    storePageVolume(pageVolume)
    this.#update({ pageVolume })
    this.sound.setVolume(pageVolume)
  }

  /** Asks the server what the device does. */
  async refresh(): Promise<void> {
    const { signal } = this.#stopping
    if (signal.aborted) return
    const askedAt = this.clock.steady()
    const held = this.#manifests.newestEtag()
    try {
      const query = held === undefined ? {} : { held }
      const state = await call(readListening, { params: { uid: this.#deviceUid }, query, signal })
      if (signal.aborted) return
      this.clock.applyServerTime(Date.parse(state.serverTime), askedAt, this.clock.steady())
      this.#apply(state)
    } catch (error) {
      if (signal.aborted) return
      const status = error instanceof CallError ? error.status : 0
      if (status === 403 || status === 404) return this.#end(status === 403 ? 'not-allowed' : 'no-device')
      this.#update({ isOffline: true })
    }
  }

  #apply(state: ListeningState): void {
    const { manifest } = state
    if (manifest) {
      const programmes = new Map(Object.entries(manifest.programmes))
      this.#manifests.save({ etag: manifest.etag, manifest: manifest.content, programmes }, this.clock.now())
    }
    const heartbeatSeconds = this.#manifests.newest()?.manifest.settings.heartbeatSeconds ?? HEARTBEAT_SECONDS
    const activity = activityOf(state, { at: this.clock.now(), heartbeatSeconds })
    const former = this.#report
    this.#report = activity.kind === 'playing' ? toReportedPlay(state.nowPlaying) : null
    this.#update({ activity, isOffline: false })
    const isSame =
      former?.startedAt === this.#report?.startedAt && former?.mediaUid === this.#report?.mediaUid
    if (!isSame) this.player.reconsider()
  }

  #follow(at: number, cueAt: (at: number) => Cue): Cue {
    const place = placeOf(this.#report, cueAt)
    return cueOfDevice({ place, cueAt, findFile: uid => this.#files.get(uid) }, at)
  }

  async #fetchPicture({ mediaUid: uid, contentType }: ManifestFile): Promise<Blob | null> {
    const { signal } = this.#stopping
    const { hasPreview } = await call(readMedia, { params: { contentType, uid }, signal })
    return hasPreview ? readBytes(readMediaPreview, { params: { uid }, signal }) : null
  }

  #rememberFiles(): void {
    for (const publication of this.#manifests.newest()?.manifest.publications ?? [])
      for (const file of publication.files) this.#files.set(file.mediaUid, { file, publication })
  }

  #end(end: ListeningEnd): void {
    this.stop()
    this.#update({ end })
  }

  #update(change: Partial<ListeningStatus>): void {
    this.status.set({ ...this.status.get(), ...change })
  }
}
