import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { CommandFailure } from '@floorcast/contract/device-commands.ts'
import type { AlertCheck, NowPlaying } from '@floorcast/contract/devices.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { VolumeControl } from '@floorcast/device-client/volume-control.ts'
import { ChangeNotifier } from '@floorcast/device-client/wait.ts'
import { Player as DevicePlayer } from '@floorcast/device-player/player.ts'
import type { EventStore } from '../store/event-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { AlertChecker } from './alert-check.ts'
import { AlertPlayer } from './alert-player.ts'
import { soundBell } from './identify.ts'
import { MpvOutput } from './mpv-output.ts'
import type { MpvOptions } from './mpv-process.ts'
import type { PlayInstance } from './play-recorder.ts'

export interface PlayerParts {
  clock: Clock
  manifests: ManifestStore
  alerts: AlertNotices
  media: MediaStore
  events: EventStore
  log: PlayLog
  state: StateStore
  options: MpvOptions
}

/** The agent's player: it plays from the disk, by mpv. */
export class Player {
  readonly #parts: PlayerParts
  readonly #output: MpvOutput
  readonly #alertPlayer: AlertPlayer
  readonly #alertChecker: AlertChecker
  readonly #volume: VolumeControl
  readonly #player: DevicePlayer<PlayInstance>
  #stopChecks: () => void = () => undefined

  constructor(parts: PlayerParts) {
    this.#parts = parts
    const { clock, media, options } = parts
    const changes = new ChangeNotifier()
    this.#alertPlayer = new AlertPlayer({
      clock,
      options,
      pathOf: sha256 => (media.held.has(sha256) ? media.pathOf(sha256) : null),
      onFault: (file, reason) => this.#recordAlertFault(file, reason),
    })
    this.#alertChecker = new AlertChecker({ ...parts, checkSiren: () => this.#alertPlayer.checkSiren() })
    this.#output = new MpvOutput({
      ...parts,
      changes,
      isStopping: () => this.#player.isStopping,
      onOutputFailed: () => this.#alertPlayer.releaseOutput(),
      show: scene => this.#player.show(scene),
    })
    this.#volume = new VolumeControl(parts.state, volume => this.#output.player.setVolume(volume))
    this.#player = new DevicePlayer({
      ...parts,
      changes,
      output: this.#output,
      alertOutput: this.#alertPlayer,
      onManifest: (playing, newest) => this.#followManifest(playing, newest),
    })
  }

  /** The current track; null in silence and during an alert. */
  nowPlaying(): NowPlaying | null {
    return this.#player.nowPlaying.current
  }
  /** Why no track plays. */
  silence(): Silence | null {
    return this.#player.nowPlaying.silence
  }
  volume(): number {
    return this.#volume.volume
  }
  setVolume(volume: number): void {
    this.#volume.followCommand(volume)
  }
  /** Plays the bell over the programme. Resolves to why it was not heard, or null. */
  async identify(): Promise<CommandFailure | null> {
    const { clock, options } = this.#parts
    if (this.#player.cueAt(clock.now()).kind === 'alert') return 'alert'
    const bell = { volume: this.volume(), steady: () => clock.steady() }
    return (await this.#volume.duckFor(() => soundBell(options, bell))) ? null : 'no-sound'
  }
  /** Writes what the screen shows to a JPEG file. Returns false if it shows nothing. */
  takePicture(path: string): Promise<boolean> {
    return this.#output.player.takePicture(path)
  }
  /** The process id of the mpv that plays music. */
  get pid(): number | undefined {
    return this.#output.player.pid
  }
  onChange(listener: () => void): void {
    this.#player.nowPlaying.onChange(listener)
  }
  /** The last check of alerts since the start. */
  alertCheck(): AlertCheck | null {
    return this.#alertChecker.last
  }

  /** Plays until `stop`. */
  async run(): Promise<void> {
    const { clock, log } = this.#parts
    log.recoverInterrupted()
    // The manifest's display is that of mpv's start.
    this.#player.cueAt(clock.now())
    void this.#output.ready()
    this.#alertPlayer.prepare()
    this.#stopChecks = this.#alertChecker.start()
    await this.#player.run()
  }

  /** Stops the current track, which is logged as cut. `run` then returns. */
  stop(): void {
    this.#stopChecks()
    this.#player.stop()
  }
  /** Kills an mpv that hangs, so that `run` returns. The current track is logged as cut. */
  kill(): void {
    this.#output.player.kill()
    this.#alertPlayer.kill()
  }

  #followManifest(playing: DeviceManifest, newest: DeviceManifest): void {
    const { player } = this.#output
    player.loudnessTargetLufs = playing.settings.loudnessTargetLufs
    player.setDisplay(newest)
    this.#volume.followManifest(playing.device.volume, newest.generation)
    this.#parts.log.isDetailed = newest.settings.debugLog
  }

  #recordAlertFault(file: ManifestFile | null, reason: string): void {
    const { clock, log, media } = this.#parts
    const what = file
      ? `${file.name} was not heard, the siren sounds instead`
      : 'An alert did not sound at once'
    log.debug('error', 'alert-sound-failed', `${what}: ${reason}`)
    if (file) void media.discard(file, { why: reason, at: clock.now() })
  }
}
