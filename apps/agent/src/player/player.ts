import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import type { CommandFailure } from '@floorcast/contract/device-commands.ts'
import type { AlertCheck, NowPlaying, SilentReason } from '@floorcast/contract/devices.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { selectManifest } from '@floorcast/playback/select-manifest.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { alertCue, withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { Cue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import { EarlyWait, entryOf, REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { EventStore } from '../store/event-store.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { AlertChecker } from './alert-check.ts'
import { AlertPlayer } from './alert-player.ts'
import { AlertSequencer } from './alert-sequencer.ts'
import { PlaybackSequencer } from './playback-sequencer.ts'
import type { MpvOptions } from './mpv-process.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import { CrossfadePlayer } from './crossfade-player.ts'
import { soundBell } from './identify.ts'
import { NowPlayingState } from './now-playing.ts'
import { VolumeControl } from '@floorcast/device-client/volume-control.ts'
import { endsAtOnce } from '@floorcast/playback/next-step.ts'
import { type Arrival, SkippedAds } from '@floorcast/device-client/skipped-ads.ts'
import { ChangeNotifier, firstOf, sleep } from '@floorcast/device-client/wait.ts'

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

const ERROR_RETRY_MS = 1000
const MINUTE_MS = 60_000
/** A slow machine starts mpv within this time. */
const MPV_START_MS = 20_000

/**
 * Plays from the disk, cue after cue: it asks for the cue at an instant, plays it, and continues at the cue's end. It needs
 * no server. The stores and the clock notify it of new manifests, alerts, files and corrections of the time.
 */
export class Player {
  readonly #parts: PlayerParts
  readonly #changes = new ChangeNotifier()
  readonly #trackPlayer: CrossfadePlayer
  readonly #alertPlayer: AlertPlayer
  readonly #alertChecker: AlertChecker
  readonly #alertSequencer: AlertSequencer
  readonly #sequencer: PlaybackSequencer
  readonly #nowPlaying: NowPlayingState
  readonly #volume: VolumeControl
  readonly #skippedAds: SkippedAds
  readonly #earlyWait = new EarlyWait()
  #manifest: DeviceManifest | null = null
  #arrival: Arrival = 'agent-stopped'
  #isStopping = false
  /** The number of changes that the current cue includes. */
  #seenChanges = 0

  constructor(parts: PlayerParts) {
    this.#parts = parts
    const { clock, media, log, options } = parts
    this.#trackPlayer = new CrossfadePlayer({
      clock,
      log,
      options,
      pathOf: media.pathOf,
      onLogged: (cue, outcome) => void this.#sequencer.recordOutcome(cue, outcome),
    })
    this.#nowPlaying = new NowPlayingState({
      toReported: at => this.#trackPlayer.reportingClock.toReported(at),
      steady: () => clock.steady(),
    })
    this.#volume = new VolumeControl(parts.state, volume => this.#trackPlayer.setVolume(volume))
    this.#alertPlayer = new AlertPlayer({
      clock,
      options,
      pathOf: sha256 => (media.held.has(sha256) ? media.pathOf(sha256) : null),
      onFault: (file, reason) => this.#recordAlertFault(file, reason),
    })
    this.#alertChecker = new AlertChecker({ ...parts, checkSiren: () => this.#alertPlayer.checkSiren() })
    this.#alertSequencer = new AlertSequencer({
      ...parts,
      player: this.#alertPlayer,
      changes: this.#changes,
      cueAt: at => this.#cueAt(at),
      isStopping: () => this.#isStopping,
      volume: () => this.#manifest?.settings.alertVolume ?? 100,
      silenceMusic: () => this.#trackPlayer.preemptFor(() => this.#trackPlayer.stop()),
      onBegin: () => this.#nowPlaying.setSilent('alert'),
      onError: error => this.#logError(error),
    })
    this.#sequencer = new PlaybackSequencer({
      clock,
      media,
      log,
      player: this.#trackPlayer,
      changes: this.#changes,
      cueAt: at => this.#cueAt(at),
      isStopping: () => this.#isStopping,
      onOutputFailed: () => this.#alertPlayer.releaseOutput(),
      onStarted: instance => {
        if (!this.#alertSequencer.isActive) this.#nowPlaying.setTrack(instance)
      },
      onSilent: because => this.#setSilent(because),
    })
    this.#skippedAds = new SkippedAds({
      log,
      cueAt: at => this.#cueAt(at),
      reportedNow: () => this.#trackPlayer.reportingClock.toReported(clock.steady()),
    })
    for (const source of [parts.manifests, parts.alerts, media]) source.onChange(() => this.#changes.notify())
    clock.onMove(() => this.#changes.notify())
  }

  /** The current track; null in silence and during an alert. */
  nowPlaying(): NowPlaying | null {
    return this.#nowPlaying.current
  }
  /** Why no track plays. */
  silence(): Silence | null {
    return this.#nowPlaying.silence
  }
  volume(): number {
    return this.#volume.volume
  }
  setVolume(volume: number): void {
    this.#volume.followCommand(volume)
  }
  /** Sounds the bell over the programme. Resolves to why it was not heard, or null. */
  async identify(): Promise<CommandFailure | null> {
    const { clock, options } = this.#parts
    if (this.#cueAt(clock.now()).kind === 'alert') return 'alert'
    const bell = { volume: this.volume(), steady: () => clock.steady() }
    return (await this.#volume.duckFor(() => soundBell(options, bell))) ? null : 'no-sound'
  }
  /** Writes what the screen shows to a JPEG file. Returns false if it shows nothing. */
  takePicture(path: string): Promise<boolean> {
    return this.#trackPlayer.takePicture(path)
  }
  /** The process id of the mpv that plays music. */
  get pid(): number | undefined {
    return this.#trackPlayer.pid
  }
  onChange(listener: () => void): void {
    this.#nowPlaying.onChange(listener)
  }

  /** Plays until `stop`. */
  async run(): Promise<void> {
    const { clock, log } = this.#parts
    log.recoverInterrupted()
    // The manifest's display is that of mpv's start.
    this.#cueAt(clock.now())
    void this.#trackPlayer.ready()
    this.#alertPlayer.prepare()
    const stopChecks = this.#alertChecker.start()
    const alerts = this.#alertSequencer.run()
    let at = clock.now()
    while (!this.#isStopping) {
      if (Math.abs(clock.now() - at) > REJOIN_AFTER_MS) at = clock.now()
      this.#seenChanges = this.#changes.count
      this.#skippedAds.onAsked(at, this.#arrival)
      at = await this.#playNext(at).catch(error => this.#logAndWait(error))
    }
    stopChecks()
    await alerts
    this.#nowPlaying.setSilent('stopped')
    this.#trackPlayer.close()
    this.#alertPlayer.close()
  }

  /** The last check of alerts since the start. */
  alertCheck(): AlertCheck | null {
    return this.#alertChecker.last
  }

  /** Stops the current track, which is logged as cut. `run` then returns. */
  stop(): void {
    this.#isStopping = true
    this.#changes.notify()
  }
  /** Kills an mpv that hangs, so that `run` returns. The current track is logged as cut. */
  kill(): void {
    this.#trackPlayer.kill()
    this.#alertPlayer.kill()
  }

  #logError(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.log.debug('error', 'player-error', text)
  }
  /** Logs an unexpected error and returns the time at which to continue. */
  async #logAndWait(error: unknown): Promise<number> {
    this.#logError(error)
    this.#setSilent('player-broken')
    await sleep(ERROR_RETRY_MS)
    return this.#parts.clock.now()
  }

  /** An alert sounds beside the music, whatever hinders that. */
  #setSilent(because: SilentReason): void {
    if (!this.#alertSequencer.isActive) this.#nowPlaying.setSilent(because)
  }

  /** Selects the manifest for an instant and returns its cue. */
  #cueAt(at: number): Cue {
    const { manifests, media, alerts, log } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) {
      const open = withAlerts({ alerts: [], files: [] }, alerts.open())
      return alertCue(open, at) ?? { kind: 'silent', because: 'no-publication', until: at + MINUTE_MS }
    }
    const playing = manifests.playing()?.manifest ?? null
    this.#manifest = selectManifest({ playing, newest, seenAt: manifests.seenAt, held: media.held }, at)
    if (this.#manifest === newest) manifests.promoteNewest()
    this.#trackPlayer.loudnessTargetLufs = this.#manifest.settings.loudnessTargetLufs
    this.#volume.followManifest(this.#manifest.device.volume, newest.generation)
    this.#trackPlayer.setDisplay(newest)
    log.isDetailed = newest.settings.debugLog
    return cueAt(withAlerts(this.#manifest, alerts.open(), alerts.ended()), at, media.held)
  }

  /** Plays the cue at an instant. Returns the time at which to ask for the next one. */
  async #playNext(at: number): Promise<number> {
    const cue = this.#cueAt(at)
    if (cue.kind === 'alert' || this.#alertSequencer.isActive) {
      await this.#alertSequencer.untilOver()
      this.#arrival = 'alert'
      return this.#parts.clock.now()
    }
    const next = await (cue.kind === 'silent' ? this.#playSilence(cue) : this.#playTrack(cue, at))
    this.#arrival = 'clock'
    this.#skippedAds.onPlayed(next)
    return next
  }

  async #playSilence(cue: SilentCue): Promise<number> {
    const { clock, log } = this.#parts
    // Without a manifest it has yet to download all.
    this.#setSilent(this.#manifest ? cue.because : 'downloading')
    if (this.#manifest) log.recordSilence(cue, this.#trackPlayer.reportingClock.toReported(clock.steady()))
    await this.#trackPlayer.stop()
    return this.#waitUntil(cue.until)
  }

  /** Waits for the start of mpv. One that takes long is reported: the shop hears nothing. */
  async #whenReady(): Promise<void> {
    const ready = this.#trackPlayer.ready()
    if ((await firstOf([ready], MPV_START_MS)) === 'time') this.#setSilent('player-broken')
    await ready
  }

  /** Waits for an instant or a change. Returns the time at which to ask for the next cue. */
  async #waitUntil(until: number): Promise<number> {
    const { clock } = this.#parts
    const outcome = await firstOf([this.#changes.after(this.#seenChanges)], until - clock.now())
    return outcome === 'time' && clock.now() >= until - 50 ? until : clock.now()
  }

  async #playTrack(cue: PlayCue, askedAt: number): Promise<number> {
    const { clock } = this.#parts
    await this.#whenReady()
    const now = clock.now()
    // It may have taken long.
    if (this.#alertSequencer.isActive || endsAtOnce(this.#cueAt(now))) return now
    const mayBeginAt = this.#earlyWait.untilOf(cue, now)
    if (mayBeginAt > now) return this.#waitUntil(mayBeginAt).then(() => cue.startsAt)
    const entry = entryOf(cue, now, cue.startsAt === askedAt)
    if (entry === 'wait') {
      this.#skippedAds.onMissed(cue, this.#arrival)
      this.#setSilent('starting')
      await this.#trackPlayer.stop()
      return this.#waitUntil(cue.until)
    }
    const instance = await this.#trackPlayer.start(cue, entry)
    return this.#sequencer.run(instance, this.#seenChanges)
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
