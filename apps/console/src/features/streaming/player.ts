import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { AlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { ManifestStore } from '@floorcast/device-client/manifest-store.ts'
import type { PlayEvents, PlayLog } from '@floorcast/device-client/play-log.ts'
import { type Arrival, SkippedAds } from '@floorcast/device-client/skipped-ads.ts'
import { ChangeNotifier, firstOf, sleep } from '@floorcast/device-client/wait.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { alertCue, withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { AlertCue, Cue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import {
  EarlyWait,
  type Entry,
  entryOf,
  JOIN_FADE_MS,
  MIN_JOIN_MS,
  nextPlayOf,
  REJOIN_AFTER_MS,
  SLIP_TOLERANCE_MS,
} from '@floorcast/playback/iterate-cues.ts'
import { selectManifest } from '@floorcast/playback/select-manifest.ts'
import { AlertSounder } from './alert-sounder.ts'
import type { PlayerMedia } from './media-cache.ts'
import { ReportedSilence } from './reported-silence.ts'
import type { Scene } from './scene.ts'
import { Sequencer } from './sequencer.ts'
import type { Sound } from './sound.ts'
import { type Play, TrackPlayer } from './track-player.ts'

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
  /** Of a listener: the cue of the device that it follows. */
  follow?: (at: number, scheduled: (at: number) => Cue) => Cue
  onScene: (scene: Scene) => void
}

/** Volumes from 0 to 100. */
export interface PlayerVolume {
  /** What is heard of tracks. */
  readonly tracks: number
  /** What is heard of alerts with this volume. */
  alerts: (alertVolume: number) => number
  /** Follows the volume of the manifest of this number. */
  followManifest: (deviceVolume: number, generation: number) => void
}

const ERROR_RETRY_MS = 1000

/** Plays what this browser holds, cue after cue, as the agent plays from its disk. It needs no server. */
export class Player {
  readonly #parts: PlayerParts
  readonly #changes = new ChangeNotifier()
  readonly tracks: TrackPlayer
  readonly silence: ReportedSilence
  readonly #alerts: AlertSounder
  readonly #sequencer: Sequencer
  readonly #skippedAds: SkippedAds
  readonly #earlyWait = new EarlyWait()
  readonly #allowed = Promise.withResolvers<void>()
  #manifest: DeviceManifest | null = null
  #play: Play | null = null
  #arrival: Arrival = 'agent-stopped'
  #isStopping = false
  #seenChanges = 0

