import { buildPath, CallError, toCallError } from '@floorcast/contract/client.ts'
import { readDevicePicture } from '@floorcast/contract/device-protocol.ts'
import type { CommandFailure } from '@floorcast/contract/device-commands.ts'
import { makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { type Clock, openClock } from '@floorcast/device-client/clock.ts'
import {
  type CommandActions,
  CommandFollower,
  refuseFor,
  volumeOf,
} from '@floorcast/device-client/command-follower.ts'
import { Downloads } from '@floorcast/device-client/downloads.ts'
import { makeManifestStore } from '@floorcast/device-client/manifest-store.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { readApiBase } from '../../platform/api-base.ts'
import { createStore } from '../../platform/store.ts'
import { Connection, type Link } from './connection.ts'
import { DeviceVolume } from './device-volume.ts'
import { EventLog } from './event-log.ts'
import { downloadToCache, MediaCache } from './media-cache.ts'
import { browserClock, type PagePlayer, readPageVolume, storePageVolume } from './page-player.ts'
import { keepPictures, Pictures } from './pictures.ts'
import { Player, type Scene } from './player.ts'
import { makeStateStore, PlayerDatabase } from './player-database.ts'
import { Sound } from './sound.ts'

/** An acknowledgement is sent within this time. */
const RESTART_MS = 500
/** The sound by which a person finds the device is to be heard where the music is turned off. */
const MIN_BELL_VOLUME = 50
const PICTURE_TIMEOUT_MS = 20_000
/** A play that is cut fades out, and the downloads end, within this time. */
const MAX_STOP_MS = 1000
export interface Status {
  scene: Scene
  link: Link
  /** Files that are still to be downloaded. */
  missing: number
  /** Events that wait for the server. */
  unsent: number
  volume: number
  pageVolume: number
}

const makePictures = (session: DeviceSession): Pictures =>
  new Pictures(
    keepPictures(async ({ mediaUid: uid, sha256 }) => {
      // The held programme plays before the session is open.
      if (session.token === null) throw new CallError(0, null)
      const signal = AbortSignal.timeout(PICTURE_TIMEOUT_MS)
      const answer = await session.fetch(buildPath(readDevicePicture.path, { uid, sha256 }), { signal })
      if (answer.status === 204) return null
      if (answer.ok) return answer.blob()
      throw await toCallError(answer)
    }),
  )

/** A player in this page: the device client, the downloads and the player of the streamer's linked device. */
export class Streaming implements PagePlayer {
  readonly status = createStore<Status>({
    scene: { kind: 'connecting' },
    link: 'connecting',
    missing: 0,
    unsent: 0,
    volume: 0,
    pageVolume: readPageVolume(),
  })
  readonly clock: Clock
  readonly player: Player
  readonly sound: Sound
  readonly pictures: Pictures
  readonly #database: PlayerDatabase
  readonly #events: EventLog
  readonly #connection: Connection
  readonly #downloads: Downloads
  readonly #volume: DeviceVolume
  readonly #stopClock: () => void
  #running: Promise<unknown> = Promise.resolve()

  private constructor(
    { database, events, media }: { database: PlayerDatabase; events: EventLog; media: MediaCache },
    apiBase: string,
  ) {
    this.#database = database
    const state = makeStateStore(database)
    const { clock, stop } = openClock(state, browserClock)
    const log = new PlayLog(events, state, () => clock.now())
    const manifests = makeManifestStore(state)
    const stores = { clock, events, log, media, manifests, alerts: makeAlertNotices(state, manifests) }
    this.clock = clock
    this.#stopClock = stop
    this.#events = events
    this.sound = new Sound()
    this.#volume = new DeviceVolume({
      state,
      sound: this.sound,
      pageVolume: () => this.status.get().pageVolume,
    })
    this.player = new Player({
      ...stores,
      sound: this.sound,
      newEventId: () => crypto.randomUUID(),
      volume: this.#volume,
      onScene: scene => this.#onScene(scene),
    })
    this.#connection = new Connection({
      ...stores,
      state,
      apiBase,
      player: this.player,
      volume: () => this.#volume.tracks,
      commands: new CommandFollower({ state, log, actions: this.#makeActions() }),
      onLink: link => this.#onLink(link),
      onSent: () => this.#count(),
    })
    const { session, client } = this.#connection
    this.#downloads = new Downloads({
      ...stores,
      session,
      storage: media,
      random: Math.random,
      fetch: file => downloadToCache(session, media, file),
      fullAdvice: 'Free some of it; the page then continues',
      onUnauthorized: refused => client.reopenSession(refused),
    })
    this.pictures = makePictures(session)
    for (const source of [manifests, media]) source.onChange(() => this.#count())
    events.onAppend(() => this.#count())
    clock.onMove((byMs, isCorrection) => isCorrection && log.shiftDates(byMs))
  }

  /** Opens what this browser holds for a device, and starts to play and to report. */
  static async start(deviceUid: string): Promise<Streaming> {
    const [database, media, apiBase] = await Promise.all([
      PlayerDatabase.open(deviceUid),
      MediaCache.open(),
      readApiBase(),
    ])
    const streaming = new Streaming({ database, events: await EventLog.open(database), media }, apiBase)
    streaming.#events.purge(streaming.clock.now())
    streaming.#running = Promise.all([
      streaming.player.run(),
      streaming.#downloads.run(),
      streaming.#connection.client.start(),
    ])
    // Refused, the browser may remove the files when its disk is full; they are fetched again.
    void navigator.storage.persist()
    return streaming
  }

  allow(): void {
    void this.sound.context.resume().then(() => this.player.allow())
  }

  setPageVolume(pageVolume: number): void {
    storePageVolume(pageVolume)
    this.#update({ pageVolume })
    this.#volume.apply()
    this.#update({ volume: this.#volume.tracks })
  }

  /** Ends the current play, and sends what is not sent. @param isLeaving the user signs out: nothing more is stored */
  async stop({ isLeaving }: { isLeaving: boolean }): Promise<void> {
    this.player.stop()
    this.#downloads.stop()
    this.#stopClock()
    await firstOf([this.#running], MAX_STOP_MS)
    await this.#connection.stop()
    await this.#database.written()
    if (isLeaving) this.#database.close()
  }

  #makeActions(): CommandActions {
    // A page has no log of its machine, and takes no pictures of a screen.
    const cannot = () => refuseFor('browser')
    return {
      volume: command => {
        this.#volume.followCommand(volumeOf(command))
        this.#update({ volume: this.#volume.tracks })
        this.#connection.client.sendSoon()
      },
      // The acknowledgement goes first, and what the page remembers of it.
      restart: () =>
        void setTimeout(() => void this.#database.written().then(() => location.reload()), RESTART_MS),
      identify: async () => refuseFor(await this.#identify()),
      screenshot: cannot,
      'send-log': cannot,
    }
  }

  async #identify(): Promise<CommandFailure | null> {
    if (this.status.get().scene.kind === 'alert') return 'alert'
    const bell = () => this.sound.soundBell(Math.max(this.#volume.tracks, MIN_BELL_VOLUME))
    return (await this.#volume.duckFor(bell)) ? null : 'no-sound'
  }

  #update(change: Partial<Status>): void {
    this.status.set({ ...this.status.get(), ...change })
  }

  #count(): void {
    this.#update({ missing: this.#downloads.missing().length, unsent: this.#events.unsent })
  }

  #onLink(link: Link): void {
    const { link: former } = this.status.get()
    // A closed channel does not say why; a refused session has.
    if (former === 'replaced' || (link === 'offline' && former !== 'connecting' && former !== 'online'))
      return
    this.#update({ link })
    if (link === 'online') this.#downloads.wake()
    if (link === 'replaced') this.#downloads.stop()
  }

  #onScene(scene: Scene): void {
    this.#update({ scene, volume: this.#volume.tracks })
    this.#connection.client.sendSoon()
  }
}
