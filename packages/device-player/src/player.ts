import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { PlayEvents, PlayLog } from '@floorcast/device-client/play-log.ts'
import { type ChangeNotifier, firstOf, sleep } from '@floorcast/device-client/wait.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { alertCue, withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { Cue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import {
  EarlyWait,
  type Entry,
  entryOf,
  MIN_JOIN_MS,
  REJOIN_AFTER_MS,
  SLIP_TOLERANCE_MS,
} from '@floorcast/playback/iterate-cues.ts'
import { endsAtOnce } from '@floorcast/playback/next-step.ts'
import { selectManifest } from '@floorcast/playback/select-manifest.ts'
import { AlertSequencer } from './alert-sequencer.ts'
import { NowPlayingState } from './now-playing.ts'
import type {
  AlertOutput,
  Play,
  PlayableFiles,
  PlayableManifests,
  PlayerClock,
  Scene,
  TrackOutput,
} from './ports.ts'
import { Sequencer } from './sequencer.ts'
import { type Arrival, SkippedAds } from './skipped-ads.ts'

/** How a listener is where a device is. */
export interface Follow {
  /** The cue of the device. @param scheduled the cue of the manifest */
  cueAt: (at: number, scheduled: (at: number) => Cue) => Cue
  /** Loads what the server has and this player does not hold. */
  load: (cue: PlayCue) => Promise<unknown>
}

export interface PlayerParts<P extends Play> {
  clock: PlayerClock
  manifests: PlayableManifests
  alerts: Pick<AlertNotices, 'open' | 'ended' | 'onChange'>
  media: PlayableFiles
  events: Pick<PlayEvents, 'append'>
  log: PlayLog
  output: TrackOutput<P>
  alertOutput: AlertOutput
  /** Notified when something that the choice of the cue depends on has changed. It waits by the player's clock. */
  changes: ChangeNotifier
  follow?: Follow
  /** The manifest of the current cue was chosen. It may be the same as before. */
  onManifest?: (playing: DeviceManifest, newest: DeviceManifest) => void
  onScene?: (scene: Scene<P>) => void
}

const ERROR_RETRY_MS = 1000
const MINUTE_MS = 60_000
/** The program of an output, on a slow machine, starts within this time. */
const READY_MS = 20_000

/**
 * Plays what is held, cue after cue: it asks for the cue at an instant, plays it, and continues at the cue's end. It needs no server. The
 * stores and the clock notify it of new manifests, alerts, files and corrections of the time.
 */
export class Player<P extends Play> {
  readonly #parts: PlayerParts<P>
  readonly #alertSequencer: AlertSequencer
  readonly #sequencer: Sequencer<P>
  readonly #skippedAds: SkippedAds
  readonly #earlyWait = new EarlyWait()
  readonly nowPlaying: NowPlayingState
  #manifest: DeviceManifest | null = null
  #arrival: Arrival = 'agent-stopped'
  #isStopping = false
  /** The number of changes that the current cue includes. */
  #seenChanges = 0