  constructor(parts: PlayerParts) {
    this.#parts = parts
    const { clock, log, media } = parts
    this.tracks = new TrackPlayer(parts)
    this.silence = new ReportedSilence(() => clock.now())
    this.#alerts = new AlertSounder(parts.sound, media, (file, reason) => {
      log.debug('error', 'alert-sound-failed', `${file.name} was not heard, the siren sounds: ${reason}`)
      media.discard(file, clock.now())
    })
    this.#sequencer = new Sequencer({
      clock,
      log,
      media,
      player: this.tracks,
      changes: this.#changes,
      cueAt: at => this.cueAt(at),
      isFollowing: parts.follow !== undefined,
      isStopping: () => this.#isStopping,
      onStarted: play => this.#show({ kind: 'playing', play }),
    })
    this.#skippedAds = new SkippedAds({
      log,
      cueAt: at => this.cueAt(at),
      reportedNow: () => this.tracks.reportingClock.toReported(clock.steady()),
    })
    for (const source of [parts.manifests, parts.alerts, media]) source.onChange(() => this.#changes.notify())
    clock.onMove(() => this.#changes.notify())
  }

  get manifest(): DeviceManifest | null {
    return this.#manifest
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
    const { clock, log, sound, follow } = this.#parts
    log.recoverInterrupted()
    if (!(await sound.isAllowed())) {
      this.#show({ kind: 'blocked' })
      await this.#allowed.promise
      await sound.isAllowed()
    }
    let at = clock.now()
    while (!this.#isStopping) {
      if (Math.abs(clock.now() - at) > REJOIN_AFTER_MS) at = clock.now()
      this.#seenChanges = this.#changes.count
      if (!follow) this.#skippedAds.onAsked(at, this.#arrival)
      at = await this.#playNext(at).catch(error => this.#logAndWait(error))
    }
    this.tracks.close()
    this.#alerts.stop()
    sound.close()
  }

  /** Ends the current track, which is logged as cut. `run` then returns. */
  stop(): void {
    this.#isStopping = true
    this.#allowed.resolve()
    this.#changes.notify()
  }

  nowPlaying(): NowPlaying | null {
    const play = this.#play
    if (!play) return null
    const { name, mediaUid, contentType, durationSeconds } = play.cue.file
    return {
      name,
      mediaUid,
      contentType,
      durationSeconds,
      startedAt: new Date(play.reportedStartAt).toISOString(),
      offsetSeconds: play.offsetSeconds,
    }
  }

  /** Selects the manifest for an instant and returns its cue. */
  cueAt(at: number): Cue {
    const { manifests, media, alerts, volume, follow } = this.#parts
    const newest = manifests.newest()?.manifest
    if (!newest) {
      const open = withAlerts({ alerts: [], files: [] }, alerts.open())
      return alertCue(open, at) ?? { kind: 'silent', because: 'no-publication', until: at + 60_000 }
    }
    const playing = manifests.playing()?.manifest ?? null
    this.#manifest = selectManifest({ playing, newest, seenAt: manifests.seenAt, held: media.held }, at)
    if (this.#manifest === newest) manifests.promoteNewest()
    this.tracks.loudnessTargetLufs = this.#manifest.settings.loudnessTargetLufs
    volume.followManifest(this.#manifest.device.volume, newest.generation)
    const manifest = withAlerts(this.#manifest, alerts.open(), alerts.ended())
    const scheduled = (instant: number) => cueAt(manifest, instant, media.held)
    return follow ? follow(at, scheduled) : scheduled(at)
  }

  /** The next play after an instant, as if all files were held; null without one. */
  nextPlay(after: number): PlayCue | null {
    return this.#manifest && nextPlayOf(this.#manifest, after)
  }

  #show(scene: Scene): void {
    this.silence.note(scene)
    this.#play = scene.kind === 'playing' ? scene.play : null
    this.#parts.onScene(scene)
  }

  async #playNext(at: number): Promise<number> {
    const cue = this.cueAt(at)
    this.#arrival = cue.kind === 'alert' ? 'alert' : this.#arrival
    if (cue.kind === 'alert') return this.#playAlert(cue)
    const next = await (cue.kind === 'silent' ? this.#playSilence(cue) : this.#playTrack(cue, at))
    this.#arrival = 'clock'
    this.#skippedAds.onPlayed(next)
    return next
  }

  async #playSilence(cue: SilentCue): Promise<number> {
    const { clock, log } = this.#parts
    this.#show(this.#manifest ? { kind: 'silent', cue } : { kind: 'connecting' })
    if (this.#manifest) log.recordSilence(cue, this.tracks.reportingClock.toReported(clock.steady()))
    return this.#waitUntil(cue.until)
  }

  async #waitUntil(until: number): Promise<number> {
    const { clock } = this.#parts
    const outcome = await firstOf([this.#changes.after(this.#seenChanges)], until - clock.now())
    return outcome === 'time' && clock.now() >= until - 50 ? until : clock.now()
  }

  async #playTrack(cue: PlayCue, askedAt: number): Promise<number> {
    const { clock, log, follow } = this.#parts
    const now = clock.now()
    // A listener is where the device is.
    if (follow && now < cue.startsAt - SLIP_TOLERANCE_MS) return this.#waitUntil(cue.startsAt)
    const mayBeginAt = this.#earlyWait.untilOf(cue, now)
    if (mayBeginAt > now) return this.#waitUntil(mayBeginAt).then(() => cue.startsAt)
    const first = this.#entryOf(cue, now, cue.startsAt === askedAt)
    if (first === 'wait') {
      if (!follow) {
        this.#skippedAds.onMissed(cue, this.#arrival)
        this.#show({ kind: 'waiting', cue })
      }
      return this.#waitUntil(cue.until)
    }
    const prepared = this.tracks.prepare(cue)
    // A listener's file comes from the server, and all may change meanwhile.
    const changed = follow ? [this.#changes.after(this.#seenChanges)] : []
    const isLoaded = await firstOf<boolean | void>([prepared.isLoaded, ...changed], null)
    if (isLoaded === undefined) return clock.now()
    const entry = follow ? this.#entryOf(cue, clock.now(), false) : first
    if (entry === 'wait') return this.#waitUntil(cue.until)
    if (isLoaded === true && entry === 'join') prepared.deck.seek((clock.now() - cue.startsAt) / 1000)
    this.tracks.reportingClock.resume(log.reportedUntil)
    const play = await this.tracks.start(prepared, entry, entry === 'join' ? JOIN_FADE_MS : 0)
    return this.#sequencer.run(play, this.#seenChanges)
  }

  /** A listener hears what the device plays, also from the middle of an ad. */
  #entryOf(cue: PlayCue, at: number, isNext: boolean): Entry {
    const entry = entryOf(cue, at, isNext)
    const mayJoin = this.#parts.follow !== undefined && cue.until - at >= MIN_JOIN_MS
    return entry === 'wait' && mayJoin ? 'join' : entry
  }

  /** Sounds the alert at once and repeats it until the cue is another. */
  async #playAlert(cue: AlertCue): Promise<number> {
    const { clock, events } = this.#parts
    const { uid, kind } = cue.alert
    const logStep = (step: 'started' | 'ended') =>
      events.append({
        kind: 'alert',
        alertUid: uid,
        alertKind: kind,
        step,
        at: new Date(clock.now()).toISOString(),
      })
    let isHeard = false
    const onSound = () => {
      if (!isHeard) logStep('started')
      isHeard = true
    }
    for (
      let current: Cue = cue;
      current.kind === 'alert' && current.alert.uid === uid && !this.#isStopping;
    ) {
      this.#show({ kind: 'alert', cue: current })
      const volume = this.#parts.volume.alerts(this.#manifest?.settings.alertVolume ?? 100)
      const interrupted = this.#untilOther(current)
      await this.#alerts.play(current.file, { volume, interrupted, onSound })
      this.#seenChanges = this.#changes.count
      current = this.cueAt(clock.now())
    }
    this.#alerts.stop()
    if (isHeard) logStep('ended')
    return clock.now()
  }

  /** Resolves when the cue is no longer this alert with this sound, or when its sound has come to the cache. */
  async #untilOther(cue: AlertCue): Promise<void> {
    const { clock, media } = this.#parts
    const isHeld = ({ file }: AlertCue) => file !== null && media.held.has(file.sha256)
    const wasHeld = isHeld(cue)
    for (let seen = this.#seenChanges; !this.#isStopping; seen = this.#changes.count) {
      await this.#changes.after(seen)
      const other = this.cueAt(clock.now())
      if (other.kind !== 'alert' || other.alert.uid !== cue.alert.uid) return
      if (other.file?.sha256 !== cue.file?.sha256 || (!wasHeld && isHeld(other))) return
    }
  }

  async #logAndWait(error: unknown): Promise<number> {
    const { clock, log } = this.#parts
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.debug('error', 'player-error', text)
    await sleep(ERROR_RETRY_MS)
    return clock.now()
  }
}
