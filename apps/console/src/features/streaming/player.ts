import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { PlayEvents, PlayLog } from '@floorcast/device-client/play-log.ts'
import { ChangeNotifier } from '@floorcast/device-client/wait.ts'
import { type Follow, Player as DevicePlayer } from '@floorcast/device-player/player.ts'
import type { Scene as PlayerScene } from '@floorcast/device-player/ports.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import { nextPlayOf } from '@floorcast/playback/iterate-cues.ts'
import { AlertSounder } from './alert-sounder.ts'
import type { PlayerMedia } from './media-cache.ts'
import type { Sound } from './sound.ts'
import { type DeckPlay, TrackPlayer } from './track-player.ts'

/** The current display of the page. */
export type Scene =
  /** The browser plays only after a click. */
  { kind: 'blocked' } | Exclude<PlayerScene<DeckPlay>, { kind: 'recovering' | 'broken' | 'stopped' }>

export interface PlayerParts {
  clock: Clock
  manifests: ManifestStore
  alerts: AlertNotices
  media: PlayerMedia
  events: Pick<PlayEvents, 'append'>
  log: PlayLog
  sound: Sound
  newEventId: () => string
  volume: PlayerVolume
  /** Set for a listener: the cue of the device that it follows. */
  follow?: Follow['cueAt']
  onScene: (scene: Scene) => void
}

/** Volumes from 0 to 100. */
export interface PlayerVolume {
  /** The audible volume of tracks. */
  readonly tracks: number
  /** The audible volume of alerts, for this volume of their own. */
  alerts: (alertVolume: number) => number
  /** Follows the volume of the manifest of this number. */
  followManifest: (deviceVolume: number, generation: number) => void
}

/** The player of a page: it plays what this browser holds, on two media elements. */
export class Player {
  readonly #parts: PlayerParts
  readonly #changes = new ChangeNotifier()
  readonly tracks: TrackPlayer
  readonly #player: DevicePlayer<DeckPlay>
  readonly #allowed = Promise.withResolvers<void>()

  constructor(parts: PlayerParts) {
    this.#parts = parts
    const { clock, log, media, sound, volume, follow } = parts
    this.tracks = new TrackPlayer(parts)
    const sounder = new AlertSounder(sound, media, (file, reason) => {
      log.debug('error', 'alert-sound-failed', `${file.name} was not heard, the siren sounds: ${reason}`)
      media.discard(file, clock.now())
    })
    this.#player = new DevicePlayer({
      clock,
      manifests: parts.manifests,
      alerts: parts.alerts,
      media,
      events: parts.events,
      log,
      changes: this.#changes,
      output: this.tracks,
      alertOutput: {
        play: (file, alert) => sounder.play(file, { ...alert, volume: volume.alerts(alert.volume) }),
        stop: async () => sounder.stop(),
        close: () => sounder.stop(),
      },
      ...(follow && { follow: { cueAt: follow, load: cue => this.tracks.load(cue) } }),
      onManifest: ({ settings, device }, newest) => {
        this.tracks.loudnessTargetLufs = settings.loudnessTargetLufs
        volume.followManifest(device.volume, newest.generation)
      },
      onScene: scene => this.#show(scene),
    })
  }

  get manifest(): DeviceManifest | null {
    return this.#player.manifest
  }
  nowPlaying(): NowPlaying | null {
    return this.#player.nowPlaying.current
  }
  /** Why no track plays. */
  silence(): Silence | null {
    return this.#player.nowPlaying.silence
  }

  /** Chooses the cue again: what it depends on has changed. */
  reconsider(): void {
    this.#changes.notify()
  }

  /** The user has clicked, so the browser lets the page play. */
  allow(): void {
    this.#allowed.resolve()
  }

  /** Plays until `stop`. */
  async run(): Promise<void> {
    const { log, sound } = this.#parts
    log.recoverInterrupted()
    if (!(await sound.isAllowed())) {
      this.#parts.onScene({ kind: 'blocked' })
      await this.#allowed.promise
      await sound.isAllowed()
    }
    await this.#player.run()
    sound.close()
  }

  /** Ends the current track, which is logged as cut. `run` then returns. */
  stop(): void {
    this.#allowed.resolve()
    this.#player.stop()
  }

  /** The next play after an instant, as if all files were held; null without one. */
  nextPlay(after: number): PlayCue | null {
    return this.manifest && nextPlayOf(this.manifest, after)
  }

  #show(scene: PlayerScene<DeckPlay>): void {
    if (scene.kind === 'recovering' || scene.kind === 'broken' || scene.kind === 'stopped') return
    this.#parts.onScene(scene)
  }
}