  constructor(parts: PlayerParts<P>) {
    this.#parts = parts
    const { clock, output, changes } = parts
    const shared = {
      ...parts,
      cueAt: (at: number) => this.cueAt(at),
      isStopping: () => this.#isStopping,
    }
    this.nowPlaying = new NowPlayingState({
      toReported: at => output.reportingClock.toReported(at),
      steady: () => clock.steady(),
    })
    this.#alertSequencer = new AlertSequencer({
      ...shared,
      output: parts.alertOutput,
      volume: () => this.#manifest?.settings.alertVolume ?? 100,
      silenceMusic: () => {
        this.#sequencer.noteAlert()
        return output.stopForAlert()
      },
      onAlert: cue => this.show({ kind: 'alert', cue }),
      onError: error => this.#logError(error),
    })
    this.#sequencer = new Sequencer({
      ...shared,
      isFollowing: parts.follow !== undefined,
      onStarted: play => this.show({ kind: 'playing', play }),
    })
    this.#skippedAds = new SkippedAds({
      ...shared,
      reportedNow: () => output.reportingClock.toReported(clock.steady()),
    })
    for (const source of [parts.manifests, parts.alerts, parts.media]) source.onChange(() => changes.notify())
    clock.onMove(() => changes.notify())
  }

  /** The manifest of the current cue; null before the first one. */
  get manifest(): DeviceManifest | null {
    return this.#manifest
  }
  get isStopping(): boolean {
    return this.#isStopping
  }

  /** Plays until `stop`. */
  async run(): Promise<void> {
    const { clock, changes, output, alertOutput, follow } = this.#parts
    const alerts = this.#alertSequencer.run()
    let at = clock.now()
    while (!this.#isStopping) {
      if (Math.abs(clock.now() - at) > REJOIN_AFTER_MS) at = clock.now()
      this.#seenChanges = changes.count
      if (!follow) this.#skippedAds.onAsked(at, this.#arrival)
      at = await this.#playNext(at).catch(error => this.#logAndWait(error))
    }
    await alerts
    this.show({ kind: 'stopped' })
    output.close()
    alertOutput.close()
  }

  /** Ends the current play, which is logged as cut. `run` then returns. */
  stop(): void {
    this.#isStopping = true
    this.#parts.changes.notify()
  }

  /** Selects the manifest for an instant and returns its cue. */
  cueAt(at: number): Cue {
    const { manifests, media, alerts, follow, onManifest } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) {
      const open = withAlerts({ alerts: [], files: [] }, alerts.open())
      return alertCue(open, at) ?? { kind: 'silent', because: 'no-publication', until: at + MINUTE_MS }
    }
    const playing = manifests.playing()?.manifest ?? null
    this.#manifest = selectManifest({ playing, newest, seenAt: manifests.seenAt, held: media.held }, at)
    if (this.#manifest === newest) manifests.promoteNewest()
    onManifest?.(this.#manifest, newest)
    const manifest = withAlerts(this.#manifest, alerts.open(), alerts.ended())
    const scheduled = (instant: number) => cueAt(manifest, instant, media.held)
    return follow ? follow.cueAt(at, scheduled) : scheduled(at)
  }

  /** Says what happens now. An alert plays beside the music, whatever hinders that. */
  show(scene: Scene<P>): void {
    if (this.#alertSequencer.isActive && scene.kind !== 'alert') return
    this.nowPlaying.note(scene)
    this.#parts.onScene?.(scene)
  }

  #logError(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    this.#parts.log.debug('error', 'player-error', text)
  }
  /** Logs an unexpected error and returns the time at which to continue. */
  async #logAndWait(error: unknown): Promise<number> {
    this.#logError(error)
    this.show({ kind: 'broken' })
    await sleep(ERROR_RETRY_MS)
    return this.#parts.clock.now()
  }

  /** Plays the cue at an instant. Returns the time at which to ask for the next one. */
  async #playNext(at: number): Promise<number> {
    const cue = this.cueAt(at)
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
    const { clock, log, output } = this.#parts
    this.show(this.#manifest ? { kind: 'silent', cue } : { kind: 'connecting' })
    if (this.#manifest) log.recordSilence(cue, output.reportingClock.toReported(clock.steady()))
    await output.stop()
    return this.#waitUntil(cue.until)
  }

  /** Waits for an instant or a change. Returns the time at which to ask for the next cue. */
  async #waitUntil(until: number): Promise<number> {
    const { clock, changes } = this.#parts
    const outcome = await changes.first(this.#seenChanges, [], until - clock.now())
    return outcome === 'time' && clock.now() >= until - 50 ? until : clock.now()
  }

  async #playTrack(cue: PlayCue, askedAt: number): Promise<number> {
    const { clock, output, follow } = this.#parts
    const ready = output.ready()
    if (ready && (await this.#isInterruptedAfter(ready))) return clock.now()
    if (follow) return this.#followTrack(cue, follow)
    const now = clock.now()
    const mayBeginAt = this.#earlyWait.untilOf(cue, now)
    if (mayBeginAt > now) return this.#waitUntil(mayBeginAt).then(() => cue.startsAt)
    const entry = entryOf(cue, now, cue.startsAt === askedAt)
    if (entry === 'wait') {
      this.#skippedAds.onMissed(cue, this.#arrival)
      this.show({ kind: 'waiting', cue })
      await output.stop()
      return this.#waitUntil(cue.until)
    }
    return this.#sequencer.run(await output.start(cue, entry), this.#seenChanges)
  }

  /** A listener's file comes from the server, and all may change meanwhile. */
  async #followTrack(cue: PlayCue, follow: Follow): Promise<number> {
    const { clock, changes, output } = this.#parts
    if (clock.now() < cue.startsAt - SLIP_TOLERANCE_MS) return this.#waitUntil(cue.startsAt)
    if (this.#entryInto(cue) === 'wait') return this.#waitUntil(cue.until)
    const loaded = await changes.first(this.#seenChanges, [follow.load(cue)], null)
    if (loaded === 'changed') return clock.now()
    const entry = this.#entryInto(cue)
    if (entry === 'wait') return this.#waitUntil(cue.until)
    return this.#sequencer.run(await output.start(cue, entry), this.#seenChanges)
  }

  /** Waits for the output. One that takes long is reported: the shop hears nothing. @returns whether no track is to play any more */
  async #isInterruptedAfter(ready: Promise<void>): Promise<boolean> {
    if ((await firstOf([ready], READY_MS)) === 'time') this.show({ kind: 'broken' })
    await ready
    return this.#alertSequencer.isActive || endsAtOnce(this.cueAt(this.#parts.clock.now()))
  }

  /** A listener hears what the device plays, also from the middle of an ad. */
  #entryInto(cue: PlayCue): Entry {
    const now = this.#parts.clock.now()
    const entry = entryOf(cue, now)
    return entry === 'wait' && cue.until - now >= MIN_JOIN_MS ? 'join' : entry
  }
}
