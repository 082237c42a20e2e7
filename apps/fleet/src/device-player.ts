import type { NowPlaying, SilentReason } from '@floorcast/contract/devices.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import { selectManifest } from '@floorcast/playback/select-manifest.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { alertCue, withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { AlertCue, Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { validatePlay } from '@floorcast/playback/event-rules.ts'
import { entryOf } from '@floorcast/playback/iterate-cues.ts'
import { isAd } from '@floorcast/playback/media.ts'
import type { AlertStep } from '@floorcast/contract/events.ts'
import { type AlertNotices, makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import type { EventLog } from './event-log.ts'
import type { DeviceClock } from './fleet-clock.ts'

/** The longest delay of setTimeout is slightly more. */
const MAX_TIMER_MS = 2_000_000_000

/** Alerts are remembered in memory alone. */
const NO_STATE = { read: () => null, write: () => false }

const NO_MANIFEST = { alerts: [], files: [] }

const isoOf = (millis: number) => new Date(millis).toISOString()

export interface DevicePlayerParts {
  clock: DeviceClock
  log: EventLog
  /** The hashes of the held files. */
  held: Set<string>
  /** An alert sounds, or sounds no more. */
  onAlert: (alert: AlertCue['alert'], step: AlertStep) => void
  /** A play has ended and is logged. */
  onPlayed: () => void
  /** The current track has changed. */
  onChange: () => void
}

/** Plays a manifest as the agent does, from cue to cue, without sound: it waits for each track's length and then logs it. */
export class DevicePlayer {
  readonly #parts: DevicePlayerParts
  readonly held: Set<string>
  readonly alerts: AlertNotices
  nowPlaying: NowPlaying | null = null
  silence: Silence | null
  #playing: DeviceManifest | null = null
  #newest: DeviceManifest | null = null
  /** The first receipt of each publication's revision, in milliseconds since 1970. */
  #firstSeenAt = new Map<string, number>()
  #isStopped = false
  #onManifest: () => void = () => undefined
  #wake: () => void = () => undefined

  constructor(parts: DevicePlayerParts) {
    this.#parts = parts
    this.held = parts.held
    this.silence = { because: 'starting', since: isoOf(parts.clock.now()) }
    this.alerts = makeAlertNotices(NO_STATE, {
      newest: () => this.#newest && { manifest: this.#newest },
      onChange: listener => (this.#onManifest = listener),
    })
    this.alerts.onChange(() => this.#changeAlerts())
  }

  get manifest(): DeviceManifest | null {
    return this.#newest
  }

  /** Uses a manifest from the next boundary on, or now during silence. */
  setManifest(manifest: DeviceManifest): void {
    this.#newest = manifest
    const now = this.#parts.clock.now()
    this.#firstSeenAt = new Map(
      manifest.publications.map(each => [revisionKey(each), this.#firstSeenAt.get(revisionKey(each)) ?? now]),
    )
    this.#onManifest()
    this.#changeAlerts()
  }

  /** Adds a held file. */
  addFile(sha256: string): void {
    this.held.add(sha256)
    if (!this.nowPlaying) this.#wake()
  }

  stop(): void {
    this.#isStopped = true
    this.#wake()
  }

  /** Plays cue after cue until `stop`. */
  async run(): Promise<void> {
    let at = this.#parts.clock.now()
    while (!this.#isStopped) {
      const cue = this.#cueAt(at)
      if (cue?.kind === 'alert') {
        await this.#soundAlert(cue)
        at = this.#parts.clock.now()
        continue
      }
      // It would have begun before: its play would not be whole.
      const isPlay =
        cue?.kind === 'play' && entryOf(cue, at) !== 'wait' && !(isAd(cue.file) && at > cue.startsAt)
      if (!isPlay) this.#setSilent(reasonOf(cue))
      const isOver = await (isPlay ? this.#play(cue, at) : this.#waitUntil(cue?.until ?? Infinity))
      // A finished cue continues at its end, never at the current time. An interrupted silence continues at the current time.
      at = cue && isOver ? cue.until : this.#parts.clock.now()
    }
    this.#setSilent('stopped')
  }

  #setSilent(because: SilentReason): void {
    if (this.silence?.because === because) return
    this.silence = { because, since: isoOf(this.#parts.clock.now()) }
    this.#parts.onChange()
  }

  #selectManifest(at: number): DeviceManifest | null {
    const newest = this.#newest
    const seenAt = (publication: DevicePublication) => this.#firstSeenAt.get(revisionKey(publication)) ?? at
    if (newest)
      this.#playing = selectManifest({ playing: this.#playing, newest, seenAt, held: this.held }, at)
    return this.#playing
  }

  /** An alert interrupts a play; nothing else does. */
  #changeAlerts(): void {
    if (!this.nowPlaying || this.#alertAt(this.#parts.clock.now())) this.#wake()
  }

  #alertAt(at: number): AlertCue | null {
    return alertCue(withAlerts(this.#newest ?? NO_MANIFEST, this.alerts.open(), this.alerts.ended()), at)
  }

  #cueAt(at: number): Cue | null {
    const manifest = this.#selectManifest(at)
    if (!manifest) return this.#alertAt(at)
    return cueAt(withAlerts(manifest, this.alerts.open(), this.alerts.ended()), at, this.held)
  }

  /** Sounds an alert until it ends or a newer one sounds. It has a volume that no tag mutes. */
  async #soundAlert({ alert }: AlertCue): Promise<void> {
    const { clock, onAlert } = this.#parts
    this.#setSilent('alert')
    onAlert(alert, 'started')
    while (!this.#isStopped && this.#alertAt(clock.now())?.alert.uid === alert.uid)
      await this.#waitUntil(Infinity)
    onAlert(alert, 'ended')
  }

  /** Resolves to whether it has played to its end. */
  async #play(cue: PlayCue, at: number): Promise<boolean> {
    const { log, onPlayed, onChange } = this.#parts
    const { file } = cue
    this.nowPlaying = toNowPlaying(cue, at)
    this.silence = null
    onChange()
    const isOver = await this.#waitUntil(cue.until)
    this.nowPlaying = null
    if (this.#isStopped) return false
    // An alert alone interrupts it.
    const endedAt = isOver ? cue.until + cue.overlapMs : Math.max(at, this.#parts.clock.now())
    const secondsPlayed = (endedAt - at) / 1000
    const offsetSeconds = (at - cue.startsAt) / 1000
    const entry = entryOf(cue, at) === 'join' ? 'join' : 'start'
    log.append({
      kind: 'playtrack',
      at: isoOf(Math.min(endedAt, cue.until)),
      publicationUid: cue.publication.uid,
      playlistUid: cue.publication.playlist.uid,
      playlistName: cue.publication.playlist.name,
      itemUid: cue.itemUid,
      mediaUid: file.mediaUid,
      sha256: file.sha256,
      trackName: file.name,
      contentType: file.contentType,
      scheduledAt: isoOf(cue.startsAt),
      startedAt: isoOf(at),
      endedAt: isoOf(endedAt),
      secondsPlayed,
      durationSeconds: file.durationSeconds,
      ...validatePlay({
        entry,
        offsetSeconds,
        secondsPlayed,
        durationSeconds: file.durationSeconds,
        failure: null,
        cutBy: isOver ? cue.cutBy : 'alert',
      }),
    })
    onPlayed()
    return isOver
  }

  /** Waits until the devices' clock shows the instant. Resolves to false if the player was woken before. */
  async #waitUntil(instant: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    this.#wake = () => resolve(false)
    const timer = setTimeout(
      () => resolve(true),
      Math.min(this.#parts.clock.wallMsUntil(instant), MAX_TIMER_MS),
    )
    const isOver = await promise
    clearTimeout(timer)
    this.#wake = () => undefined
    return isOver
  }
}

const revisionKey = ({ uid, revision }: DevicePublication) => `${uid} ${revision}`

/** A device that has no manifest has yet to download all. */
function reasonOf(cue: Cue | null): SilentReason {
  if (cue === null) return 'downloading'
  return cue.kind === 'silent' ? cue.because : 'starting'
}

const toNowPlaying = ({ file, startsAt }: PlayCue, at: number): NowPlaying => ({
  name: file.name,
  mediaUid: file.mediaUid,
  contentType: file.contentType,
  startedAt: isoOf(at),
  offsetSeconds: Math.max(0, (at - startsAt) / 1000),
  durationSeconds: file.durationSeconds,
})
